package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
)

// Tables returns one table for each task among the runs, in the order of the
// tasks' names; a task of any size has one for each of its sizes. Only runs that were
// trained count as seeds: of other records a remark says that they are left out.
func Tables(runs []Run) ([]*Table, error) {
	byTask := map[string][]Run{}
	trained, others := Divide(runs)
	if len(trained) == 0 && len(others) > 0 {
		return nil, errors.New("no runs that were trained: " + leftOut(others))
	}
	SortRuns(trained)
	trained = uncopied(trained)
	var aside []string
	for _, r := range trained {
		aside = append(aside, r.aside...)
		name := r.Record.Identity.Task
		if sized := taskOf(r.Record); sized != name {
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
// must not be compared are a *ClashError.
func TaskTable(runs []Run, expect ...Variant) (*Table, error) {
	if len(runs) == 0 {
		return nil, errors.New("no runs")
	}
	if err := comparable(runs); err != nil {
		return nil, err
	}
	b := &builder{
		task: taskOf(runs[0].Record), shown: runs[0].Record.Dataset.Presentation, runs: runs,
		columns: columns(runs, expect), kinds: kindNames(runs), answers: answerNames(runs),
	}
	b.published, b.inPaper = paper.ForTask(b.shown.Paper)
	return b.table(), nil
}

// kindNames lists the kinds of all runs in the order of the records.
func kindNames(runs []Run) []string {
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

// taskOf is the run's task with its sizes.
func taskOf(r *record.Record) string {
	if r.Dataset.Task != "" {
		return r.Dataset.Task
	}
	return r.Identity.Task
}

// builder puts a task's table together.
type builder struct {
	task      string
	shown     record.Presentation // of the task
	runs      []Run
	columns   []column
	kinds     []string
	answers   []string // that a question asks for in turn; nil for one
	published paper.Table
	inPaper   bool
	quoted    bool // a published number stands in the table
	t         *Table
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

// quotes reports whether published numbers may stand beside the column's: the
// paper has the task, and the column is a model of the paper.
func (b *builder) quotes(c *column) bool { return b.inPaper && c.paperModel() != "" }

// quote is a published number with what must be said of it.
type quote struct {
	paper.Value
	note string
}

// plain is a quote of which nothing must be said.
func plain(v paper.Value, ok bool) (quote, bool) { return quote{Value: v}, ok }

// row makes a row from a measured and a published value of each column.
func (b *builder) row(label string, ours func(*column) Cell, theirs func(model string) (quote, bool)) Row {
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
			if v.note != "" {
				c.Marks = []int{b.t.Note("%s", v.note)}
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
			func(c *column) Cell { return measured(c.values(record.Accuracy, kind), 1) },
			func(model string) (quote, bool) {
				return plain(paper.Lookup(b.published.Number, b.shown.Paper, paperRow(kind), model))
			}))
	}
	if len(s.Rows) > 0 {
		b.t.Sections = append(b.t.Sections, s)
	}
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
				func(c *column) Cell { return measured(c.meanOver(record.ChoiceAccuracy, kinds), 1) }, nil))
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
