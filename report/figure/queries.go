package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"memobench/report/paper"
	"memobench/report/table"
)

// Answer is a row of a table: the numbers of its models.
type Answer struct {
	Name   string
	Chance float64 // accuracy of guessing; 0 for none
	Models []ModelAnswer
}

// ModelAnswer is a model's number, in per cent; without a number it has another State.
type ModelAnswer struct {
	Model           string // registry name
	Title           string
	Here, Published table.Cell
}

// AnswerPanel is a group of answers in one panel.
type AnswerPanel struct {
	Title   string
	Answers []Answer
}

// AnswersOf returns the numbers of a row of a block, for data like the paper's. They are
// from the section with the most of the paper's models, of as many the first, for models
// that it lacks from the next. Of several variants of a model in it, such as EMN with 4 and
// 10 hops, the one with most seeds is used and, of as many, the one with the lowest
// validation loss, but not one that the paper does not have.
func AnswersOf(t *table.Table, block, row string) Answer {
	lines := linesOf(t, block, row)
	var a Answer
	var from []int // of each model, the line of its number
	for k, g := range t.Groups {
		if g.Own && paper.HasModel(modelOf(g)) {
			continue
		}
		answer, first := answerOf(lines, g, k)
		switch i := slices.IndexFunc(a.Models, func(o ModelAnswer) bool { return o.Model == answer.Model }); {
		case i < 0:
			a.Models, from = append(a.Models, answer), append(from, first)
		case cmp.Or(first-from[i], a.Models[i].Here.N-answer.Here.N, cmp.Compare(meanLoss(answer.Here), meanLoss(a.Models[i].Here))) < 0:
			a.Models[i], from[i] = answer, first
		}
	}
	return a
}

// line is a row in one section of a table.
type line struct {
	groups    [][]table.Cell // cells by group
	numModels int            // the paper's models with a measured number
	otherData bool
}

// linesOf returns the row in each section of a block, that with most models first.
func linesOf(t *table.Table, block, row string) (lines []line) {
	for _, s := range t.Sections {
		for _, r := range s.Rows {
			if s.Block != block || r.Label != row {
				continue
			}
			l, cells, measured := line{otherData: s.OtherData}, r.Cells, map[string]bool{}
			for _, g := range t.Groups {
				own := cells[:len(g.Columns)]
				l.groups, cells = append(l.groups, own), cells[len(g.Columns):]
				if paper.HasModel(modelOf(g)) && slices.ContainsFunc(own, func(c table.Cell) bool { return c.N > 0 }) {
					measured[modelOf(g)] = true
				}
			}
			l.numModels = len(measured)
			lines = append(lines, l)
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.numModels, a.numModels) })
	return lines
}

// answerOf returns the numbers of group k, and the index of the line that has the measured
// one, len(lines) without any.
func answerOf(lines []line, g table.Group, k int) (answer ModelAnswer, from int) {
	answer, from = ModelAnswer{Model: modelOf(g), Title: modelTitle(modelOf(g))}, len(lines)
	for n, l := range lines {
		for i, c := range g.Columns {
			switch cell := l.groups[k][i]; {
			case cell.State != table.Number:
			case c.Role == paper.Measured && from == len(lines) && !l.otherData:
				answer.Here, from = cell, n
			case c.Role == paper.Published && !cell.Unlike:
				answer.Published = cell
			}
		}
	}
	return answer, from
}

// modelOf returns the name of the model whose columns a group has.
func modelOf(g table.Group) string {
	model, _, _ := strings.Cut(strings.ToLower(g.Title), ",")
	return model
}

// meanLoss is that of the runs of a cell on validation, infinite where one is not known.
func meanLoss(c table.Cell) float64 {
	sum := 0.0
	for _, s := range c.Sources {
		if s.Loss == nil {
			return math.Inf(1)
		}
		sum += *s.Loss
	}
	return sum / float64(len(c.Sources))
}

// ofPaper keeps the paper's systems: a figure cannot show more of them distinctly.
func (a Answer) ofPaper() Answer {
	a.Models = slices.DeleteFunc(a.Models, func(m ModelAnswer) bool { return !paper.HasModel(m.Model) })
	return a
}

// Hardest returns the answers to the hardest query of each task.
func Hardest(tables []*table.Table) []AnswerPanel {
	var panels []AnswerPanel
	for _, panel := range paper.Hardest() {
		group := AnswerPanel{Title: panel.Title}
		for _, q := range panel.Queries {
			i := slices.IndexFunc(tables, func(t *table.Table) bool { return t.ID == q.Table })
			if i < 0 {
				continue
			}
			a := AnswersOf(tables[i], q.Block, q.Row).ofPaper()
			a.Name, a.Chance = q.Name, q.Chance
			for i := range a.Models {
				for _, c := range []*table.Cell{&a.Models[i].Here, &a.Models[i].Published} {
					if q.Error {
						c.Mean = 100 - c.Mean
					}
				}
			}
			group.Answers = append(group.Answers, a)
		}
		panels = append(panels, group)
	}
	return panels
}

// Overview draws the final accuracy of all models on the hardest query of each task.
func Overview(panels []AnswerPanel) *Figure {
	f := &Figure{ID: "figure-overview", Title: "Accuracy on the hardest query of each task", Fill: "memobench run --preset quick"}
	for _, panel := range panels {
		f.answersPanel(panel.Title, panel.Answers)
	}
	f.finish("Test split, mean over seeds. The tables name what differs from the paper: data, sizes, steps and settings.", "Paper: Tables 1 to 3; its Tables 5 and 6 have other numbers for EMN and DNC on 4 and 5 items. bAbI: mean over the 20 tasks, 100 less the error. Of the section of each table with most of these models, for a model that it lacks of the next, and of several variants of the one with most seeds, then the lowest loss on validation: the tables name their steps.")
	return f
}

// Queries draws the final accuracy by query, for the tables with such rows.
func Queries(tables []*table.Table) *Figure {
	f := &Figure{ID: "figure-queries", Title: "Final accuracy by query", Fill: "memobench run --preset quick", columns: 2, height: 5 * vg.Centimeter}
	for _, t := range tables {
		if !slices.Contains([]string{"table-2", "table-4", "table-5", "table-6"}, t.ID) {
			continue
		}
		var list []Answer
		for _, s := range t.Sections {
			for _, r := range s.Rows {
				a := AnswersOf(t, s.Block, r.Label).ofPaper()
				query, _, _ := strings.Cut(r.Label, " direct")
				query, _, _ = strings.Cut(query, " indirect")
				a.Name = strings.Trim(s.Block+", "+query, ", ")
				if !slices.ContainsFunc(list, func(o Answer) bool { return o.Name == a.Name }) {
					list = append(list, a)
				}
			}
		}
		title, _, _ := strings.Cut(t.Title, ":")
		f.answersPanel(title, list)
	}
	f.finish("Test split, mean over seeds, of data like the paper's: of the section of each table with most of these models, for a model that it lacks of the next, and of several variants of the one with most seeds, then the lowest loss on validation.")
	return f
}

// finish adds the legend and the caption of a nonempty figure.
func (f *Figure) finish(first string, rest ...string) {
	if f.Empty() {
		return
	}
	f.Fill = ""
	f.addKey(key{name: "one seed", stroke: stroke{color: grey, glyph: draw.RingGlyph{}}})
	f.addKey(key{name: "paper", stroke: stroke{color: ink, glyph: dash{}}})
	if f.guessed {
		f.addKey(key{name: "guessing", stroke: guessStroke, line: true})
	}
	f.Caption = slices.Concat([]string{first, "Bars: 95 % interval of seeds and test questions. Rings: one seed, without an interval. Black ticks: the paper's numbers. Dashed: guessing. The paper's systems; others are in the tables."}, rest)
}

// answersPanel draws rows next to each other, each with its models. Without measured
// numbers there is no panel.
func (f *Figure) answersPanel(title string, list []Answer) {
	p := newPanel(title, "", "accuracy, %")
	percentAxis(p)
	p.Y.Max = 103
	var ticks plot.ConstantTicks
	some := false
	for i, a := range list {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: strings.Replace(a.Name, ", ", "\n", 1)})
		if a.Chance > 0 {
			f.guess(p, float64(i)-0.45, float64(i)+0.45, a.Chance)
		}
		for m, answer := range a.Models {
			x := float64(i) + 0.8*(float64(m)+0.5)/float64(len(a.Models)) - 0.4
			look := modelStroke(answer.Model)
			if answer.Here.State == table.Number {
				some = true
				f.addKey(key{name: answer.Title, stroke: look})
				shape := look.glyph
				if half, known := answer.Here.HalfWidth(); known {
					f.line(p, plotter.XYs{{X: x, Y: max(0, answer.Here.Mean-half)}, {X: x, Y: min(100, answer.Here.Mean+half)}}, stroke{color: look.color}, 1.2)
				} else {
					shape = draw.RingGlyph{}
				}
				f.dots(p, plotter.XYs{{X: x, Y: answer.Here.Mean}}, look.color, shape, 2.2)
			}
			if answer.Published.State == table.Number {
				half := min(0.36/float64(len(a.Models)), 0.03*float64(len(list))) // not below the next model's
				f.line(p, plotter.XYs{{X: x - half, Y: answer.Published.Mean}, {X: x + half, Y: answer.Published.Mean}}, stroke{color: ink}, 1.2)
			}
		}
	}
	if !some {
		return
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker, p.X.Tick.Length = -0.5, float64(len(list))-0.5, ticks, 0
	if len(list) > 6 {
		p.X.Tick.Label.Font.Size = 6.5
	}
	f.panels = append(f.panels, p)
}

// dash is the legend's horizontal line.
type dash struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (dash) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	c.StrokeLines(draw.LineStyle{Color: s.Color, Width: 1.2}, []vg.Point{{X: at.X - 3.5, Y: at.Y}, {X: at.X + 3.5, Y: at.Y}})
}
