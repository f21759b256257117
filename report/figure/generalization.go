package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"memobench/report/results"
	"memobench/report/table"
)

// shiftedAxis is the x axis of a panel of generalization.
type shiftedAxis struct {
	label string
	ticks plot.ConstantTicks // nil for a logarithmic axis
	of    func(p *table.ShiftedPoint, model int) (float64, bool)
}

// Generalization draws the evaluations of trained weights on questions unlike those of
// training: a figure for each group by the value of its setting. If only the memory grows,
// there are also figures by the number of rows and by the operations per question.
func Generalization(groups []table.ShiftedGroup) []*Figure {
	var list []*Figure
	slots := &Figure{ID: "figure-generalization-slots", Title: "Generalization: accuracy against the number of memory rows"}
	cost := &Figure{ID: "figure-generalization-cost", Title: "Generalization: accuracy against operations for a question, as the memory grows"}
	for i, t := range table.Generalization(groups) {
		g := &groups[i]
		f := &Figure{ID: "figure-" + t.ID, Title: fmt.Sprintf("Generalization: %s trained with %s = %s", g.Title, g.Setting, g.Trained)}
		f.shiftedPanels(g, valueAxis(g))
		if g.Setting == "sequences" || g.Setting == "distractors" { // the same questions in a larger memory
			slots.shiftedPanels(g, rowsAxis)
			cost.shiftedPanels(g, costAxis)
		}
		list = append(list, f)
	}
	list = slices.DeleteFunc(append(list, slots, cost), (*Figure).Empty)
	for _, f := range list {
		if f.oneSeed {
			f.addKey(key{name: "one seed", stroke: stroke{color: grey, glyph: draw.RingGlyph{}}})
		}
		if f.guessed {
			f.addKey(key{name: "guessing", stroke: guessStroke, line: true})
		}
		f.Caption = []string{"Test questions that differ from those of training in one setting, answered with the same weights. Values are at equal distances. Mean over seeds; bars: 95 % interval of seeds and questions. " +
			"Hardest: the query that joins the most facts, or the whole path; the tables have the others."}
	}
	cost.Caption = append(cost.Caption, "Operations: of the answer to a question asked alone, counted.")
	return list
}

// The axes of the figures of all groups.
var (
	rowsAxis = shiftedAxis{"memory rows", nil, func(p *table.ShiftedPoint, _ int) (float64, bool) { return p.Rows(), p.Rows() > 0 }}
	costAxis = shiftedAxis{"floating-point operations", nil, func(p *table.ShiftedPoint, model int) (float64, bool) {
		n, ok := p.Operations(model)
		return n, ok && n > 0
	}}
)

// valueAxis has the values of a group's setting, evenly spaced.
func valueAxis(g *table.ShiftedGroup) shiftedAxis {
	x := shiftedAxis{label: g.Setting}
	place := map[string]float64{}
	for _, p := range g.Points {
		if _, known := place[p.Value]; !known {
			place[p.Value] = float64(len(place))
			x.ticks = append(x.ticks, plot.Tick{Value: place[p.Value], Label: p.Value})
		}
	}
	x.of = func(p *table.ShiftedPoint, _ int) (float64, bool) { return place[p.Value], true }
	return x
}

// shiftedLine is a line of a panel: a model with a number of hops, 0 for that of training.
type shiftedLine struct {
	model, hops int
	look        stroke
	key         key
}

// hopDashes are the dashes of a model's lines by number of hops, the fewest first.
var hopDashes = [][]vg.Length{nil, {5, 2}, {2, 2}, {1, 2}}

// shiftedPanels adds a panel of the hardest questions with all models as trained, and one
// for each model that was also evaluated with other numbers of hops. Panels with fewer
// than two points are omitted.
func (f *Figure) shiftedPanels(g *table.ShiftedGroup, x shiftedAxis) {
	what := "hardest"
	if depths := g.Points[0].Depths(); len(depths) == 1 {
		what = depths[0].Label
	}
	var hops []int
	for _, p := range g.Points {
		hops = results.AddNew(hops, p.Hops)
	}
	slices.Sort(hops)
	var all []shiftedLine
	byHops := map[int][]shiftedLine{} // by model
	for m, model := range g.Models() {
		look := modelStroke(model.Model)
		if slices.ContainsFunc(g.Models()[:m], func(o table.Variant) bool { return o.Model == model.Model }) {
			look.color = faint(look.color, 150)
		}
		all = append(all, shiftedLine{m, 0, look, key{name: model.Title, stroke: look, line: true}})
		for i, n := range hops {
			if !slices.ContainsFunc(g.Points, func(p table.ShiftedPoint) bool { return p.Hops == n && p.Runs(m) != nil }) {
				continue
			}
			name := "hops as trained"
			if n > 0 {
				name = fmt.Sprintf("%d hops", n)
			}
			of := look
			of.dashes = hopDashes[min(i, len(hopDashes)-1)]
			byHops[m] = append(byHops[m], shiftedLine{m, n, of, key{name: name, stroke: stroke{color: grey, dashes: of.dashes}, line: true}})
		}
	}
	f.shiftedPanel(g, fmt.Sprintf("%s, %s from %s: %s", g.Task, g.Setting, g.Trained, what), all, x)
	for m, model := range g.Models() {
		if len(byHops[m]) > 1 {
			f.shiftedPanel(g, fmt.Sprintf("%s: %s, by number of hops", model.Title, what), byHops[m], x)
		}
	}
}

func (f *Figure) shiftedPanel(g *table.ShiftedGroup, title string, lines []shiftedLine, x shiftedAxis) {
	p := newPanel(title, x.label, "accuracy, %")
	percentAxis(p)
	p.Y.Max = 103
	low, high, chance := math.Inf(1), math.Inf(-1), 0.0
	for _, l := range lines {
		var xy plotter.XYs
		for i := range g.Points {
			point := &g.Points[i]
			at, ok := x.of(point, l.model)
			depths := point.Depths()
			c := point.Mean(l.model, depths[len(depths)-1])
			if !ok || point.Hops != l.hops || c.State != table.Number {
				continue
			}
			xy = append(xy, plotter.XY{X: at, Y: c.Mean})
			shape := l.look.glyph
			if c.N == 1 {
				shape = draw.RingGlyph{}
				f.oneSeed = true
			}
			f.dots(p, xy[len(xy)-1:], l.look.color, shape, 2.2)
			low, high, chance = min(low, at), max(high, at), point.Chance()
			if half, known := c.HalfWidth(); known {
				f.line(p, plotter.XYs{{X: at, Y: max(0, c.Mean-half)}, {X: at, Y: min(100, c.Mean+half)}}, stroke{color: l.look.color}, 1)
			}
		}
		if xy == nil {
			continue
		}
		f.line(p, xy, l.look, 1.2)
		f.addKey(l.key)
	}
	if !(low < high) { // one point at most
		return
	}
	if chance > 0 {
		f.guess(p, low, high, chance)
	}
	if x.ticks != nil {
		p.X.Min, p.X.Max, p.X.Tick.Marker = low-0.2, high+0.2, x.ticks
	} else {
		logAxis(&p.X, low, high, 1.6) // so that 1, 2 or 5 times a power of ten is there
	}
	f.panels = append(f.panels, p)
}
