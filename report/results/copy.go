package results

import (
	"slices"

	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
)

// Copy returns a deep copy of the set, to be changed. It has no access to kept answers,
// which would contradict changed values.
func (s *Set) Copy() *Set {
	to := newSet(s.Name)
	to.Notes = slices.Clone(s.Notes)
	for _, c := range s.Cells {
		cell := *c
		cell.Samples = slices.Clone(c.Samples)
		for i := range cell.Samples {
			cell.Samples[i].Counts, cell.Samples[i].run = slices.Clone(c.Samples[i].Counts), nil
		}
		if len(cell.Samples) > 0 {
			to.addCell(&cell)
		}
	}
	for _, g := range s.Groups {
		to.addGroup(&Group{GroupKey: g.GroupKey, Runs: g.Runs, Failed: slices.Clone(g.Failed), Lost: slices.Clone(g.Lost)})
	}
	return to
}

// Only returns a copy of one cell with its group.
func (s *Set) Only(k Key) *Set {
	one, g := newSet(s.Name), s.groups[k.Group()]
	one.Cells, one.Groups = []*Cell{s.cells[k]}, []*Group{g}
	return one.Copy()
}

// Worsen lowers every value of the cell by drop, in its unit, or raises it where lower is
// better. Accuracies are not below 0, and counts change accordingly. Drops differ slightly
// between runs, so that the values vary.
func (c *Cell) Worsen(drop float64) {
	for i := range c.Samples {
		s, d := &c.Samples[i], drop
		if !c.Exact {
			d *= 1 + 0.02*float64(i)/float64(len(c.Samples))
		}
		if c.Better == record.Lower {
			d = -d
		}
		s.Value -= d
		if IsAccuracy(c.Unit) {
			s.Value = max(0, s.Value)
		}
		for k, n := range s.Counts {
			lost := int(d/100*float64(n.Total) + 0.5)
			s.Counts[k] = hypothesis.Count{Right: max(0, n.Right-lost), Total: n.Total}
		}
	}
}
