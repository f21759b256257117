package figure

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"memobench/benchmarks/scaling/slope"
	"memobench/report/results"
)

// scalingPoint is the cost of one operation at one size.
type scalingPoint struct {
	model, mode, unit string
	rows              int // I
	values            []float64
}

// scalingPoints parses lines such as BenchmarkScaling/model=memo/mode=infer/I=256 with
// drawn units. A line without its parts or such a unit is an error with file and line.
func scalingPoints(sets []*results.Set) ([]scalingPoint, error) {
	var list []scalingPoint
	for _, s := range sets {
		measured := map[string]bool{} // by name
		for _, c := range s.Cells {
			if !strings.HasPrefix(c.Name, "Scaling/") {
				continue
			}
			p := scalingPoint{c.Part("model"), c.Part("mode"), c.Unit, 0, c.Values()}
			var err error
			p.rows, err = strconv.Atoi(c.Part("I"))
			if err != nil || p.rows < 1 || p.model == "" || p.mode == "" {
				return nil, fmt.Errorf("reading scaling: %s: %s: want Scaling/model=.../mode=.../I=..., "+
					"and I a whole number, 1 or more", c.Samples[0].From, c.Name)
			}
			if low := slices.Min(p.values); low < 0 {
				return nil, fmt.Errorf("reading scaling: %s: %v %s: want a number not below 0", c.Samples[0].From, low, c.Unit)
			}
			measured[c.Name] = measured[c.Name] || drawn(c.Unit)
			list = append(list, p)
		}
		for _, c := range s.Cells {
			if known, ours := measured[c.Name]; ours && !known {
				return nil, fmt.Errorf("reading scaling: %s: %s: none of the units cpu-ns/op, held-B/op, B/op, FLOP/op",
					c.Samples[0].From, c.Name)
			}
		}
	}
	return list, nil
}

// scalingPanels are the panels, with the units in which they may be measured, the best
// first.
var scalingPanels = []struct {
	title, label string
	units        []string
}{
	{"CPU time", "ns per pass", []string{"cpu-ns/op"}},
	{"memory", "bytes", []string{"held-B/op", "B/op"}},
	{"arithmetic", "floating-point operations, counted", []string{"FLOP/op", "flop/op"}},
}

// unitMeanings describes units of bytes.
var unitMeanings = map[string]string{"held-B/op": "bytes held", "B/op": "bytes allocated by a pass"}

// drawn reports whether a unit is drawn.
func drawn(unit string) bool {
	for _, p := range scalingPanels {
		if slices.Contains(p.units, unit) {
			return true
		}
	}
	return false
}

// Scaling draws cost against the number of memory rows, log-log, with one panel per unit
// and one figure per mode. Several lines of one size give their median. The slopes in the
// legend, one per panel, are those of memobench scaling.
func Scaling(sets []*results.Set) ([]*Figure, error) {
	points, err := scalingPoints(sets)
	if err != nil {
		return nil, err
	}
	if len(points) == 0 {
		return []*Figure{{ID: "figure-scaling", Title: scalingTitle, Fill: "memobench scaling --to 1024 --out runs/scaling"}}, nil
	}
	var modes []string
	for _, p := range points {
		modes = results.AddNew(modes, p.mode)
	}
	var list []*Figure
	for _, mode := range modes {
		f := &Figure{ID: "figure-scaling-" + mode, Title: scalingTitle + ": " + mode}
		var shown []string
		slopes := map[string][]string{}
		for _, want := range scalingPanels {
			unit := unitOf(points, mode, want.units)
			if unit == "" {
				f.Caption = append(f.Caption, fmt.Sprintf("No lines with %s: no panel for it.", strings.Join(want.units, " or ")))
				continue
			}
			label := want.label
			if meaning := unitMeanings[unit]; meaning != "" {
				label = meaning
			}
			f.scalingPanel(points, mode, unit, want.title+": "+label, slopes)
			shown = append(shown, want.title)
		}
		for i, k := range f.legend {
			f.legend[i].name += "  " + strings.Join(slopes[k.name], ", ")
		}
		f.legend = append(f.legend, key{name: "slopes 1 and 2", stroke: stroke{color: grey, dashes: guideDashes}, line: true})
		f.Caption = append([]string{fmt.Sprintf("Log-log. The numbers beside a model are its slopes at the %d largest sizes, of %s: 1 is linear in I, 2 quadratic. Counted operations are exact.",
			slope.Sizes, strings.Join(shown, ", "))}, f.Caption...)
		list = append(list, f)
	}
	return list, nil
}

const scalingTitle = "Cost against the number of memory rows I"

// unitOf returns the first of the units of which a point of the mode has a value above 0;
// empty without one.
func unitOf(points []scalingPoint, mode string, units []string) string {
	for _, unit := range units {
		if slices.ContainsFunc(points, func(p scalingPoint) bool {
			return p.mode == mode && p.unit == unit && slices.Max(p.values) > 0
		}) {
			return unit
		}
	}
	return ""
}

func (f *Figure) scalingPanel(points []scalingPoint, mode, unit, title string, slopes map[string][]string) {
	values := map[string]map[int][]float64{}
	var models []string
	for _, pt := range points {
		if pt.mode != mode || pt.unit != unit {
			continue
		}
		positive := slices.DeleteFunc(slices.Clone(pt.values), func(v float64) bool { return v == 0 }) // those with a logarithm
		if len(positive) == 0 {
			continue
		}
		if values[pt.model] == nil {
			values[pt.model] = map[int][]float64{}
			models = append(models, pt.model)
		}
		values[pt.model][pt.rows] = append(values[pt.model][pt.rows], positive...)
	}
	// The meaning of y is in the title: gonum/plot places the label of an axis as on a linear
	// scale.
	p := newPanel(title, "memory rows I", "")
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(doublings), plot.TickerFunc(logTicks)
	var all plotter.XYs
	for _, m := range models {
		xy := medians(values[m])
		all = append(all, xy...)
		base, rest, variant := strings.Cut(m, "-")
		look := modelStroke(strings.TrimRight(base, "0123456789"))
		if variant { // a model's part, in its colour
			look.dashes, look.glyph = []vg.Length{1, 2}, draw.RingGlyph{}
		}
		f.line(p, xy, look, 1.3)
		f.dots(p, xy, look.color, look.glyph, 2)
		name := modelTitle(strings.TrimRight(base, "0123456789")) + strings.TrimLeft(base, "abcdefghijklmnopqrstuvwxyz")
		if variant {
			name += "-" + rest
		}
		f.addKey(key{name: name, stroke: look, line: true})
		slopes[name] = append(slopes[name], slopeOf(values[m]))
	}
	f.guides(p, all)
	f.panels = append(f.panels, p)
}

// slopeOf prints the slope at the largest sizes; "–" with too few sizes or rounds, or
// sizes of different rounds.
func slopeOf(bySize map[int][]float64) string {
	sizes := slices.Sorted(maps.Keys(bySize))
	var times [][]float64
	for _, n := range sizes {
		if len(bySize[n]) != len(bySize[sizes[0]]) {
			return "–"
		}
		times = append(times, bySize[n])
	}
	fit, ok := slope.Fit(sizes, times)
	if !ok {
		return "–"
	}
	return fmt.Sprintf("%.2f", fit.Value)
}

// medians returns the points of a model, in order of size.
func medians(bySize map[int][]float64) plotter.XYs {
	var xy plotter.XYs
	for rows, list := range bySize {
		xy = append(xy, plotter.XY{X: float64(rows), Y: slope.Median(list)})
	}
	slices.SortFunc(xy, func(a, b plotter.XY) int { return int(a.X) - int(b.X) })
	return xy
}

var guideDashes = []vg.Length{3, 2}

// guides draws lines of slopes 1 and 2 across the panel, below the lowest point.
func (f *Figure) guides(p *plot.Plot, all plotter.XYs) {
	x0, x1, y0, y1 := plotter.XYRange(all)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x0/1.1, x1*1.1, y0/2, y1*1.3
	for _, s := range []float64{1, 2} {
		end := min(x1, x0*math.Pow(y1/y0, 1/s))
		if end <= x0 {
			continue
		}
		guide := plotter.XYs{{X: x0, Y: y0 / 1.5}, {X: end, Y: y0 / 1.5 * math.Pow(end/x0, s)}}
		f.line(p, guide, stroke{color: grey, dashes: guideDashes}, 0.7)
	}
}

// doublings marks an axis at powers of two, with names at every other one where there are
// many.
func doublings(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for v := 1.0; v <= high*1.001; v *= 2 {
		if v >= low*0.999 {
			ticks = append(ticks, plot.Tick{Value: v, Label: trim(v)})
		}
	}
	for i := range ticks {
		if len(ticks) > 6 && i%2 == 1 {
			ticks[i].Label = ""
		}
	}
	return ticks
}
