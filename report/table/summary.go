package table

import (
	"fmt"

	"memobench/benchmarks/record"
	"memobench/report/paper"
)

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

// solved counts, for each seed that was judged on every kind, the kinds whose
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
