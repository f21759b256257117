package results

import (
	"fmt"
	"slices"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

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

// Filter selects cells; a nil Filter selects all.
type Filter func(Key) bool

// ParseFilter reads a filter in the syntax of benchstat (golang.org/x/perf/benchproc/syntax):
// "/task:pai3 /model:(memo OR emn4)", ".unit:accuracy".
func ParseFilter(query string) (Filter, error) {
	if query == "" {
		return nil, nil
	}
	f, err := benchproc.NewFilter(query)
	if err != nil {
		return nil, err
	}
	return func(k Key) bool {
		r := &benchfmt.Result{Name: benchfmt.Name(k.Name), Values: []benchfmt.Value{{Unit: k.Unit}}}
		for i, v := range k.Config.values() {
			if v != "" {
				r.Config = append(r.Config, benchfmt.Config{Key: configKeys[i], Value: []byte(v), File: true})
			}
		}
		m, err := f.Match(r)
		return err == nil && m.Any()
	}, nil
}

// Has reports whether the filter selects a cell.
func (f Filter) Has(k Key) bool { return f == nil || f(k) }

// RestrictBoth restricts two sets for a comparison. It fails if the filter selects no cell
// of either.
func RestrictBoth(a, b *Set, f Filter) (*Set, *Set, error) {
	x, y := a.restrict(f), b.restrict(f)
	if f != nil && len(x.Cells) == 0 && len(y.Cells) == 0 {
		return nil, nil, fmt.Errorf("the filter lets no cell of %s or %s pass; there are for example %s and %s", a.Name, b.Name, some(a), some(b))
	}
	return x, y, nil
}

// restrict returns the set with the groups of which the filter selects any cell. Their
// other cells are kept: they show whether runs are the same or failed. Groups without
// cells, of failed benchmarks, are kept, too.
func (s *Set) restrict(f Filter) *Set {
	if f == nil {
		return s
	}
	keep, has := map[GroupKey]bool{}, map[GroupKey]bool{}
	for _, c := range s.Cells {
		g := c.Group()
		has[g] = true
		keep[g] = keep[g] || f.Has(c.Key)
	}
	to := newSet(s.Name)
	to.Notes = s.Notes
	for _, c := range s.Cells {
		if keep[c.Group()] {
			to.addCell(c)
		}
	}
	for _, g := range s.Groups {
		if keep[g.GroupKey] || !has[g.GroupKey] {
			to.addGroup(g)
		}
	}
	return to
}
