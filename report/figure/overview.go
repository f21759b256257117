package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Panel is a group of questions on one axis.
type Panel struct {
	Title     string
	Axis      string  // of the values; "" for accuracy, %
	Top       float64 // end of the axis, which starts at 0; 0 for 100. Means above it extend it.
	Questions []Question
}

// Question is a place on the x axis.
type Question struct {
	Name    string  // a comma followed by a blank breaks the line
	Guess   float64 // accuracy of guessing; 0 for none
	Control float64 // accuracy of the strongest control without a network; 0 for none
	Answers []Answer
}

// Answer is what one model reaches, here and in the paper.
type Answer struct {
	Model string // registry name, which gives the colour
	Title string
	Seeds []float64 // one value per seed; empty for none
	Paper float64   // NaN for none
}

// Overview draws what each model reaches on the hardest question of each task. Panels
// without a measured value are left out; nil without any.
func Overview(panels []Panel) *Figure {
	f := &Figure{ID: "figure-overview", Title: "The hardest question of each task, next to the paper's numbers"}
	for _, panel := range panels {
		f.overviewPanel(&panel)
	}
	return f.captioned("Test split. Marks: mean over seeds; bars: lowest to highest seed; black ticks: the paper.")
}

func (f *Figure) overviewPanel(panel *Panel) {
	var models []string
	measured, top := false, panel.Top
	for _, q := range panel.Questions {
		for _, a := range q.Answers {
			if !slices.Contains(models, a.Model) {
				models = append(models, a.Model)
			}
			if len(a.Seeds) > 0 {
				measured = true
				top = max(top, stat.Mean(a.Seeds, nil))
			}
			if !math.IsNaN(a.Paper) {
				top = max(top, a.Paper)
			}
		}
	}
	if !measured {
		return
	}
	p := newPanel(panel.Title, "", cmp.Or(panel.Axis, "accuracy, %"))
	percentAxis(p)
	if panel.Top > 0 {
		p.Y.Max, p.Y.Tick.Marker = math.Ceil(top)*1.03, plot.TickerFunc(wholeTicks)
	}
	width := 0.8 / float64(len(models))
	var ticks plot.ConstantTicks
	for i, q := range panel.Questions {
		at := float64(i)
		ticks = append(ticks, plot.Tick{Value: at, Label: strings.Replace(q.Name, ", ", "\n", 1)})
		f.level(p, at-0.45, at+0.45, q.Guess, "guessing", guessing)
		f.level(p, at-0.45, at+0.45, q.Control, "strongest control", control)
		for _, a := range q.Answers {
			x := at - 0.4 + width*(float64(slices.Index(models, a.Model))+0.5)
			if !math.IsNaN(a.Paper) {
				half := min(0.45*width, 0.03*float64(len(panel.Questions)))
				f.line(p, plotter.XYs{{X: x - half, Y: a.Paper}, {X: x + half, Y: a.Paper}}, stroke{color: ink}, 1.2)
				f.addKey(key{name: "paper", stroke: stroke{color: ink}, line: true, last: true})
			}
			if len(a.Seeds) > 0 {
				look := modelStroke(a.Model)
				f.seeds(p, x, a.Seeds, look)
				f.addKey(key{name: a.Title, stroke: stroke{color: look.color, glyph: look.glyph}})
			}
		}
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker, p.X.Tick.Length = -0.5, float64(len(panel.Questions))-0.5, ticks, 0
	f.panels = append(f.panels, p)
}
