package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// Tables returns one table for each task among the runs, in the order of the
// tasks' names; a task of any size has one for each of its sizes. Only runs that were
// trained count as seeds: of other records a remark says that they are left out.
func Tables(runs []results.Run) ([]*Table, error) {
	byTask := map[string][]results.Run{}
	trained, others := results.Divide(runs)
	if len(trained) == 0 && len(others) > 0 {
		return nil, errors.New("no runs that were trained: " + leftOut(others))
	}
	results.SortRuns(trained)
	trained = results.Uncopied(trained)
	var aside []string
	for _, r := range trained {
		aside = append(aside, r.Aside...)
		name := r.Record.Identity.Task
		if sized := r.Task(); sized != name {
			name += " " + sized
		}
		byTask[name] = append(byTask[name], r)
	}
	tasks := make([]string, 0, len(byTask))
	for task := range byTask {
		tasks = append(tasks, task)
	}
	sort.Strings(tasks)
	var tables []*Table
	for _, task := range tasks {
		t, err := TaskTable(byTask[task])
		if err != nil {
			return nil, fmt.Errorf("table of %s: %w", task, err)
		}
		tables = append(tables, t)
	}
	if len(others) > 0 {
		aside = append(aside, leftOut(others))
	}
	if aside != nil {
		last := tables[len(tables)-1]
		last.Remarks = append(last.Remarks, "Not counted: "+strings.Join(aside, "; ")+".")
	}
	return tables, nil
}

// TaskTable returns the table of one task: a row for each kind of question, and
// for each model a column of measured accuracies beside the paper's. Variants
// in expect have their columns even where no run has reached them. Runs that
// must not be compared are an error that names both.
func TaskTable(runs []results.Run, expect ...Variant) (*Table, error) {
	if len(runs) == 0 {
		return nil, errors.New("no runs")
	}
	if err := comparable(runs); err != nil {
		return nil, err
	}
	b := &builder{
		task: runs[0].Task(), shown: runs[0].Record.Dataset.Presentation, runs: runs,
		columns: columns(runs, expect), kinds: Kinds(runs), answers: answerNames(runs),
	}
	b.inPaper = paper.Has(b.shown.Paper)
	return b.table(), nil
}

// Kinds lists the kinds of questions of all runs in the order of the records.
func Kinds(runs []results.Run) []string {
	var names []string
	seen := map[string]bool{}
	for _, r := range runs {
		for _, k := range r.Record.Evaluation.Kinds {
			if !seen[k.Name] {
				seen[k.Name] = true
				names = append(names, k.Name)
			}
		}
	}
	return names
}

// leftOut names records of another origin than training.
func leftOut(runs []results.Run) string {
	var list []string
	for _, r := range runs {
		list = append(list, fmt.Sprintf("%s (%s)", r.Path, r.Record.Origin))
	}
	return "records of weights that were evaluated again or of predictions that were scored: " + strings.Join(list, ", ")
}

// builder puts a task's table together.
type builder struct {
	task    string
	shown   record.Presentation // of the task
	runs    []results.Run
	columns []column
	kinds   []string
	answers []string // that a question asks for in turn; nil for one
	inPaper bool
	quoted  bool // a published number is in the table
	t       *Table
}

func (b *builder) table() *Table {
	first := b.runs[0].Record
	b.t = &Table{
		Title:  fmt.Sprintf("%s: accuracy on the %s split, %%", cmp.Or(b.shown.Title, b.task), first.Evaluation.Split),
		About:  b.about(),
		Corner: b.noun(),
	}
	marks := b.marks()
	for i, c := range b.columns {
		g := Group{Title: c.Title, Marks: marks[i], Columns: []Column{{Title: "mean ± sd (n)"}}}
		if b.quotes(&c) {
			g.Columns = append(g.Columns, Column{Title: "paper", Role: Published})
		}
		b.t.Groups = append(b.t.Groups, g)
	}
	switch {
	case b.shown.Groups != nil:
		b.groupSections()
	case b.shown.Whole != "", b.answers != nil:
		b.answerSections()
	default:
		b.section(b.kinds)
		b.summary()
	}
	b.t.Remarks = b.remarks()
	return b.t
}

// quotes reports whether published numbers may be beside the column's: the
// paper has the task, and the column is a model of the paper.
func (b *builder) quotes(c *column) bool { return b.inPaper && c.paperModel() != "" }

// row makes a row from a measured and a published value of each column.
func (b *builder) row(label string, ours func(*column) Cell, theirs func(model string) (paper.Quote, bool)) Row {
	r := Row{Label: label}
	for i := range b.columns {
		r.Cells = append(r.Cells, ours(&b.columns[i]))
		if !b.quotes(&b.columns[i]) {
			continue
		}
		c := Cell{State: Unknown}
		if theirs == nil {
			c = Cell{}
		} else if v, ok := theirs(b.columns[i].paperModel()); ok {
			b.quoted = true
			c = Cell{State: Number, Mean: v.Mean, SD: v.SD, HasSD: v.HasSD, Fraction: v.Fraction, Decimals: v.Digits}
			if v.Note != "" {
				c.Marks = []int{b.t.Note("%s", v.Note)}
			}
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

// section adds a row of accuracies for each of the kinds.
func (b *builder) section(kinds []string) {
	var s Section
	for _, kind := range kinds {
		s.Rows = append(s.Rows, b.row(kindLabel(&b.shown, kind),
			func(c *column) Cell { return Mean(c.values(record.Accuracy, kind), 1) },
			func(model string) (paper.Quote, bool) { return paper.QuoteKind(b.shown.Paper, kind, model) }))
	}
	if len(s.Rows) > 0 {
		b.t.Sections = append(b.t.Sections, s)
	}
}

// kindLabel is how a kind is printed in the first column: with its group, with its
// title in the paper or with that of its own.
func kindLabel(p *record.Presentation, kind string) string {
	if group := p.Group(kind); group != "" {
		return kind + " " + group
	}
	return cmp.Or(paper.RowTitle(p.Paper, kind), strings.TrimSpace(kind+" "+p.KindTitles[kind]))
}

// groupSections adds a section for each group of kinds, and the accuracy of each group
// among the choices that a question shows.
func (b *builder) groupSections() {
	var choice Section
	rest := slices.Clone(b.kinds)
	for _, g := range b.shown.Groups {
		var kinds []string
		rest = slices.DeleteFunc(rest, func(kind string) bool {
			in := slices.Contains(g.Kinds, kind)
			if in {
				kinds = append(kinds, kind)
			}
			return in
		})
		b.section(kinds)
		if len(kinds) > 0 && b.anyHas(record.ChoiceAccuracy, kinds) {
			choice.Rows = append(choice.Rows, b.row(g.Name+", 1 of 2",
				func(c *column) Cell { return Mean(c.meanOver(record.ChoiceAccuracy, kinds), 1) }, nil))
		}
	}
	b.section(rest)
	b.add(choice)
}

func (b *builder) anyHas(m record.Metric, kinds []string) bool {
	for i := range b.columns {
		if len(b.columns[i].meanOver(m, kinds)) > 0 {
			return true
		}
	}
	return false
}

// clash is the refusal to put two runs into one table: what differs, as "protocol
// hashes", and what the two have.
func clash(what string, a, b results.Run, ofA, ofB string) error {
	return fmt.Errorf("runs of different %s are not put into one table: %s has %s, %s has %s", what, a.Path, ofA, b.Path, ofB)
}

// comparable is an error when two of the runs must not be in one
// table: another task, protocol, data or split, or the same label for models
// that differ, which would be averaged as seeds of one. Two runs of the same
// model variant and seed are refused as well, since one of them would count
// twice.
func comparable(runs []results.Run) error {
	for _, what := range []struct {
		name string
		of   func(results.Run) string
	}{
		{"tasks", func(r results.Run) string { return r.Record.Identity.Task }},
		{"protocol hashes", func(r results.Run) string { return r.Record.Protocol.Hash }},
		{"dataset hashes", func(r results.Run) string { return r.Record.Dataset.Hash }},
		{"judged splits", func(r results.Run) string { return r.Record.Evaluation.Split }},
	} {
		for _, r := range runs {
			if a, b := what.of(runs[0]), what.of(r); a != b {
				return clash(what.name, runs[0], r, a, b)
			}
		}
	}
	if err := sameModels(runs); err != nil {
		return err
	}
	first := map[string]results.Run{}
	for _, r := range runs {
		key := fmt.Sprintf("%s, seed %d", r.Record.Identity.Label, r.Record.Identity.Seed)
		if other, twice := first[key]; twice {
			return fmt.Errorf("%s is there twice, in %s and %s: name one of them", key, other.Path, r.Path)
		}
		first[key] = r
	}
	return nil
}

// sameModels is an error when runs of one label are of different
// models, configurations or training recipes.
func sameModels(runs []results.Run) error {
	first := map[string]results.Run{}
	for _, r := range runs {
		label := r.Record.Identity.Label
		other, seen := first[label]
		if !seen {
			first[label] = r
			continue
		}
		if ofA, ofB := results.ModelDifferences(other.Record, r.Record); len(ofA) > 0 {
			return clash(fmt.Sprintf("settings of the model labelled %q", label), other, r, strings.Join(ofA, ", "), strings.Join(ofB, ", "))
		}
	}
	return nil
}
