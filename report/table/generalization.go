package table

import (
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/report/paper"
	"memobench/report/results"
)

// Mean returns the accuracy of a model at the point, over its seeds.
func (p *ShiftedPoint) Mean(model int, d Depth) Cell {
	return overAll(paper.Question{Decimals: 1, Full: 100}, p.runs[model], d.Value)
}

// GeneralizationID begins the names of the tables of generalization.
const GeneralizationID = "generalization"

// Generalization returns a table of each group, with a row for each value of the setting,
// number of hops and depth of the inference.
func Generalization(groups []ShiftedGroup) []*Table {
	var list []*Table
	for _, g := range groups {
		id := fmt.Sprintf("%s-%s-%s", GeneralizationID, g.Task, g.Setting)
		if n := len(slices.DeleteFunc(slices.Clone(list), func(t *Table) bool { return !strings.HasPrefix(t.ID, id) })); n > 0 {
			id += fmt.Sprintf("-%d", n+1)
		}
		t := g.table()
		t.ID = id
		list = append(list, t)
	}
	return list
}

func (g *ShiftedGroup) table() *Table {
	t := &Table{Title: fmt.Sprintf("Generalization over %s, %s: weights trained with %s = %s on other values of it, accuracy, %%", g.Setting, g.Title, g.Setting, g.Trained),
		Corner: g.Setting, Groups: []Group{{Columns: []Column{{Title: "rows", Role: paper.Setting}}}},
		Remarks: []string{
			fmt.Sprintf("mean ± sample standard deviation (n seeds). Each seed is one training, the same for all rows; the test questions differ from those of training in %s. "+
				"rows: memory rows of a question. %s is the reference point.", g.Setting, g.Trained),
		}}
	if g.Data != "" {
		t.Remarks = append(t.Remarks, "All questions: "+g.Data+".")
	}
	var all []results.Run
	for i := range g.columns {
		all = append(all, g.columns[i].trainings()...)
	}
	for i := range g.columns {
		c := &g.columns[i]
		t.Groups = append(t.Groups, Group{Title: c.Title, Columns: []Column{{Title: "all seeds"}}, Marks: c.shiftMarks(t, c.trainings(), all)})
	}
	t.Remarks = append(t.Remarks, sharedNote("All numbers", all)...)
	hops := false
	for i, p := range g.Points {
		hops = hops || p.Hops > 0
		depths := p.Depths()
		if i == 0 || p.Value != g.Points[i-1].Value && len(depths) > 1 {
			t.Sections = append(t.Sections, Section{Task: g.Task})
		}
		section := &t.Sections[len(t.Sections)-1]
		for _, d := range depths {
			row := Row{Label: p.label() + ", " + d.Label, Cells: []Cell{Words(strings.TrimSuffix(fmt.Sprintf("%.1f", p.Rows()), ".0"))}}
			for i := range g.columns {
				cell := p.Mean(i, d)
				if cell.State == Missing { // not evaluated, or not with these hops
					cell.State = Unknown
				}
				row.Cells = append(row.Cells, cell)
			}
			section.Rows = append(section.Rows, row)
		}
	}
	if hops {
		t.Remarks = append(t.Remarks, "Rows that name no number of hops have as many as in training; hops are recurrent steps of UT and pondering steps of the DNC.")
	}
	return t
}

// label names the point in a row.
func (p *ShiftedPoint) label() string {
	text := p.Value
	if p.Hops > 0 {
		text += fmt.Sprintf(", %d hops", p.Hops)
	}
	if p.Of != "" {
		text += ", " + p.Of
	}
	return text
}

// shiftMarks adds the footnotes of a column: how its weights were trained, and which of
// them were extended. all are the training runs of the table.
func (c *column) shiftMarks(t *Table, trained, all []results.Run) []int {
	var extended []string
	for _, r := range c.runs {
		extended = results.AddNew(extended, r.Record.Shift.Extended...)
	}
	s, seeds := Setup{Runs: trained}, column{Variant: c.Variant, runs: trained}
	steps, _ := s.steps()
	notes := []string{fmt.Sprintf("%s: trained for %s steps, preset %s, protocol %s; seeds %s.", c.Title, printable.Thousands(steps),
		s.first().Identity.Preset, short(s.first().Protocol.Hash), seeds.seeds())}
	notes = slices.Concat(notes, seeds.endings(), seeds.caveatNotes(all))
	if extended != nil {
		notes = append(notes, fmt.Sprintf("%s: where there are more memory rows than in training, the weight %s has been extended to them.", c.Title, strings.Join(extended, ", ")))
	}
	return t.marks(notes)
}

// trainings returns a run for each seed of the column, without the caveats of the
// questions.
func (c *column) trainings() []results.Run {
	var list []results.Run
	for _, same := range perSeed(c.runs) {
		rec := *same[0].Record
		rec.Dataset.Caveats = nil
		list = append(list, results.Run{Path: same[0].Path, Record: &rec})
	}
	return list
}
