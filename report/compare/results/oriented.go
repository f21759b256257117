package results

import (
	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
)

// Oriented returns the cell's values with higher being better: less than zero
// where lower is.
func (c *Cell) Oriented() []float64 {
	list := c.Values()
	if c.Better == record.Lower {
		for i := range list {
			list[i] = -list[i]
		}
	}
	return list
}

// Test compares the cells of a pair by what is known of them: exact values as they
// are, two samples by the test that they are large enough for at
// the given level, and one run against one by their answers if both kept them,
// or else by their counts.
func (p Pair) Test(level float64) (hypothesis.Test, error) {
	a, b := p.A.Oriented(), p.B.Oriented()
	if p.A.Exact {
		return exact(a, b), nil
	}
	t := hypothesis.Samples(a, b, level)
	if len(a) != 1 || len(b) != 1 {
		return t, nil
	}
	kinds, err := PairedByKind(p.A.Key, p.A.Samples[0], p.B.Samples[0])
	if err != nil {
		return t, err
	}
	if kinds != nil {
		return hypothesis.Answers(kinds), nil
	}
	x, y := p.A.Samples[0].Counts, p.B.Samples[0].Counts
	if len(x) > 0 && len(x) == len(y) {
		return hypothesis.Proportions(x, y), nil
	}
	return t, nil
}

// exact compares numbers that do not vary between runs. If they do, the worst
// case is taken.
func exact(a, b []float64) hypothesis.Test {
	best, worst := a[0], b[0]
	for _, x := range a {
		best = max(best, x)
	}
	for _, x := range b {
		worst = min(worst, x)
	}
	t := hypothesis.Test{Method: hypothesis.Exact, Drop: best - worst, P: 1}
	if t.Drop > 0 {
		t.P = 0
	}
	return t
}

// BySeed returns the values of the seeds that both cells have, oriented, in the
// order of A; nil where seeds are not known.
func (p Pair) BySeed() (seeds []uint64, a, b []float64) {
	x, y := p.A.Oriented(), p.B.Oriented()
	ofB := map[uint64]int{}
	for j, s := range p.B.Samples {
		if s.Seed != nil {
			ofB[*s.Seed] = j
		}
	}
	for i, s := range p.A.Samples {
		if s.Seed == nil {
			continue
		}
		if j, both := ofB[*s.Seed]; both {
			seeds, a, b = append(seeds, *s.Seed), append(a, x[i]), append(b, y[j])
		}
	}
	return seeds, a, b
}
