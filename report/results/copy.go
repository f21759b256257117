package results

import (
	"slices"

	"memobench/report/compare/hypothesis"
)

// Copy returns a deep copy of the set, to be changed. It has no access to kept answers,
// which would contradict changed values.
func (s *Set) Copy() *Set {
	return s.take(func(n int) []int {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		return all
	})
}

// take returns a copy with some samples of every cell: which returns their indices, given
// the number of samples.
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
			cell := to.cell(c.Key)
			cell.Better, cell.Exact, cell.Samples = c.Better, c.Exact, samples
		}
	}
	for _, g := range s.Groups {
		group := to.group(g.GroupKey)
		group.Runs, group.Failed, group.Lost = g.Runs, slices.Clone(g.Failed), slices.Clone(g.Lost)
	}
	return to
}

// Only returns a copy of one cell with its group.
func (s *Set) Only(k Key) *Set {
	one, g := newSet(s.Name), s.groups[k.Group()]
	one.Cells, one.Groups = []*Cell{s.cells[k]}, []*Group{g}
	return one.Copy()
}

// Draw returns a copy with the runs of the given indices, in the order of reading. Cells
// without such runs are removed.
func (s *Set) Draw(runs []int) *Set {
	to := s.take(func(n int) []int {
		return slices.DeleteFunc(slices.Clone(runs), func(i int) bool { return i >= n })
	})
	for _, g := range to.Groups {
		g.Runs = len(runs)
	}
	return to
}

// Worsen lowers every value of the cell by drop, in its unit, or raises it where lower is
// better. Accuracies are not below 0, and counts change accordingly. Drops differ slightly
// between runs, so that the values vary.
func (c *Cell) Worsen(drop float64) {
	for i := range c.Samples {
		d := drop
		if !c.Exact {
			d *= 1 + 0.02*float64(i)/float64(len(c.Samples))
		}
		c.Samples[i].worsen(d, c)
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
