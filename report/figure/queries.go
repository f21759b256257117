package figure

import (
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"memobench/report/paper"
	"memobench/report/table"
)

// answer is a row of a table: the numbers of its models.
type answer struct {
	name   string
	chance float64 // accuracy of guessing; 0 for none
	models []modelAnswer
}

// modelAnswer is a model's number; both in per cent.
type modelAnswer struct {
	model           string
	here, published table.Cell
}

// answersOf are the numbers of a row of a block, of each model in the first section that
// has one of data like the paper's; of several variants of a model the first with one.
func answersOf(t *table.Table, block, row string) answer {
	var a answer
	at := 0
	for _, g := range t.Groups {
		model, _, _ := strings.Cut(strings.ToLower(g.Title), ",")
		one := modelAnswer{model: model}
		for _, s := range t.Sections {
			for _, r := range s.Rows {
				for i, c := range g.Columns {
					cell := r.Cells[at+i]
					switch {
					case s.Block != block || r.Label != row || cell.State != table.Number:
					case c.Role == paper.Measured && one.here.State != table.Number && !s.OtherData:
						one.here = cell
					case c.Role == paper.Published:
						one.published = cell
					}
				}
			}
		}
		at += len(g.Columns)
		i := slices.IndexFunc(a.models, func(o modelAnswer) bool { return o.model == model })
		switch {
		case i < 0:
			a.models = append(a.models, one)
		case a.models[i].here.State != table.Number:
			a.models[i] = one
		}
	}
	return a
}

// Overview is the final accuracy on the hardest query of each task, of all models.
func Overview(tables []*table.Table) (*Figure, error) {
	f := &Figure{ID: "figure-overview", Title: "Accuracy on the hardest query of each task", Fill: "memobench run --preset quick"}
	for _, panel := range paper.Hardest() {
		var list []answer
		for _, q := range panel.Queries {
			i := slices.IndexFunc(tables, func(t *table.Table) bool { return t.ID == q.Table })
			if i < 0 {
				continue
			}
			a := answersOf(tables[i], q.Block, q.Row)
			a.name, a.chance = q.Name, q.Chance
			if q.Error {
				for i := range a.models {
					for _, c := range []*table.Cell{&a.models[i].here, &a.models[i].published} {
						c.Mean = 100 - c.Mean
					}
				}
			}
			list = append(list, a)
		}
		if err := f.answersPanel(panel.Title, list); err != nil {
			return nil, err
		}
	}
	f.finish("Test split, mean over seeds.", "bAbI: mean over the 20 tasks, 100 less the error. Numbers of different steps may be side by side: the tables name them; of each model the first variant of the table.")
	return f, nil
}

// Queries is the final accuracy by query, of the tables with such rows.
func Queries(tables []*table.Table) (*Figure, error) {
	f := &Figure{ID: "figure-queries", Title: "Final accuracy by query", Fill: "memobench run --preset quick", columns: 2, height: 5 * vg.Centimeter}
	for _, t := range tables {
		if !slices.Contains([]string{"table-2", "table-4", "table-5", "table-6"}, t.ID) {
			continue
		}
		var list []answer
		for _, s := range t.Sections {
			for _, r := range s.Rows {
				a := answersOf(t, s.Block, r.Label)
				query, _, _ := strings.Cut(r.Label, " direct")
				query, _, _ = strings.Cut(query, " indirect")
				a.name = strings.Trim(s.Block+", "+query, ", ")
				if !slices.ContainsFunc(list, func(o answer) bool { return o.name == a.name }) {
					list = append(list, a)
				}
			}
		}
		title, _, _ := strings.Cut(t.Title, ":")
		if err := f.answersPanel(title, list); err != nil {
			return nil, err
		}
	}
	f.finish("Test split, mean over seeds, of data like the paper's; of each model the first part of the table, and the first variant, that has it.")
	return f, nil
}

// finish adds the legend and the caption of a figure that is not empty.
func (f *Figure) finish(first string, rest ...string) {
	if f.Empty() {
		return
	}
	f.Fill = ""
	f.addKey(key{name: "one seed", stroke: stroke{color: grey, glyph: draw.RingGlyph{}}})
	f.addKey(key{name: "paper", stroke: stroke{color: ink, glyph: dash{}}})
	if f.guessed {
		f.addKey(key{name: "guessing", stroke: stroke{color: grey, dashes: guessDashes}, line: true})
	}
	f.Caption = slices.Concat([]string{first, "Bars: 95 % interval of seeds and test questions. Rings: one seed, without an interval. Black ticks: the paper's numbers. Dashed: guessing."}, rest)
}

var guessDashes = []vg.Length{2, 2}

// answersPanel draws rows side by side, in each the models. Without any measured number
// there is no panel.
func (f *Figure) answersPanel(title string, list []answer) error {
	p := newPanel(title, "", "accuracy, %")
	percentAxis(p)
	p.Y.Max = 103
	var ticks plot.ConstantTicks
	some := false
	for i, a := range list {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: strings.Replace(a.name, ", ", "\n", 1)})
		if a.chance > 0 {
			f.guessed = true
			if err := line(p, plotter.XYs{{X: float64(i) - 0.45, Y: a.chance}, {X: float64(i) + 0.45, Y: a.chance}}, stroke{color: grey, dashes: guessDashes}, 0.8); err != nil {
				return err
			}
		}
		for m, one := range a.models {
			x := float64(i) + 0.8*(float64(m)+0.5)/float64(len(a.models)) - 0.4
			look := modelStroke(one.model)
			if one.published.State == table.Number {
				if _, err := dots(p, plotter.XYs{{X: x, Y: one.published.Mean}}, ink, dash{}); err != nil {
					return err
				}
			}
			if one.here.State != table.Number {
				continue
			}
			some = true
			f.addKey(key{name: modelTitle(one.model), stroke: look})
			shape := look.glyph
			if half, known := one.here.HalfWidth(); known {
				if err := line(p, plotter.XYs{{X: x, Y: max(0, one.here.Mean-half)}, {X: x, Y: min(100, one.here.Mean+half)}}, stroke{color: look.color}, 1.2); err != nil {
					return err
				}
			} else {
				shape = draw.RingGlyph{}
			}
			d, err := dots(p, plotter.XYs{{X: x, Y: one.here.Mean}}, look.color, shape)
			if err != nil {
				return err
			}
			d.Radius = 2.2
		}
	}
	if !some {
		return nil
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker, p.X.Tick.Length = -0.5, float64(len(list))-0.5, ticks, 0
	if len(list) > 6 {
		p.X.Tick.Label.Font.Size = 6.5
	}
	f.panels = append(f.panels, p)
	return nil
}

// dash is a short horizontal line.
type dash struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (dash) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	c.StrokeLines(draw.LineStyle{Color: s.Color, Width: 1.2}, []vg.Point{{X: at.X - 3.5, Y: at.Y}, {X: at.X + 3.5, Y: at.Y}})
}
