package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// FurtherID is the name of the table of further runs.
const FurtherID = "further-runs"

// Further returns the table of the runs that are in none of the given tables: the
// deduplicated runs (results.Deduplicate) of changed presets and of other systems and tasks than
// the paper's, and all evaluations of stored weights. So every record is in some table. It
// is nil if there are no such runs.
func Further(kept, others []results.Run, tables []*Table) *Table {
	shown := map[string]bool{}
	for _, t := range tables {
		for _, c := range t.Cells() {
			for _, source := range c.Sources {
				shown[source.Path] = true
			}
		}
	}
	kept = slices.DeleteFunc(slices.Clone(kept), func(r results.Run) bool { return shown[r.Path] })
	if len(kept)+len(others) == 0 {
		return nil
	}
	f := &filler{spec: &paper.Spec{}, t: &Table{
		ID: FurtherID, Title: "Further runs: changed presets, and what the paper has no table of; accuracy, %", Corner: "model",
		Groups: []Group{{Title: "accuracy", Columns: []Column{{Title: "mean over kinds"}, {Title: "lowest kind"}}},
			{Title: "training", Columns: []Column{{Title: "hops"}, {Title: "CPU minutes"}}}},
		Remarks: []string{
			"mean ± sample standard deviation (n seeds). mean over kinds: of questions, such as A-B and A-C; lowest kind: that with the lowest mean.",
			"CPU minutes: CPU time of a run, evaluation included; of runs that one process trained at the same time, the CPU time of all of them.",
		},
	}}
	list := byProtocol(Setups(kept))
	slices.SortStableFunc(list, func(a, b *Setup) int { return cmp.Compare(a.Task, b.Task) })
	for _, s := range list {
		f.furtherSection(s)
	}
	others = slices.Clone(others)
	results.SortRuns(others)
	for _, r := range others {
		f.otherSection(r)
	}
	return f.t
}

// otherSection adds a section for an evaluation of stored weights: one record, which is no
// seed of a model.
func (f *filler) otherSection(r results.Run) {
	s := &Setup{Task: r.Task(), Changes: r.Changes(), Runs: []results.Run{r}}
	f.furtherSection(s)
	section := &f.t.Sections[len(f.t.Sections)-1]
	section.Title = fmt.Sprintf("%s, %s", section.Title, r.Record.Origin)
	section.Marks = append(section.Marks, f.t.Note("%s: %s; no training run, and not counted as a seed anywhere.", r.Path, r.Record.Origin))
	for i := range section.Rows[0].Cells {
		section.Rows[0].Cells[i].N = 0
	}
}

// furtherSection adds a section for a setup: a row for each setting of a variant of a model.
func (f *filler) furtherSection(s *Setup) {
	section := Section{Title: s.Task + ": " + s.Title(), Task: s.Task, Marks: []int{f.t.Note("%s", s.Note())}}
	for _, all := range columns(s.Runs, nil) {
		settings := results.GroupBy(all.runs, results.Run.Settings)
		shared := s.Changes // by all rows of the model; others are in the row's label
		for _, c := range settings[0][0].Changes() {
			if len(settings) > 1 && !slices.Contains(shared, c) && !slices.ContainsFunc(settings, func(o []results.Run) bool { return !slices.Contains(o[0].Changes(), c) }) {
				shared = append(slices.Clip(shared), c)
			}
		}
		for _, same := range settings {
			row := f.furtherRow(s, column{all.Variant, same})
			changes := same[0].Changes()
			if words := inWords(slices.DeleteFunc(slices.Clone(changes), func(c string) bool { return slices.Contains(shared, c) })); words != nil {
				row.Label += ": " + strings.Join(words, ", ")
			}
			switch common := shared[len(s.Changes):]; {
			case slices.ContainsFunc(changes, isLong):
				row.Cells[0].Marks = append(row.Cells[0].Marks, f.t.Note("%s: changed from the preset: %s.", all.Title, results.Listed(changes)))
			case len(common) > 0:
				row.Cells[0].Marks = append(row.Cells[0].Marks, f.t.Note("%s: changed from the preset: %s.", all.Title, results.Listed(common)))
			}
			section.Rows = append(section.Rows, row)
		}
	}
	f.t.Sections = append(f.t.Sections, section)
}

// furtherRow returns the row of a model with one setting. Changes from the preset are in
// its label and another footnote.
func (f *filler) furtherRow(s *Setup, c column) Row {
	named := make([]results.Run, len(c.runs))
	for i, r := range c.runs {
		rec := *r.Record
		rec.Caveats = slices.DeleteFunc(slices.Clone(rec.Caveats), func(c record.Caveat) bool { return c.Kind == record.ChangedSettings })
		r.Record = &rec
		named[i] = r
	}
	c.runs = named
	q := paper.Question{System: paper.System{Title: c.Title}, Decimals: 1}
	mean := overAll(q, c.runs, record.Accuracy.Overall)
	mean.Marks = f.cellMarks(&q, specColumn{title: c.Title}, s, c.runs, nil)
	lowest, kind := Cell{State: Unknown}, ""
	for _, k := range Kinds(c.runs) {
		if c := overAll(q, c.runs, MeanOn(record.Accuracy, k)); c.State == Number && (lowest.State != Number || c.Mean < lowest.Mean) {
			lowest, kind = c, strings.TrimSuffix(kindLabel(s.shown(), k), " "+s.shown().Group(k))
		}
	}
	if kind != "" && len(Kinds(c.runs)) > 1 {
		lowest.Marks = []int{f.t.Note("%s.", kind)}
	}
	hops := overAll(q, c.runs, record.Hops.Overall)
	hops.Decimals = 2
	cpu := overAll(q, c.runs, func(r *record.Record) (float64, bool) { return r.Times.CPUSeconds / 60, true })
	for _, cell := range []*Cell{&hops, &cpu} {
		if cell.State == Missing {
			cell.State = Unknown
		}
		cell.HasSD, cell.N = false, 0
	}
	return Row{Label: c.Title, Cells: []Cell{mean, lowest, hops, cpu}}
}

// Over returns the cell of a value over the runs that have it, one run per seed.
func Over(runs []results.Run, decimals int, value func(r *record.Record) (float64, bool)) Cell {
	return overAll(paper.Question{Decimals: decimals}, runs, value)
}

// overAll returns the cell over the runs with the value.
func overAll(q paper.Question, runs []results.Run, value func(r *record.Record) (float64, bool)) Cell {
	q.Value, q.System.Is = value, func(*record.Record) bool { return true }
	return over(&q, answered(&q, runs))
}
