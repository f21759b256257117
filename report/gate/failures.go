package gate

import (
	"fmt"
	"slices"
	"strings"

	"memobench/report/results"
)

// failing lists the groups with more failed, lost and missing runs than in the baseline.
func (r *Report) failing() []failures {
	return slices.DeleteFunc(slices.Clone(r.Failures), func(f failures) bool { return !f.More })
}

// failures lists the groups with failed, lost or missing runs.
func (r *Report) failures(a, b *results.Set, evaluated map[*results.Group]bool) {
	r.Failures = []failures{}
	seen := map[*results.Group]bool{}
	for _, g := range a.Groups {
		other := b.Group(g.GroupKey)
		if other == nil { // runs that crashed or failed do not name their protocol
			other = b.Group(results.GroupKey{Name: g.Name})
		}
		if other == nil {
			other = &results.Group{Runs: g.Runs + len(g.Lost)}
		}
		seen[other] = true
		r.compareRuns(g, other, evaluated[g])
	}
	for _, g := range b.Groups {
		if !seen[g] {
			r.compareRuns(&results.Group{GroupKey: g.GroupKey}, g, false)
		}
	}
}

// compareRuns adds a group to the failures if it has failed, lost or missing runs. Lost and
// missing runs count as failed unless AllowMissing.
func (r *Report) compareRuns(a, b *results.Group, evaluated bool) {
	f := failures{Label: a.Label(), RunsA: a.Runs, RunsB: b.Runs, FailedA: orEmpty(a.Failed),
		FailedB: orEmpty(b.Failed), LostA: orEmpty(a.Lost), LostB: orEmpty(b.Lost)}
	madeA, madeB := a.Runs+len(a.Lost), b.Runs+len(b.Lost)
	if evaluated {
		f.Missing = max(0, madeA-madeB)
	}
	failedA, failedB := len(a.Failed), len(b.Failed)
	if !r.Options.AllowMissing {
		failedA, failedB = failedA+len(a.Lost), failedB+len(b.Lost)+f.Missing
	}
	f.More = failedB > failedA
	if madeB > madeA && madeA > 0 { // compare shares
		f.More = failedB*madeA > failedA*madeB
	}
	if len(f.FailedA)+len(f.FailedB)+len(f.LostA)+len(f.LostB)+f.Missing == 0 {
		return
	}
	r.Failures = append(r.Failures, f)
	if f.Missing > 0 && r.Options.AllowMissing {
		r.Notes = append(r.Notes, fmt.Sprintf("%s: %s: allowed", f.Label, f.missing()))
	}
}

func orEmpty(list []string) []string { return append([]string{}, list...) }

// text describes the failures.
func (f *failures) text(allowMissing bool) string {
	var parts []string
	if len(f.FailedB) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d runs failed, %d of %d in the baseline: %s", len(f.FailedB), f.RunsB,
			len(f.FailedA), f.RunsA, first(f.FailedB)))
	}
	if !allowMissing && len(f.LostB)+f.Missing > 0 {
		text := f.missing()
		if len(f.LostB) > 0 {
			text += ": " + first(f.LostB)
		}
		parts = append(parts, text+" (--allow-missing accepts that)")
	}
	return first(parts)
}

func (f *failures) missing() string {
	return fmt.Sprintf("%d of %d runs count, %d of %d in the baseline", f.RunsB, f.RunsB+len(f.LostB)+f.Missing,
		f.RunsA, f.RunsA+len(f.LostA))
}

// first joins the first few texts.
func first(list []string) string {
	const few = 5
	if more := len(list) - few; more > 1 {
		list = append(slices.Clone(list[:few]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, "; ")
}
