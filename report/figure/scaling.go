package figure

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"memobench/benchmarks/scaling/slope"
)

// costs has the costs of one system by the number of memory rows, as in the report that memobench
// scaling writes.
type costs struct {
	System string // that of a model, perhaps with digits or a suffix, such as emn4 and memo-nowh
	Title  string
	Mode   string      // infer or train
	Points []costPoint // in order of rows
}

// costPoint is the cost of a pass at one size.
type costPoint struct {
	Rows       int       // I
	Timed      bool      // else the point has counts only
	CPU        []float64 `json:"cpu_seconds"` // one per round
	HeldBytes  float64   `json:"held_bytes"`  // in use after a pass; 0 where it is not known
	Operations float64   // floating-point, counted; 0 where they are not known
}

// scalingPanels are the panels, with the values that they show.
var scalingPanels = []struct {
	title  string
	values func(p *costPoint) []float64
}{
	{"CPU time, s per pass", func(p *costPoint) []float64 { return p.CPU }},
	{"memory, bytes held", func(p *costPoint) []float64 { return []float64{p.HeldBytes} }},
	{"floating-point operations", func(p *costPoint) []float64 { return []float64{p.Operations} }},
}

// Scaling draws the report that memobench scaling wrote into a file: CPU time, memory and
// operations against the number of memory rows, log-log, a figure for each mode in which a system
// has two sizes. The legend has the slope of the CPU time at the largest sizes.
func Scaling(file string) ([]*Figure, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var report struct{ Series []costs }
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Clean(file), err)
	}
	var list []*Figure
	for _, mode := range []string{"infer", "train"} {
		var systems []costs
		for _, s := range report.Series {
			if s.Mode == mode {
				s.Points = slices.DeleteFunc(s.Points, func(p costPoint) bool { return !p.Timed })
				systems = append(systems, s)
			}
		}
		if f := scalingFigure(mode, systems); f != nil {
			list = append(list, f)
		}
	}
	return list, nil
}

func scalingFigure(mode string, systems []costs) *Figure {
	f := &Figure{ID: "figure-scaling-" + mode, Title: "Cost by the number of memory rows: " + mode}
	for _, panel := range scalingPanels {
		f.scalingPanel(panel.title, systems, panel.values)
	}
	f.addKey(key{name: "slopes 1 and 2", stroke: guideStroke, line: true, last: true})
	return f.captioned(fmt.Sprintf("Medians, log-log. The number next to a model is the slope of its CPU time at the %d largest sizes: 1 is linear, 2 quadratic.", slope.Sizes))
}

func (f *Figure) scalingPanel(title string, systems []costs, values func(p *costPoint) []float64) {
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
func slopeText(s *costs) string {
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
