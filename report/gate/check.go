package gate

import (
	"fmt"
	"slices"

	"memobench/benchmarks/record"
	"memobench/report/compare"
	"memobench/report/compare/hypothesis"
	"memobench/report/results"
)

// Check evaluates b against the baseline a. An error means that they cannot be
// compared, or that nothing would be evaluated.
func Check(a, b *results.Set, o Options) (*Report, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	a, b, err := results.RestrictBoth(a, b, o.Filter)
	if err != nil {
		return nil, fmt.Errorf("nothing to check: %w", err)
	}
	pairs, onlyA, onlyB, err := results.Match(a, b)
	if err != nil {
		return nil, err
	}
	r := &Report{A: a.Name, B: b.Name, Options: o, Findings: []Finding{}, Missing: []string{}, New: []string{},
		Ignored: []string{}, Notes: slices.Concat(a.Notes, b.Notes, results.Changed(a, b))}
	groups := map[*results.Group]bool{} // with evaluated cells
	for _, c := range onlyA {
		if o.covers(c.Key) {
			r.Missing = append(r.Missing, c.Label())
			groups[a.Group(c.Group())] = true
		}
	}
	for _, c := range onlyB {
		if o.Filter.Has(c.Key) {
			r.New = append(r.New, c.Label())
		}
	}
	var evaluated []results.Pair
	for _, p := range pairs {
		if o.covers(p.A.Key) {
			evaluated = append(evaluated, p)
			groups[a.Group(p.A.Group())] = true
		} else if _, ok := lookup(o.Margins, p.A.Unit); !ok {
			r.Ignored = results.AddNew(r.Ignored, p.A.Unit)
		}
	}
	r.failures(a, b, groups)
	r.Notes = results.AddNew([]string{}, r.Notes...)
	if len(evaluated) == 0 && len(r.Missing) == 0 {
		if o.Query != "" {
			return nil, fmt.Errorf("nothing to check: the filter %s lets no cell with a margin pass; memobench compare lists the cells", o.Query)
		}
		return nil, fmt.Errorf("nothing to check: no unit of %s has a margin, it has %q: give one with --margin UNIT=NUMBER", a.Name, r.Ignored)
	}
	if err := o.checkUnits(a, b); err != nil {
		return nil, err
	}
	if err := r.setFindings(a, b, evaluated, results.Same(pairs)); err != nil {
		return nil, err
	}
	r.Verdict = r.verdict()
	return r, nil
}

// setFindings evaluates the pairs.
func (r *Report) setFindings(a, b *results.Set, pairs []results.Pair, same func(results.Key) bool) error {
	tests := len(pairs) + r.Options.others
	level := r.Options.Alpha / float64(max(1, tests))
	list := make([]hypothesis.Test, len(pairs))
	p := make([]float64, len(pairs))
	for i, pair := range pairs {
		if pair.A.Better == "" {
			return fmt.Errorf("unit %s has a margin, but nobody says which direction is better: add a line Unit %s better=higher to the results", pair.A.Unit, pair.A.Unit)
		}
		t, err := pair.Test(level)
		if err != nil {
			return err
		}
		if same(pair.A.Key) {
			t = hypothesis.Test{Method: hypothesis.Identical, P: 1}
		}
		list[i], p[i] = t, t.P
	}
	adjusted := hypothesis.Adjust(p, tests)
	for i, pair := range pairs {
		r.Findings = append(r.Findings, finding(pair, list[i], adjusted[i], level, &r.Options))
		f := &r.Findings[i]
		ga, gb := a.Group(pair.A.Group()), b.Group(pair.B.Group())
		if lackA, lackB := ga.Runs-f.A.N, gb.Runs-f.B.N; lackB*ga.Runs > lackA*gb.Runs && !r.Options.AllowMissing {
			f.fail("%d of %d runs lack it, %d of %d in the baseline (--allow-missing accepts that)", lackB, gb.Runs,
				lackA, ga.Runs)
		}
	}
	return nil
}

// finding evaluates one cell.
func finding(pair results.Pair, t hypothesis.Test, adjusted, level float64, o *Options) Finding {
	a, b := pair.A, pair.B
	f := Finding{Name: a.Name, Label: a.Label(), Unit: a.Unit, Better: a.Better, Config: a.Config,
		Verdict: Inconclusive, Reasons: []string{},
		A: compare.Summarize(a), B: compare.Summarize(b), Drop: t.Drop, Method: t.Method, P: t.P, Adjusted: adjusted,
		Worst: worst(b)}
	margin, _ := lookup(o.Margins, a.Unit)
	f.Margin = margin.in(f.A.Mean)
	if detectable, known := t.Detectable(level, o.Power); known {
		f.Detectable = &detectable
	}
	var doubts []string
	if floor, ok := lookup(o.Floors, a.Unit); ok {
		v := floor.in(a)
		f.Floor = &v
		for _, x := range b.Values() {
			if x != v && (x < v) == (a.Better == record.Higher) {
				f.Beyond++
			}
		}
		if f.Beyond > 0 {
			text := fmt.Sprintf("%d of %d runs beyond the floor of %s, the worst %s", f.Beyond, f.B.N, f.number(v),
				f.number(f.Worst))
			if floor.Below {
				doubts = append(doubts, text)
			} else {
				f.fail("%s", text)
			}
		}
	}
	if f.Drop > f.Margin && t.Method != hypothesis.None && f.Adjusted <= o.Alpha {
		f.fail("drop of %s beyond the margin of %s, p %s, %s adjusted (%s)", f.number(f.Drop), f.number(f.Margin),
			probability(f.P), probability(f.Adjusted), f.Method)
	}
	if f.Verdict == Fail {
		return f
	}
	if why := f.doubt(pair, t, o); why != "" {
		doubts = append(doubts, why)
	}
	if len(doubts) > 0 {
		f.Reasons = doubts
		return f
	}
	f.Verdict = Pass
	return f
}

func (f *Finding) fail(format string, args ...any) {
	f.Verdict = Fail
	f.Reasons = append(f.Reasons, fmt.Sprintf(format, args...))
}

// doubt says why a cell is inconclusive; empty if a drop of the margin would have been
// detected.
func (f *Finding) doubt(pair results.Pair, t hypothesis.Test, o *Options) string {
	if t.Method == hypothesis.Identical || t.Method == hypothesis.Exact {
		return ""
	}
	if f.Detectable != nil && *f.Detectable <= f.Margin {
		return ""
	}
	if bound, ok := t.Bound(1 - o.Alpha); ok && bound <= f.Margin {
		return ""
	}
	// A paired test may detect more: a change of the last bits changes few answers.
	seeds, a, b := pair.BySeed()
	if len(seeds) > 1 && len(seeds) == len(pair.A.Samples) && len(seeds) == len(pair.B.Samples) {
		paired := hypothesis.Pairs(a, b)
		if bound, ok := paired.Bound(1 - o.Alpha); ok && bound <= f.Margin {
			return ""
		}
	}
	switch {
	case t.Method == hypothesis.None:
		return t.Why
	case f.Drop > f.Margin:
		return fmt.Sprintf("drop of %s beyond the margin of %s, but p is %s, %s adjusted: chance is not excluded; detectable is %s (%s, n %d and %d)",
			f.number(f.Drop), f.number(f.Margin), probability(f.P), probability(f.Adjusted), f.number(*f.Detectable),
			f.Method, f.A.N, f.B.N)
	}
	return fmt.Sprintf("a drop of the margin, %s, could not be seen: detectable is %s (%s, n %d and %d)",
		f.number(f.Margin), f.number(*f.Detectable), f.Method, f.A.N, f.B.N)
}

// verdict returns the overall verdict.
func (r *Report) verdict() Verdict {
	if r.count(Fail) > 0 || len(r.Missing) > 0 || len(r.failing()) > 0 {
		return Fail
	}
	if r.count(Inconclusive) > 0 {
		return Inconclusive
	}
	return Pass
}
