package gate

import (
	"fmt"
	"slices"

	"memobench/benchmarks/record"
	"memobench/report/compare"
	"memobench/report/compare/hypothesis"
	"memobench/report/compare/results"
)

// Check judges b against the baseline a. An error means that they cannot be
// compared, or that nothing would be judged.
func Check(a, b *results.Set, o Options) (*Report, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	a, b, err := results.RestrictBoth(a, b, o.Filter)
	if err != nil {
		return nil, fmt.Errorf("nothing to judge: %w", err)
	}
	pairs, onlyA, onlyB, err := results.Match(a, b)
	if err != nil {
		return nil, err
	}
	r := &Report{A: a.Name, B: b.Name, Options: o, Findings: []Finding{}, Failures: failures(a, b), Missing: []string{}, New: []string{}, Ignored: []string{},
		Notes: distinct(slices.Concat(a.Notes, b.Notes, lackingSeeds(a, b), results.Changed(a, b)))}
	for _, c := range onlyA {
		if o.judges(c.Key) {
			r.Missing = append(r.Missing, c.Label())
		}
	}
	for _, c := range onlyB {
		if o.Filter.Has(c.Key) {
			r.New = append(r.New, c.Label())
		}
	}
	var judged []results.Pair
	for _, p := range pairs {
		if o.judges(p.A.Key) {
			judged = append(judged, p)
		} else if _, ok := of(o.Margins, p.A.Unit); !ok && !slices.Contains(r.Ignored, p.A.Unit) {
			r.Ignored = append(r.Ignored, p.A.Unit)
		}
	}
	if len(judged) == 0 && len(r.Missing) == 0 {
		if o.Query != "" {
			return nil, fmt.Errorf("nothing to judge: the filter %s lets no cell with a margin pass", o.Query)
		}
		return nil, fmt.Errorf("nothing to judge: no unit of %s has a margin, it has %q", a.Name, r.Ignored)
	}
	if err := o.known(a, b); err != nil {
		return nil, err
	}
	if err := r.judge(judged, results.Same(pairs)); err != nil {
		return nil, err
	}
	r.Verdict = r.verdict()
	return r, nil
}

// distinct returns the texts without repeats.
func distinct(texts []string) []string {
	list := []string{}
	for _, t := range texts {
		if !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// judge makes the findings.
func (r *Report) judge(pairs []results.Pair, same func(results.Key) bool) error {
	level := r.Options.Alpha / float64(max(1, len(pairs)))
	var tests []hypothesis.Test
	var p []float64
	for _, pair := range pairs {
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
		tests, p = append(tests, t), append(p, t.P)
	}
	for i, adjusted := range hypothesis.Adjust(p) {
		r.Findings = append(r.Findings, finding(pairs[i], tests[i], adjusted, level, &r.Options))
	}
	return nil
}

// finding judges one cell.
func finding(pair results.Pair, t hypothesis.Test, adjusted, level float64, o *Options) Finding {
	a, b := pair.A, pair.B
	f := Finding{Name: a.Name, Label: a.Label(), Unit: a.Unit, Better: a.Better, Config: a.Config, Verdict: Inconclusive, Reasons: []string{},
		A: compare.Summarize(a), B: compare.Summarize(b), Drop: t.Drop, Method: t.Method, P: t.P, Adjusted: adjusted, Worst: worst(b)}
	margin, _ := of(o.Margins, a.Unit)
	f.Margin = margin.in(f.A.Mean)
	detectable, known := t.Detectable(level, o.Power)
	if known {
		f.Detectable = &detectable
	}
	if floor, ok := of(o.Floors, a.Unit); ok {
		v := floor.in(a)
		f.Floor = &v
		if f.Worst != v && (f.Worst < v) == (a.Better == record.Higher) {
			f.fail("worst run %s beyond the floor of %s", f.number(f.Worst), f.number(v))
		}
	}
	if f.Drop > f.Margin && t.Method != hypothesis.None && adjusted <= o.Alpha {
		f.fail("drop of %s beyond the margin of %s, p %s, %s adjusted (%s)", f.number(f.Drop), f.number(f.Margin), probability(f.P), probability(adjusted), f.Method)
	}
	if f.Verdict == Fail {
		return f
	}
	if why := f.doubt(pair, t, o); why != "" {
		f.Reasons = append(f.Reasons, why)
		return f
	}
	f.Verdict = Pass
	return f
}

func (f *Finding) fail(format string, args ...any) {
	f.Verdict = Fail
	f.Reasons = append(f.Reasons, fmt.Sprintf(format, args...))
}

// doubt says why a cell that does not fail does not pass either; empty when a
// drop of the margin would have been seen.
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
	// The same seeds may tell more: a change of the last bits leaves most answers
	// as they were.
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
			f.number(f.Drop), f.number(f.Margin), probability(f.P), probability(f.Adjusted), f.number(*f.Detectable), f.Method, f.A.N, f.B.N)
	}
	return fmt.Sprintf("a drop of the margin, %s, could not be seen: detectable is %s (%s, n %d and %d)",
		f.number(f.Margin), f.number(*f.Detectable), f.Method, f.A.N, f.B.N)
}

// verdict is that of the whole.
func (r *Report) verdict() Verdict {
	if r.count(Fail) > 0 || len(r.Missing) > 0 || slices.ContainsFunc(r.Failures, func(f Failures) bool { return f.More }) {
		return Fail
	}
	if r.count(Inconclusive) > 0 {
		return Inconclusive
	}
	return Pass
}
