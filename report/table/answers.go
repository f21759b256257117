package table

import (
	"cmp"
	"fmt"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// answerNames lists the answers that a question asks for in turn, from the first
// run that has several.
func answerNames(runs []results.Run) []string {
	for _, r := range runs {
		if names := r.Record.Evaluation.AnswerNames(); names != nil {
			return names
		}
	}
	return nil
}

// answerSections adds a row for each answer that a question asks for in turn and
// one for all of them; rows for the answers when the right ones before them are
// given; and both again with every right answer counted, where there may be
// several.
func (b *builder) answerSections() {
	for _, kind := range b.kinds {
		b.ownAnswers(kind)
		b.givenAnswers(kind)
		b.tolerantAnswers(kind)
	}
}

// label is how a row about a kind is printed: with the kind where there are
// several.
func (b *builder) label(kind, text string) string {
	if len(b.kinds) > 1 {
		return kind + ", " + text
	}
	return text
}

// whole names the answers to a question together.
func (b *builder) whole() string {
	return cmp.Or(b.shown.Whole, "all answers")
}

// add adds a section, unless it is empty.
func (b *builder) add(s Section) {
	if len(s.Rows) > 0 {
		b.t.Sections = append(b.t.Sections, s)
	}
}

func (b *builder) ownAnswers(kind string) {
	var s Section
	for a, name := range b.answers {
		s.Rows = append(s.Rows, b.row(b.label(kind, name), b.answer(record.Accuracy, kind, a), b.published(paper.QuoteNode, name)))
	}
	of := func(c *column) Cell { return Mean(c.values(record.Accuracy, kind), 1) }
	if b.answers == nil { // a path with one node between its ends
		s.Rows = append(s.Rows, b.row(b.label(kind, b.whole()), of, b.published(paper.QuoteNode, b.whole())))
	} else {
		s.Rows = append(s.Rows, b.row(b.label(kind, b.whole()), of, nil))
	}
	b.add(s)
}

func (b *builder) givenAnswers(kind string) {
	var s Section
	for a, name := range b.answers {
		if a > 0 && b.anyAnswer(record.GivenAccuracy, kind, a) {
			label := fmt.Sprintf("%s given %s", name, b.answers[a-1])
			s.Rows = append(s.Rows, b.row(b.label(kind, label), b.answer(record.GivenAccuracy, kind, a), b.published(paper.QuoteGiven, name)))
		}
	}
	b.add(s)
}

func (b *builder) tolerantAnswers(kind string) {
	if !b.anyHas(record.TolerantAccuracy, []string{kind}) {
		return
	}
	var s Section
	for a, name := range b.answers {
		s.Rows = append(s.Rows, b.row(b.label(kind, name+", any"), b.answer(record.TolerantAccuracy, kind, a), nil))
	}
	s.Rows = append(s.Rows, b.row(b.label(kind, b.whole()+", any"),
		func(c *column) Cell { return Mean(c.values(record.TolerantAccuracy, kind), 1) }, nil))
	b.add(s)
}

// answer returns a column's cell of a metric of one of the answers.
func (b *builder) answer(m record.Metric, kind string, answer int) func(*column) Cell {
	return func(c *column) Cell { return Mean(c.answerValues(m, kind, answer), 1) }
}

func (b *builder) anyAnswer(m record.Metric, kind string, answer int) bool {
	for i := range b.columns {
		if len(b.columns[i].answerValues(m, kind, answer)) > 0 {
			return true
		}
	}
	return false
}

// published is what the paper prints of a node that is asked for.
func (b *builder) published(of func(task, node, model string) (paper.Quote, bool), node string) func(string) (paper.Quote, bool) {
	return func(model string) (paper.Quote, bool) { return of(b.task, node, model) }
}

// wholeSuite reports whether the table has all tasks of a suite such as bAbI.
func (b *builder) wholeSuite() bool { return b.shown.Suite > 0 && len(b.kinds) == b.shown.Suite }

// summary adds the lines below a table with many kinds: mean error and, for a suite of
// tasks, the number of tasks solved.
func (b *builder) summary() {
	if len(b.kinds) < 2 {
		return
	}
	all := b.wholeSuite()
	published := func(name string) func(string) (paper.Quote, bool) {
		return func(model string) (paper.Quote, bool) {
			if !all {
				return paper.Quote{}, false
			}
			return paper.QuoteSuite(b.shown.Paper, name, model)
		}
	}
	label := "mean error"
	if !all && b.shown.Suite > 0 {
		label = fmt.Sprintf("mean error, %d tasks", len(b.kinds))
	}
	s := Section{Rows: []Row{b.row(label, func(c *column) Cell {
		values := c.meanOver(record.Accuracy, b.kinds)
		for i := range values {
			values[i] = 100 - values[i]
		}
		return Mean(values, 1)
	}, published("mean error"))}}
	if b.shown.Suite > 0 {
		s.Rows = append(s.Rows, b.row("tasks solved", b.solved, published("tasks solved")))
	}
	b.t.Sections = append(b.t.Sections, s)
}

// solved counts, for each seed that was evaluated on every kind, the kinds whose
// error is below paper.SolvedBelow.
func (b *builder) solved(c *column) Cell {
	counts := make([]float64, len(c.meanOver(record.Accuracy, b.kinds)))
	for _, kind := range b.kinds {
		for i, v := range c.values(record.Accuracy, kind) {
			if i < len(counts) && 100-v < paper.SolvedBelow {
				counts[i]++
			}
		}
	}
	return Mean(counts, 1)
}
