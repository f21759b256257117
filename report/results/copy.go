package results

import (
	"slices"

	"memobench/report/compare/hypothesis"
)

// Copy returns a set that can be changed: to inject a drop, say, or to draw runs.
// It has lost the way to kept answers, which a change of the values would belie.
func (s *Set) Copy() *Set {
	return s.take(func(n int) []int {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		return all
	})
}

// take returns a copy with the samples of every cell, of which there are n, that
// which lists.
func (s *Set) take(which func(n int) []int) *Set {
	to := newSet(s.Name)
	to.Notes = slices.Clone(s.Notes)
	for _, c := range s.Cells {
		var samples []Sample
		for _, i := range which(len(c.Samples)) {
			sample := c.Samples[i]
			sample.Counts, sample.run = slices.Clone(sample.Counts), nil
			samples = append(samples, sample)
		}
		if samples != nil {
			own := to.cell(c.Key)
			own.Better, own.Exact, own.Samples = c.Better, c.Exact, samples
		}
	}
	for _, g := range s.Groups {
		own := to.group(g.Name, g.Config)
		own.Runs, own.Failed, own.Lost = g.Runs, slices.Clone(g.Failed), slices.Clone(g.Lost)
	}
	return to
}

// Only returns a copy of one cell with its group.
func (s *Set) Only(k Key) *Set {
	one, g := newSet(s.Name), s.groups[k.group()]
	one.Cells, one.Groups = []*Cell{s.cells[k]}, []*Group{g}
	return one.Copy()
}

// Draw returns a copy with the runs of the given indices, in the order of reading,
// of every cell. Cells without such runs keep none and are left out.
func (s *Set) Draw(runs []int) *Set {
	to := s.take(func(n int) []int {
		return slices.DeleteFunc(slices.Clone(runs), func(i int) bool { return i >= n })
	})
	for _, g := range to.Groups {
		g.Runs = len(runs)
	}
	return to
}

// Worsen lowers every value of the cell by drop, in its unit, or raises it where
// lower is better; accuracies stay above 0, and counts follow. No two runs drop by
// the same: values without any spread are no sample.
func (c *Cell) Worsen(drop float64) {
	for i := range c.Samples {
		own := drop
		if !c.Exact {
			own *= 1 + 0.02*float64(i)/float64(len(c.Samples))
		}
		c.Samples[i].worsen(own, c)
	}
}

func (s *Sample) worsen(drop float64, c *Cell) {
	if c.Better == "lower" {
		drop = -drop
	}
	s.Value -= drop
	if IsAccuracy(c.Unit) {
		s.Value = max(0, s.Value)
	}
	for k, n := range s.Counts {
		lost := int(drop/100*float64(n.Total) + 0.5)
		s.Counts[k] = hypothesis.Count{Right: max(0, n.Right-lost), Total: n.Total}
	}
}
