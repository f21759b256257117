// Package compare compares two sets of results.
//
// What comes in: two results.Set. What goes out: for every cell of both, the difference
// with its confidence interval, also paired by seed where seeds are known, and McNemar's
// test of the answers of each seed where they were kept; as a table and as JSON. What
// always holds: only answers to the same questions are compared, of one model or of two;
// notes list other differences of the runs; a difference without an interval says why;
// cells of only one set are listed. It has no verdicts: see package gate.
package compare

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
	"memobench/report/results"
	"memobench/report/table"
)

// confidence is the level of all intervals.
const confidence = 0.95

// Comparison is the comparison of two sets.
type Comparison struct {
	A           string       `json:"a"` // paths
	B           string       `json:"b"`
	Confidence  float64      `json:"confidence"`
	Differences []Difference `json:"differences"`
	OnlyA       []string     `json:"only_a,omitempty"` // cells
	OnlyB       []string     `json:"only_b,omitempty"`
	Runs        []RunNotes   `json:"runs,omitempty"`
	Notes       []string     `json:"notes,omitempty"`
}

// RunNotes are footnotes on the runs of a group, as in tables: other sizes, data or steps
// than the paper's, seeds that stopped early.
type RunNotes struct {
	results.GroupKey
	Notes []string `json:"notes"`
}

// Difference is a cell of both sets.
type Difference struct {
	Name   string           `json:"name"` // of the benchmark
	Label  string           `json:"label"`
	Unit   string           `json:"unit"`
	Better record.Direction `json:"better,omitempty"` // absent when it is not known
	Config results.Config   `json:"config"`
	A      Summary          `json:"a"`
	B      Summary          `json:"b"`

	Change   Change    `json:"change"`            // of the means, B less A
	Paired   *Change   `json:"paired,omitempty"`  // mean of the differences of equal seeds; absent without two such seeds
	Answers  []Answers `json:"answers,omitempty"` // by seed; absent where answers were not kept
	SameRuns bool      `json:"same_runs"`         // all numbers of these runs are the same on both sides
}

// Summary is the values of one side.
type Summary struct {
	N    int      `json:"n"` // runs
	Mean float64  `json:"mean"`
	SD   *float64 `json:"sd,omitempty"` // sample standard deviation; absent for one run
	Low  float64  `json:"low"`          // smallest
	High float64  `json:"high"`
}

// Change is a difference with its interval.
type Change struct {
	N      int               `json:"n,omitempty"` // pairs; absent where there are none
	Value  float64           `json:"value"`
	Low    *float64          `json:"low,omitempty"` // of the interval; absent when unknown
	High   *float64          `json:"high,omitempty"`
	Method hypothesis.Method `json:"method"` // of the interval
	Why    string            `json:"why,omitempty"`
}

// Answers is McNemar's test of the answers of one seed.
type Answers struct {
	Seed      uint64  `json:"seed"`
	Questions int     `json:"questions"`
	Lost      int     `json:"lost"` // right only in A
	Won       int     `json:"won"`  // right only in B
	P         float64 `json:"p"`    // two-sided
}

// Compare compares the cells of a and b that the filter selects. all includes times, steps
// and parameters, which are no results of learning.
func Compare(a, b *results.Set, filter results.Filter, all bool) (*Comparison, error) {
	a, b, err := results.RestrictBoth(a, b, filter)
	if err != nil {
		return nil, fmt.Errorf("nothing to compare: %w", err)
	}
	b, notes, err := results.Align(a, b)
	if err != nil {
		return nil, fmt.Errorf("nothing is compared: %w", err)
	}
	pairs, onlyA, onlyB, err := results.Match(a, b)
	if err != nil {
		return nil, err
	}
	c := &Comparison{A: a.Name, B: b.Name, Confidence: confidence, Notes: slices.Concat(notes, a.Notes, b.Notes, results.Changed(a, b))}
	for _, list := range []struct {
		cells []*results.Cell
		into  *[]string
	}{{onlyA, &c.OnlyA}, {onlyB, &c.OnlyB}} {
		for _, cell := range list.cells {
			if filter.Has(cell.Key) {
				*list.into = append(*list.into, cell.Label())
			}
		}
	}
	for _, g := range slices.Concat(a.Groups, b.Groups) {
		for _, text := range g.Failed {
			c.Notes = append(c.Notes, g.Label()+": "+text+"; its accuracy counts unchanged")
		}
	}
	ofA, ofB := a.RunsByGroup(), b.RunsByGroup()
	for _, g := range a.Groups {
		if b.Group(g.GroupKey) != nil {
			if notes := table.RunNotes("A", ofA[g.GroupKey], "B", ofB[g.GroupKey]); notes != nil {
				c.Runs = append(c.Runs, RunNotes{g.GroupKey, notes})
			}
		}
	}
	same := results.Same(pairs)
	for _, p := range pairs {
		if !all && !learned(p.A) || !filter.Has(p.A.Key) {
			continue
		}
		d, err := difference(p)
		if err != nil {
			return nil, err
		}
		d.SameRuns = same(p.A.Key)
		c.Differences = append(c.Differences, *d)
	}
	return c, nil
}

// learned reports whether the cell is a result of learning.
func learned(c *results.Cell) bool {
	return results.IsAccuracy(c.Unit) || c.Unit == record.Loss.Name || c.Unit == record.Hops.Name
}

// difference compares a pair.
func difference(p results.Pair) (*Difference, error) {
	d := &Difference{Name: p.A.Name, Label: p.A.Label(), Unit: p.A.Unit, Better: p.A.Better, Config: p.A.Config,
		A: Summarize(p.A), B: Summarize(p.B)}
	// Level 0 selects Welch's t for all sizes: the U test has no interval for a
	// difference of means.
	t, err := p.Test(0)
	if err != nil {
		return nil, err
	}
	d.Change = change(t, p.A.Better)
	d.Change.Value = d.B.Mean - d.A.Mean
	seeds, x, y := p.BySeed()
	if len(seeds) > 1 {
		paired := change(hypothesis.Pairs(x, y), p.A.Better)
		paired.N = len(seeds)
		d.Paired = &paired
	}
	d.Answers, err = answers(p)
	return d, err
}

// change converts a drop of oriented values to the difference B - A in the metric's unit.
func change(t hypothesis.Test, better record.Direction) Change {
	sign := -1.0
	if better == record.Lower {
		sign = 1
	}
	c := Change{Value: sign * t.Drop, Method: t.Method, Why: t.Why}
	if low, high, ok := t.Interval(confidence); ok {
		low, high = sign*low, sign*high
		c.Low, c.High = new(min(low, high)), new(max(low, high))
	}
	return c
}

// Summarize returns the mean and the spread of a cell.
func Summarize(c *results.Cell) Summary {
	values := c.Values()
	s := Summary{N: len(values), Mean: stat.Mean(values, nil), Low: slices.Min(values), High: slices.Max(values)}
	if len(values) > 1 {
		s.SD = new(stat.StdDev(values, nil))
	}
	return s
}

// answers compares the answers of each seed of both sets. If each has one run, their seeds
// may differ; the result has that of A.
func answers(p results.Pair) ([]Answers, error) {
	var list []Answers
	pairs := p.SamplesBySeed()
	if len(p.A.Samples) == 1 && len(p.B.Samples) == 1 && p.A.Samples[0].Seed != nil && p.B.Samples[0].Seed != nil {
		pairs = [][2]results.Sample{{p.A.Samples[0], p.B.Samples[0]}}
	}
	for _, pair := range pairs {
		a, b := pair[0], pair[1]
		d, err := results.Paired(p.A.Key, a, b)
		if err != nil {
			return nil, err
		}
		if d != nil {
			list = append(list, Answers{*a.Seed, d.Questions, d.Lost, d.Won, d.TwoSided()})
		}
	}
	return list, nil
}
