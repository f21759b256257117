package results

import (
	"fmt"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

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
