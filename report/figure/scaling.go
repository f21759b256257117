package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"memobench/benchmarks/scaling/slope"
)

// Costs has the costs of one model by the number of memory rows.
type Costs struct {
	System string // name of the system: that of a model, perhaps with digits or a suffix, such as emn4 and memo-nowh
	Title  string
	Points []CostPoint // in order of rows
}

// CostPoint is the cost of a pass at one size.
type CostPoint struct {
	Rows       int       // I
	CPU        []float64 // seconds, one per round; empty where it was not timed
	HeldBytes  float64   // in use after a pass; 0 where it is not known
	Operations float64   // floating-point, counted; 0 where they are not known
}

// scalingPanels are the panels, with the values that they show.
var scalingPanels = []struct {
	title  string
	values func(p *CostPoint) []float64
}{
	{"CPU time, s per pass", func(p *CostPoint) []float64 { return p.CPU }},
	{"memory, bytes held", func(p *CostPoint) []float64 { return []float64{p.HeldBytes} }},
	{"floating-point operations", func(p *CostPoint) []float64 { return []float64{p.Operations} }},
}

// Scaling draws CPU time, memory and operations against the number of memory rows, log-log,
// in a mode such as infer or train. The legend has the slope of the CPU time at the largest
// sizes. It is nil if no system has two sizes.
func Scaling(mode string, systems []Costs) *Figure {
	f := &Figure{ID: "figure-scaling-" + mode, Title: "Cost by the number of memory rows: " + mode}
	for _, panel := range scalingPanels {
		f.scalingPanel(panel.title, systems, panel.values)
	}
	if f.panels == nil {
		return nil
	}
	f.addKey(key{name: "slopes 1 and 2", stroke: guideStroke, line: true, last: true})
	f.Caption = fmt.Sprintf("Medians, log-log. The number next to a model is the slope of its CPU time at the %d largest sizes: 1 is linear, 2 quadratic.", slope.Sizes)
	return f
}

func (f *Figure) scalingPanel(title string, systems []Costs, values func(p *CostPoint) []float64) {
	// The meaning of y is in the title: gonum/plot places the label of an axis as on a linear
	// scale.
	p := newPanel(title, "memory rows I", "")
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(doublings), plot.TickerFunc(logTicks)
	var all plotter.XYs
	for _, s := range systems {
		var xy plotter.XYs
		for i := range s.Points {
			positive := slices.DeleteFunc(slices.Clone(values(&s.Points[i])), func(v float64) bool { return v <= 0 }) // those with a logarithm
			if len(positive) > 0 {
				xy = append(xy, plotter.XY{X: float64(s.Points[i].Rows), Y: slope.Median(positive)})
			}
		}
		if len(xy) < 2 {
			continue
		}
		model, _, isPart := strings.Cut(s.System, "-")
		look := modelStroke(strings.TrimRight(model, "0123456789"))
		if isPart { // of a model, in its colour
			look.dashes, look.glyph = []vg.Length{1, 2}, draw.RingGlyph{}
		}
		f.line(p, xy, look, 1.3)
		f.dots(p, xy, look.color, look.glyph, 2)
		f.addKey(key{name: s.Title + slopeText(&s), stroke: look, line: true})
		all = append(all, xy...)
	}
	if all == nil {
		return
	}
	x0, x1, y0, y1 := plotter.XYRange(all)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x0/1.1, x1*1.1, y0/2, y1*1.3
	for _, s := range []float64{1, 2} { // below the lowest point
		end := min(x1, x0*math.Pow(y1/y0, 1/s))
		guide := plotter.XYs{{X: x0, Y: y0 / 1.5}, {X: end, Y: y0 / 1.5 * math.Pow(end/x0, s)}}
		f.line(p, guide, guideStroke, 0.7)
	}
	f.panels = append(f.panels, p)
}

// slopeText prints the slope of the CPU time at the largest sizes; nothing with too few
// sizes or rounds.
func slopeText(s *Costs) string {
	var sizes []int
	var times [][]float64
	for _, p := range s.Points {
		if len(p.CPU) > 0 && slices.Min(p.CPU) > 0 && (times == nil || len(p.CPU) == len(times[0])) {
			sizes, times = append(sizes, p.Rows), append(times, p.CPU)
		}
	}
	fit, ok := slope.Fit(sizes, times)
	if !ok {
		return ""
	}
	return fmt.Sprintf("  %.2f", fit.Value)
}

// guideStroke is the style of the lines of slopes 1 and 2.
var guideStroke = stroke{color: grey, dashes: []vg.Length{3, 2}}

// doublings marks an axis at powers of two, with labels at powers of four.
func doublings(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for v := 1.0; v <= high; v *= 4 {
		ticks = append(ticks, plot.Tick{Value: v, Label: trim(v)}, plot.Tick{Value: 2 * v})
	}
	return slices.DeleteFunc(ticks, func(t plot.Tick) bool { return t.Value < low || t.Value > high })
}
