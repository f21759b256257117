package table

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"memobench/report/paper"
	"memobench/report/results"
)

// Fill fills the specification with deduplicated runs (results.Deduplicate). Runs whose protocols
// differ in more than the training budget, or with different data, are in separate
// sections, those nearest to the paper first. Cells have the Settled runs of a model; other
// settings and budgets are left to Further. Commands for empty cells use the presets; other
// presets are assumed to have every model.
func Fill(s *paper.Spec, kept []results.Run, presets ...Preset) *Table {
	f := &filler{spec: s, presets: presets, t: &Table{
		ID: s.ID(), Title: fmt.Sprintf("Table %s. %s", s.Name(), s.Title), Corner: s.Corner,
	}}
	for _, b := range s.Blocks {
		if chosen := f.choose(b, kept); chosen.setups != nil || !b.Optional {
			f.blocks = append(f.blocks, chosen)
		}
	}
	f.columns = f.split()
	for _, c := range f.columns {
		f.t.Groups = append(f.t.Groups, Group{Title: c.title, Columns: s.Groups[c.group].Columns, Own: s.Number > 0 && f.own(c)})
	}
	for i := range f.blocks {
		f.sections(&f.blocks[i])
	}
	f.dropEmpty()
	f.t.Remarks = append(remarks(s), f.extension()...)
	return f.t
}

// own reports whether the paper has no number of the column.
func (f *filler) own(c specColumn) bool {
	for _, b := range f.spec.Blocks {
		for _, row := range b.Rows {
			if !row.Questions[c.group].Own {
				return false
			}
		}
	}
	return true
}

// extension returns the remark that names the columns which the paper does not have.
func (f *filler) extension() []string {
	var names []string
	for _, g := range f.t.Groups {
		if g.Own {
			names = append(names, g.Title)
		}
	}
	if names == nil {
		return nil
	}
	return []string{"Not in the paper: " + strings.Join(names, "; ") + "."}
}

// dropEmpty removes columns of models that the paper does not have if no run has a value,
// such as a control for graphs in a table of chains.
func (f *filler) dropEmpty() {
	for i := len(f.columns) - 1; i >= 0; i-- {
		own, cell := f.own(f.columns[i]), 0
		for _, g := range f.t.Groups[:i] {
			cell += len(g.Columns)
		}
		for _, s := range f.t.Sections {
			for _, r := range s.Rows {
				own = own && r.Cells[cell].State == Unknown
			}
		}
		if !own {
			continue
		}
		f.t.Groups = slices.Delete(f.t.Groups, i, i+1)
		for s := range f.t.Sections {
			for r := range f.t.Sections[s].Rows {
				row := &f.t.Sections[s].Rows[r]
				row.Cells = slices.Delete(row.Cells, cell, cell+1)
			}
		}
	}
}

// filler fills the table of a Spec.
type filler struct {
	spec    *paper.Spec
	presets []Preset
	blocks  []filled
	columns []specColumn
	t       *Table
}

// filled is a block with the setups that answer some of its questions.
type filled struct {
	paper.SpecBlock
	setups []*Setup
	alike  map[*Setup][]*Setup // setups that differ in budget and settings only; nil until used
}

// specColumn is a group of the table: one of the Spec's or, if a setup has two variants of
// a model, one per variant.
type specColumn struct {
	group int
	title string
	label string // of the only variant that counts; empty for any
}

// choose finds the setups of a block.
func (f *filler) choose(b paper.SpecBlock, runs []results.Run) filled {
	var candidates []results.Run
	for _, r := range runs {
		asked := func(row paper.SpecRow) bool { return answersAny(&row, []results.Run{r}) }
		if r.Record.Dataset.Presentation.Paper == b.Task && (b.Where == nil || b.Where(r.Record)) && slices.ContainsFunc(b.Rows, asked) {
			candidates = append(candidates, r)
		}
	}
	if f.spec.Ablations {
		candidates = likeOthers(candidates, b.Rows)
	}
	out := filled{SpecBlock: b}
	if f.spec.BySettings {
		for _, s := range byProtocol(Setups(candidates)) {
			if len(out.answeredCells(s)) > 0 {
				out.setups = append(out.setups, s)
			}
		}
		return out
	}
	have := map[[2]int]bool{}
	// Setups nearest to the paper are first. A changed preset is used only if it fills
	// cells that are still empty.
	everything := b.Set != nil
	for _, s := range joinBudgets(Setups(candidates)) {
		changed := s.rest || s.origin() != presetFile && len(out.changes(s)) > 0
		more := false
		answered := out.answeredCells(s)
		for cell := range answered {
			more = more || !changed || everything || !have[cell]
		}
		if more {
			maps.Copy(have, answered)
			out.setups = append(out.setups, s)
		}
	}
	return out
}

// changes returns the changes of a setup except those that define the block.
func (b *filled) changes(s *Setup) []string {
	return slices.DeleteFunc(slices.Clone(s.Changes), func(c string) bool { return slices.Contains(b.Set, c) })
}

// answeredCells returns the rows and groups in which the setup has a number.
func (b *filled) answeredCells(s *Setup) map[[2]int]bool {
	have := map[[2]int]bool{}
	for i, row := range b.Rows {
		if row.Secondary {
			continue
		}
		for g := range row.Questions {
			if len(answered(&row.Questions[g], s.Runs)) > 0 {
				have[[2]int{i, g}] = true
			}
		}
	}
	return have
}

// split lists the columns: a group with two variants of its model in one setup becomes a
// column for each variant.
func (f *filler) split() []specColumn {
	var list []specColumn
	for g, group := range f.spec.Groups {
		titles := map[string]string{}
		var labels []string
		conflict := false
		for _, b := range f.blocks {
			for _, s := range b.setups {
				inSetup := map[string]bool{}
				for _, r := range answered(&b.Rows[0].Questions[g], s.Runs) {
					id := r.Record.Identity
					inSetup[id.Label] = true
					if titles[id.Label] == "" {
						titles[id.Label] = id.Title
						labels = append(labels, id.Label)
					}
				}
				conflict = conflict || len(inSetup) > 1
			}
		}
		switch {
		case conflict && f.oneSystem(g):
			slices.Sort(labels)
			slices.SortStableFunc(labels, func(a, b string) int { return len(a) - len(b) })
			for _, l := range labels {
				list = append(list, specColumn{group: g, title: titles[l], label: l})
			}
		case len(labels) == 1 && titles[labels[0]] != "" && f.oneSystem(g) && len(f.spec.Groups) >= paper.NumSystems:
			list = append(list, specColumn{group: g, title: titles[labels[0]]})
		default:
			list = append(list, specColumn{group: g, title: group.Title})
		}
	}
	return list
}

// oneSystem reports whether all rows of a group are about one system.
func (f *filler) oneSystem(g int) bool {
	for _, b := range f.spec.Blocks {
		for _, row := range b.Rows {
			if row.Questions[g].System.Label != f.spec.Blocks[0].Rows[0].Questions[g].System.Label {
				return false
			}
		}
	}
	return true
}

// remarks explain the columns.
func remarks(s *paper.Spec) []string {
	if s.Number == 0 {
		return append([]string{"all seeds: mean ± sample standard deviation (n seeds); a seed that diverged counts as 0."}, s.Remarks...)
	}
	by := paper.Rule(s.Blocks[0].Task)
	which := fmt.Sprintf("of the setting with most seeds, and of several such that with the lowest mean %s", by)
	if s.Ablations {
		which = "of MEMO those that differ least from the other rows', of these the setting with most seeds"
	}
	list := []string{
		"all seeds: mean ± sample standard deviation (n seeds); a seed that diverged counts as 0. diff.: that mean less the paper's number, in points.",
		fmt.Sprintf("Of a model with several recorded settings those runs count here that Further runs does not have: %s.", which),
		fmt.Sprintf("best k, best run: the runs of the lowest %s, by which the paper chose among its settings, of the weights that were evaluated; never by the accuracy shown.", by),
		fmt.Sprintf("paper: Banino et al. 2020, Table %d; ± is the standard deviation where one is printed.", s.Number),
	}
	for _, r := range s.Remarks {
		list = append(list, "paper: "+r+".")
	}
	return list
}
