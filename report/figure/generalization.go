package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Generalization draws evaluations of trained weights on questions that differ from those of
// training in one setting: a figure for each study, task and setting. The first panel has all
// runs as trained. A run that was also evaluated with other numbers of hops has a panel of its
// own. Values of a setting that are not numbers are not connected.
func Generalization(runs []Run) []*Figure {
	shifted := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.Record.Shift == nil })
	var list []*Figure
	for _, group := range groupBy(shifted, func(r Run) string {
		s := r.Record.Shift
		return strings.Join([]string{r.study(), r.Record.Identity.Task, s.Setting, s.Trained}, " ")
	}) {
		r := group[0].Record
		f := &Figure{ID: "figure-generalization", Title: fmt.Sprintf("Generalization over %s: %s trained with %s", r.Shift.Setting, r.Identity.Task, r.Shift.Trained)}
		asTrained := slices.DeleteFunc(slices.Clone(group), func(r Run) bool { return r.Record.Shift.Hops != nil })
		f.shiftPanel("as trained", asTrained, nil)
		var hopNames []string
		for _, same := range groupBy(group, Run.hopsName) {
			hopNames = append(hopNames, same[0].hopsName())
		}
		for _, same := range groupBy(group, Run.name) {
			if len(groupBy(same, Run.hopsName)) > 1 {
				f.shiftPanel(same[0].Record.Identity.Title+", by number of hops", same, hopNames)
			}
		}
		if f.captioned("The hardest questions of the test split, mean over seeds. Bars: lowest to highest seed.") != nil {
			list = append(list, f)
		}
	}
	return list
}

func (r Run) hopsName() string {
	if h := r.Record.Shift.Hops; h != nil {
		return fmt.Sprintf("%d hops", h.Evaluated)
	}
	return "hops as trained"
}

// shiftPanel adds a panel with a line for each run or, with the names of all numbers of hops,
// for each of those. With fewer than two values of the setting there is no panel.
func (f *Figure) shiftPanel(title string, runs []Run, hopNames []string) {
	name := Run.name
	if hopNames != nil {
		name = Run.hopsName
	}
	var values []string
	for _, r := range runs {
		if v := r.Record.Shift.Evaluated; !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	if len(values) < 2 {
		return
	}
	numeric := !slices.ContainsFunc(values, func(v string) bool { return math.IsNaN(number(v)) })
	if numeric {
		slices.SortFunc(values, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	}
	p := newPanel(title, runs[0].Record.Shift.Setting, "accuracy, %")
	percentAxis(p)
	last := float64(len(values) - 1)
	f.level(p, -0.2, last+0.2, runs[0].Record.Dataset.Presentation.Chance, "guessing", guessing)
	lines := groupBy(runs, name)
	models := map[string]bool{}
	for i, line := range lines {
		r := line[0].Record
		look, legend := modelStroke(r.Identity.Model), r.Identity.Title
		if models[r.Identity.Model] { // a variant
			look.color, look.dashes = faint(look.color, 150), []vg.Length{1, 2}
		}
		models[r.Identity.Model] = true
		if hopNames != nil {
			legend = line[0].hopsName()
			look = stroke{color: palette[slices.Index(hopNames, legend)%len(palette)], glyph: draw.CircleGlyph{}}
		}
		offset := 0.0
		if !numeric { // next to each other
			offset = 0.6 * (float64(i) - float64(len(lines)-1)/2) / float64(len(lines))
		}
		var xy plotter.XYs
		for at, v := range values {
			if accuracies := accuraciesAt(line, v); len(accuracies) > 0 {
				x := float64(at) + offset
				f.seeds(p, x, accuracies, look)
				xy = append(xy, plotter.XY{X: x, Y: stat.Mean(accuracies, nil)})
			}
		}
		if len(xy) > 1 && numeric {
			f.line(p, xy, look, 1)
		}
		f.addKey(key{name: legend, stroke: look, line: numeric})
	}
	var ticks plot.ConstantTicks
	for i, v := range values {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: v})
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = -0.3, last+0.3, ticks
	f.panels = append(f.panels, p)
}

// accuraciesAt returns the accuracy on the hardest questions for each seed that was evaluated
// with a value of the setting.
func accuraciesAt(runs []Run, value string) []float64 {
	var list []float64
	for _, r := range runs {
		_, metric := r.hardest()
		if v, ok := metric(r.Record); ok && r.Record.Shift.Evaluated == value {
			list = append(list, v)
		}
	}
	return list
}

// number returns a value of a setting as a number; NaN for words.
func number(value string) float64 {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}
