package table

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"memobench/datasets"
	"memobench/report/paper"
	"memobench/report/results"
)

// Fill returns the table of a specification over runs. Rows and columns without a measured
// number are left out.
func (s *Spec) Fill(runs []results.Run) (*Table, error) {
	f := &builder{t: &Table{ID: s.ID, Title: s.Title, About: s.About, Corner: s.Corner, Remarks: slices.Clone(s.Remarks)}, runs: runs}
	for i := range s.Columns {
		f.t.Columns = append(f.t.Columns, s.Columns[i].columns()...)
	}
	for i := range s.Sections {
		spec := &s.Sections[i]
		section := Section{Title: spec.Title}
		for j := range spec.Rows {
			row := Row{Label: spec.Rows[j].Label}
			for k := range s.Columns {
				selection := s.selection(spec, &s.Columns[k], &spec.Rows[j])
				cells, err := f.cellsOf(&selection, s.Columns[k].shown())
				if err != nil {
					return nil, fmt.Errorf("table %s, row %q, column %q: %w", s.ID, row.Label, s.Columns[k].Title, err)
				}
				row.Cells = append(row.Cells, cells...)
			}
			section.Rows = append(section.Rows, row)
		}
		f.t.Sections = append(f.t.Sections, section)
	}
	f.t.DropEmpty()
	f.t.hoistNotes()
	f.t.Studies = f.t.studies()
	return f.t, nil
}

// shown lists what a column shows.
func (c *ColumnSpec) shown() []Role {
	if len(c.Show) == 0 {
		return []Role{Measured}
	}
	var list []Role
	for _, show := range c.Show {
		list = append(list, roles[show])
	}
	return list
}

// allSeeds is the heading of measured numbers next to others of the same group.
const allSeeds = "all seeds"

// columns returns the columns of a specification, one for each role.
func (c *ColumnSpec) columns() []Column {
	shown := c.shown()
	if len(shown) == 1 {
		if c.Group != "" {
			return []Column{{c.Group, c.Title, shown[0]}}
		}
		return []Column{{c.Title, "", shown[0]}}
	}
	best := "best run"
	if c.Best > 1 {
		best = fmt.Sprintf("best %d", c.Best)
	}
	titles := map[Role]string{Measured: allSeeds, Selected: best, Published: "paper", Difference: "diff.", Verdict: "verdict"}
	var list []Column
	for _, role := range shown {
		list = append(list, Column{c.key(), titles[role], role})
	}
	return list
}

// builder makes the cells and footnotes of one table.
type builder struct {
	t    *Table
	runs []results.Run
}

// cellsOf returns the cells of a selection, one for each role.
func (f *builder) cellsOf(s *Selection, shown []Role) ([]Cell, error) {
	published, err := publishedCell(s)
	if err != nil {
		return nil, err
	}
	var measured, selected, difference, verdict Cell
	if s.Text != "" {
		measured = Words(s.Text)
	} else if len(s.Runs.all) > 0 {
		runs := f.selectedRuns(s)
		if measured, err = f.measuredCell(s, runs); err == nil && slices.Contains(shown, Selected) {
			selected, err = f.measuredCell(s, s.lowestLoss(runs))
		}
		if err != nil {
			return nil, err
		}
	}
	if s.Note != "" && !measured.Empty() {
		measured.Notes = append(measured.Notes, f.t.mark(s.Note))
	}
	if measured.Number && published.Number && !s.Differs {
		difference = number(measured.Mean-published.Mean, measured.Decimals)
		difference.Signed = true
		verdict = Words(verdictOf(measured, published))
	}
	cells := map[Role]Cell{Measured: measured, Selected: selected, Published: published, Difference: difference, Verdict: verdict}
	var list []Cell
	for _, role := range shown {
		list = append(list, cells[role])
	}
	return list, nil
}

// publishedCell returns the cell with the paper's number, empty where it has none.
func publishedCell(s *Selection) (c Cell, err error) {
	if s.Paper == "" || s.Model == "" {
		return Cell{}, nil
	}
	table, row, _ := strings.Cut(s.Paper, " ")
	n, err := strconv.Atoi(table)
	if err != nil {
		return Cell{}, fmt.Errorf("paper: %q: want the table's number and its row", s.Paper)
	}
	v, ok := paper.Lookup(n, row, s.Model)
	if !ok {
		return Cell{}, nil
	}
	c = Cell{Number: true, Mean: v.Mean, SD: v.SD, HasSD: v.HasSD, Decimals: v.Digits}
	if v.Fraction {
		c.sdScale = 100
	}
	return c, nil
}

// misleading are the kinds of caveats that have a footnote in tables. Others are said once
// per study.
var misleading = []datasets.CaveatKind{datasets.SimulatedData, datasets.SubstituteData, datasets.ReducedSize, datasets.ScoredAnswers, datasets.Diverged}

// addNotes adds footnotes to a measured number: caveats that would mislead if absent, and what
// its runs differ in besides the seed.
func (f *builder) addNotes(c *Cell, runs []results.Run) {
	for _, kind := range misleading {
		var texts []string
		for _, r := range runs {
			for _, caveat := range slices.Concat(r.Record.Caveats, r.Record.Dataset.Caveats) {
				text := caveat.Text
				if kind == datasets.Diverged {
					text = fmt.Sprintf("seed %d %s", r.Record.Identity.Seed, text)
				}
				if caveat.Kind == kind && !slices.Contains(texts, text) {
					texts = append(texts, text)
				}
			}
		}
		if texts != nil {
			c.Notes = append(c.Notes, f.t.mark(strings.Join(texts, "; ")+"."))
		}
	}
	if keys := residue(runs); keys != nil {
		c.Notes = append(c.Notes, f.t.mark("Warning: the runs of this number differ in "+strings.Join(keys, ", ")+"."))
	}
}

// residue lists what runs of one cell differ in besides the seed: keys of the protocol, the
// data and settings of the model that both have.
func residue(runs []results.Run) []string {
	if len(runs) < 2 {
		return nil
	}
	keys := map[string]bool{}
	first := results.Conditions(runs[0].Record)
	for _, r := range runs[1:] {
		for key, value := range results.Conditions(r.Record) {
			if have, ok := first[key]; ok && have != value && key != "protocol.hash" {
				keys[strings.Replace(key, "dataset.hash", "data", 1)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

// studies lists the studies behind the table's numbers.
func (t *Table) studies() []string {
	names := map[string]bool{}
	for _, c := range t.Cells() {
		for _, s := range c.Sources {
			names[s.Study] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
