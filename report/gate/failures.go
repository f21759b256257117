package gate

import (
	"fmt"
	"slices"

	"memobench/report/compare/results"
)

// failures lists the groups in which runs failed.
func failures(a, b *results.Set) []Failures {
	list := []Failures{}
	find := func(s *results.Set, like *results.Group) *results.Group {
		for _, g := range s.Groups {
			if g.Name == like.Name && g.Config == like.Config {
				return g
			}
		}
		return &results.Group{}
	}
	add := func(of, ga, gb *results.Group) {
		if len(ga.Failed)+len(gb.Failed) == 0 {
			return
		}
		list = append(list, Failures{Label: of.Label(), RunsA: ga.Runs, RunsB: gb.Runs,
			FailedA: orEmpty(ga.Failed), FailedB: orEmpty(gb.Failed), More: more(ga, gb)})
	}
	for _, g := range a.Groups {
		add(g, g, find(b, g))
	}
	for _, g := range b.Groups {
		if find(a, g).Name == "" {
			add(g, &results.Group{}, g)
		}
	}
	return list
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// more reports whether more runs of b failed: as a share where b has more runs.
func more(a, b *results.Group) bool {
	if b.Runs > a.Runs && a.Runs > 0 {
		return len(b.Failed)*a.Runs > len(a.Failed)*b.Runs
	}
	return len(b.Failed) > len(a.Failed)
}

// lackingSeeds notes where the results have fewer runs than the baseline.
func lackingSeeds(a, b *results.Set) []string {
	var notes []string
	for _, g := range a.Groups {
		i := slices.IndexFunc(b.Groups, func(o *results.Group) bool { return o.Name == g.Name && o.Config == g.Config })
		if i >= 0 && b.Groups[i].Runs < g.Runs {
			notes = append(notes, fmt.Sprintf("%s: %d runs, the baseline has %d", g.Label(), b.Groups[i].Runs, g.Runs))
		}
	}
	return notes
}
