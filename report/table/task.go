package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// Tables returns one table for each task among the runs, in the order of the
// tasks' names; a task of any size has one for each of its sizes. Weights
// that were evaluated again are no seed: a remark says that they are left out.
func Tables(runs []results.Run) ([]*Table, error) {
	trained, others := results.Divide(runs)
	if len(trained) == 0 && len(others) > 0 {
		return nil, errors.New("no runs that were trained: " + leftOut(others))
	}
	results.SortRuns(trained)
	trained = results.Uncopied(trained)
	var uncounted []string
	for _, r := range trained {
		uncounted = append(uncounted, r.Replaced...)
	}
	name := func(r results.Run) string {
		if task := r.Record.Identity.Task; task == r.Task() {
			return task
		}
		return r.Record.Identity.Task + " " + r.Task()
	}
	byTask := results.GroupBy(trained, name)
	slices.SortFunc(byTask, func(a, b []results.Run) int { return strings.Compare(name(a[0]), name(b[0])) })
	var tables []*Table
	for _, same := range byTask {
		t, err := TaskTable(same)
		if err != nil {
			return nil, fmt.Errorf("table of %s: %w", name(same[0]), err)
		}
		tables = append(tables, t)
	}
	if len(others) > 0 {
		uncounted = append(uncounted, leftOut(others))
	}
	if uncounted != nil {
		last := tables[len(tables)-1]
		last.Remarks = append(last.Remarks, "Not counted: "+strings.Join(uncounted, "; ")+".")
	}
	return tables, nil
}

// TaskTable returns the table of one task: a row for each kind of question, and
// for each model a column of measured accuracies next to the paper's. Variants
// in expect have their columns even where no run has reached them. Runs that
// must not be compared are an error that names both.
func TaskTable(runs []results.Run, expect ...Variant) (*Table, error) {
	if len(runs) == 0 {
		return nil, errors.New("no runs")
	}
	if err := comparable(runs); err != nil {
		return nil, err
	}
	b := &taskSpec{
		task: runs[0].Task(), shown: runs[0].Record.Dataset.Presentation, runs: runs,
		columns: columns(runs, expect), kinds: Kinds(runs), answers: answerNames(runs),
	}
	b.inPaper = paper.Has(b.shown.Paper)
	f := &filler{spec: b.spec(), t: &Table{About: b.about()}}
	f.t.Title, f.t.Corner, f.t.Remarks = f.spec.Title, f.spec.Corner, f.spec.Remarks
	for i, g := range f.spec.Groups {
		f.columns = append(f.columns, specColumn{group: i, title: g.Title})
		f.t.Groups = append(f.t.Groups, Group{Title: g.Title, Marks: b.marks(f.t, &b.columns[i]), Columns: g.Columns})
	}
	for _, block := range f.spec.Blocks {
		var s Section
		for _, row := range block.Rows {
			s.Rows = append(s.Rows, f.row(&filled{SpecBlock: block}, row, nil, runs))
		}
		f.t.Sections = append(f.t.Sections, s)
	}
	return f.t, nil
}

// Kinds lists the kinds of questions of all runs in the order of the records.
func Kinds(runs []results.Run) []string {
	var names []string
	for _, r := range runs {
		for _, k := range r.Record.Evaluation.Kinds {
			names = results.AddNew(names, k.Name)
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
	return "records of weights that were evaluated again: " + strings.Join(list, ", ")
}

// taskSpec makes the specification of a task's table from its runs: a group for each
// variant of a model, and questions by what the task asks.
type taskSpec struct {
	task    string
	shown   record.Presentation // of the task
	runs    []results.Run
	columns []column
	kinds   []string
	answers []string // that a question asks for in turn; nil for one
	inPaper bool
	quoted  bool // a published number is in the table
	blocks  []paper.SpecBlock
}

func (b *taskSpec) spec() *paper.Spec {
	s := &paper.Spec{Corner: b.noun(), Title: fmt.Sprintf("%s: accuracy on the %s split, %%",
		cmp.Or(b.shown.Title, b.task), b.runs[0].Record.Evaluation.Split)}
	for _, c := range b.columns {
		g := paper.SpecGroup{Title: c.Title, Columns: []paper.Column{{Title: "mean ± sd (n)"}}}
		if b.quotes(&c) {
			g.Columns = append(g.Columns, paper.Column{Title: "paper", Role: paper.Published})
		}
		s.Groups = append(s.Groups, g)
	}
	switch {
	case b.shown.Groups != nil:
		b.addGroups()
	case b.shown.Whole != "", b.answers != nil:
		b.addAnswers()
	default:
		b.add(b.kindRows(b.kinds))
		b.addSummary()
	}
	s.Blocks, s.Remarks = b.blocks, b.remarks()
	return s
}

// add adds a block of rows, unless it is empty.
func (b *taskSpec) add(rows []paper.SpecRow) {
	if len(rows) > 0 {
		b.blocks = append(b.blocks, paper.SpecBlock{Task: b.shown.Paper, Rows: rows})
	}
}

// quotes reports whether published numbers may be next to the column's: the
// paper has the task, and the column is a model of the paper.
func (b *taskSpec) quotes(c *column) bool { return b.inPaper && c.paperModel() != "" }

// row asks for a value of each column, next to what the paper has of its model; quote is
// nil where the paper has no such row.
func (b *taskSpec) row(label string, value valueOf, quote func(model string) (paper.Quote, bool)) paper.SpecRow {
	r := paper.SpecRow{Label: label}
	for _, c := range b.columns {
		q := paper.Question{Value: value, Decimals: 1, Own: quote == nil, System: paper.System{Label: c.Label, Title: c.Title,
			Is: func(r *record.Record) bool { return r.Identity.Label == c.Label }}}
		if quote != nil && b.quotes(&c) {
			printed, ok := quote(c.paperModel())
			q.Paper, q.Note, q.Published = printed.Value, printed.Note, ok
			b.quoted = b.quoted || ok
		}
		r.Questions = append(r.Questions, q)
	}
	return r
}

// any reports whether any run has the value.
func (b *taskSpec) any(value valueOf) bool {
	return slices.ContainsFunc(b.runs, func(r results.Run) bool { _, ok := value(r.Record); return ok })
}

// kindRows are a row of accuracies for each of the kinds.
func (b *taskSpec) kindRows(kinds []string) (rows []paper.SpecRow) {
	for _, kind := range kinds {
		rows = append(rows, b.row(kindLabel(&b.shown, kind), MeanOn(record.Accuracy, kind),
			func(model string) (paper.Quote, bool) { return paper.QuoteKind(b.shown.Paper, kind, model) }))
	}
	return rows
}

// kindLabel is how a kind is printed in the first column: with its group, with its
// title in the paper or with that of its own.
func kindLabel(p *record.Presentation, kind string) string {
	if group := p.Group(kind); group != "" {
		return kind + " " + group
	}
	return cmp.Or(paper.RowTitle(p.Paper, kind), strings.TrimSpace(kind+" "+p.KindTitles[kind]))
}

// addGroups adds a block for each group of kinds, and the accuracy of each group
// among the choices that a question shows.
func (b *taskSpec) addGroups() {
	var choices []paper.SpecRow
	rest := slices.Clone(b.kinds)
	for _, g := range b.shown.Groups {
		in := func(kind string) bool { return slices.Contains(g.Kinds, kind) }
		out := func(kind string) bool { return !in(kind) }
		kinds := slices.DeleteFunc(slices.Clone(rest), out)
		rest = slices.DeleteFunc(rest, in)
		b.add(b.kindRows(kinds))
		if choice := MeanOn(record.ChoiceAccuracy, kinds...); len(kinds) > 0 && b.any(choice) {
			choices = append(choices, b.row(g.Name+", 2AFC", choice, nil))
		}
	}
	b.add(b.kindRows(rest))
	b.add(choices)
}

// addAnswers adds, for each kind, a row for each answer that a question asks for in turn
// and one for all of them; rows for the answers when the right ones before them are given;
// and both again with every right answer counted, where there may be several.
func (b *taskSpec) addAnswers() {
	all := cmp.Or(b.shown.Whole, "all answers")
	for _, kind := range b.kinds {
		label := func(text string) string {
			if len(b.kinds) > 1 {
				return kind + ", " + text
			}
			return text
		}
		node := func(of func(task, node, model string) (paper.Quote, bool), name string) func(string) (paper.Quote, bool) {
			return func(model string) (paper.Quote, bool) { return of(b.task, name, model) }
		}
		var own, given, tolerant []paper.SpecRow
		for a, name := range b.answers {
			own = append(own, b.row(label(name), ofAnswer(record.Accuracy, kind, a), node(paper.QuoteNode, name)))
			if value := ofAnswer(record.GivenAccuracy, kind, a); a > 0 && b.any(value) {
				given = append(given, b.row(label(name+" given "+b.answers[a-1]), value, node(paper.QuoteGiven, name)))
			}
			tolerant = append(tolerant, b.row(label(name+", any"), ofAnswer(record.TolerantAccuracy, kind, a), nil))
		}
		var quote func(string) (paper.Quote, bool)
		if b.answers == nil { // a path with one node between its ends
			quote = node(paper.QuoteNode, all)
		}
		b.add(append(own, b.row(label(all), MeanOn(record.Accuracy, kind), quote)))
		b.add(given)
		if whole := MeanOn(record.TolerantAccuracy, kind); b.any(whole) {
			b.add(append(tolerant, b.row(label(all+", any"), whole, nil)))
		}
	}
}

// wholeSuite reports whether the table has all tasks of a suite such as bAbI.
func (b *taskSpec) wholeSuite() bool { return b.shown.Suite > 0 && len(b.kinds) == b.shown.Suite }

// addSummary adds the lines below a table with many kinds: mean error and, for a suite of
// tasks, the number of tasks solved.
func (b *taskSpec) addSummary() {
	if len(b.kinds) < 2 {
		return
	}
	published := func(name string) func(string) (paper.Quote, bool) {
		return func(model string) (paper.Quote, bool) {
			if !b.wholeSuite() {
				return paper.Quote{}, false
			}
			return paper.QuoteSuite(b.shown.Paper, name, model)
		}
	}
	label := "mean error"
	if !b.wholeSuite() && b.shown.Suite > 0 {
		label = fmt.Sprintf("mean error, %d tasks", len(b.kinds))
	}
	mean := MeanOn(record.Accuracy, b.kinds...)
	rows := []paper.SpecRow{b.row(label, func(r *record.Record) (float64, bool) {
		v, ok := mean(r)
		return 100 - v, ok
	}, published("mean error"))}
	if b.shown.Suite > 0 {
		rows = append(rows, b.row("tasks solved", paper.TasksSolved(len(b.kinds)), published("tasks solved")))
	}
	b.add(rows)
}
