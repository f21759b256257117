package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"memobench/benchmarks/record"
)

// Verdict is a result of the gate.
type Verdict string

// The verdicts.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Inconclusive Verdict = "inconclusive" // too little evidence
)

// Finding is the verdict on one number.
type Finding struct {
	Verdict    Verdict  `json:"verdict"`
	Reasons    []string `json:"reasons,omitempty"` // of another verdict than pass
	Drop       float64  `json:"drop"`              // of the mean, positive for the worse
	Margin     float64  `json:"margin"`
	Method     method   `json:"method"`
	P          float64  `json:"p"` // one-sided
	Adjusted   float64  `json:"p_adjusted"`
	Detectable *float64 `json:"detectable,omitempty"` // smallest drop that is found with the given power, if only this number drops; absent when unknown
	Floor      *float64 `json:"floor,omitempty"`
	Worst      float64  `json:"worst"` // run of the results
}

// Check checks b against the baseline a. An error means that they cannot be compared, or that
// nothing would be checked.
func Check(o Options, a, b *Set) (*Report, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	for _, limits := range []map[string]Limit{o.Margins, o.Floors} {
		for metric := range limits {
			if !a.has(metric) && !b.has(metric) && !slices.ContainsFunc(record.Metrics, func(m record.Metric) bool { return m.Name == metric }) {
				return nil, fmt.Errorf("no result has the metric %s, which has a margin or floor", metric)
			}
		}
	}
	selects := func(metric string) bool {
		_, ok := o.Margins[metric]
		return ok
	}
	r, compared, err := newReport(a, b, o.Filter, false, selects)
	if err != nil {
		return nil, err
	}
	r.Options = &o
	for _, name := range r.OnlyA {
		r.Failures = append(r.Failures, name+": missing: the baseline has it, the results have not")
	}
	for _, p := range compared {
		r.compareRuns(p)
	}
	return r, r.setVerdicts()
}

func (s *Set) has(metric string) bool {
	return slices.ContainsFunc(s.groups, func(g *group) bool {
		return slices.ContainsFunc(g.numbers, func(n number) bool { return n.Metric == metric })
	})
}

// compareRuns compares the numbers of failed and missing runs, and of training steps.
func (r *Report) compareRuns(p pair) {
	n, m := len(p.a.runs), len(p.b.runs)
	if missing := n - m; missing > 0 && !r.Options.AllowMissing {
		r.Failures = append(r.Failures, fmt.Sprintf("%s: %d of %d runs are missing (--allow-missing accepts that)", p.a.label(), missing, n))
	}
	if ofA, ofB := len(p.a.failed()), len(p.b.failed()); ofB*n > ofA*max(n, m) { // shares, where there are more runs
		r.Failures = append(r.Failures, fmt.Sprintf("%s: %d of %d runs failed, %d of %d in the baseline: %s", p.a.label(), ofB, m, ofA, n,
			strings.Join(p.b.failed(), "; ")))
	}
	steps := ofAllKinds(record.Steps)
	ofA, ofB := p.a.having(steps), p.b.having(steps)
	t := testSamples(values(ofA, steps), values(ofB, steps), r.Options.Alpha)
	if t.drop > 0 && (t.p <= r.Options.Alpha || t.method == none) {
		r.Slower = append(r.Slower, fmt.Sprintf("%s: %s training steps, now %s: perhaps a regression, but not part of the verdict (--margin steps=10%% makes it one)",
			p.a.label(), summaryOf(steps, ofA).text(0), summaryOf(steps, ofB).text(0)))
	}
}

func (r *Report) setVerdicts() error {
	level := r.Options.Alpha / float64(max(1, len(r.Differences)))
	tests := make([]testResult, len(r.Differences))
	p := make([]float64, len(r.Differences))
	for i := range r.Differences {
		d := &r.Differences[i]
		if d.Better == "" {
			return fmt.Errorf("metric %s has a margin, but the results do not say which direction is better; add a line Unit %[1]s better=higher, or better=lower, to them", d.Metric)
		}
		t, err := test(d.number, d.a, d.b, level)
		if err != nil {
			return err
		}
		if d.Same {
			t = testResult{method: identical, p: 1}
		}
		tests[i], p[i] = t, t.p
	}
	r.Verdict = Pass
	if len(r.Failures) > 0 {
		r.Verdict = Fail
	}
	for i, adjusted := range adjust(p) {
		d := &r.Differences[i]
		d.Finding = &Finding{Verdict: Pass, Drop: tests[i].drop, Method: tests[i].method, P: p[i], Adjusted: adjusted}
		d.evaluate(tests[i], level, r.Options)
		if r.Verdict == Pass || d.Verdict == Fail {
			r.Verdict = d.Verdict
		}
	}
	return nil
}

func (d *Difference) evaluate(t testResult, level float64, o *Options) {
	margin := o.Margins[d.Metric]
	d.Margin = margin.Value
	if margin.Relative {
		d.Margin *= math.Abs(d.A.Mean) / 100
	}
	if detectable, known := t.detectable(level, o.Power); known {
		d.Detectable = &detectable
	}
	d.checkFloor(o)
	if lacking := d.A.N - d.B.N; lacking > 0 && !o.AllowMissing {
		d.conclude(Fail, "%d of %d runs lack it", lacking, d.A.N)
	}
	switch {
	case t.drop > d.Margin && t.method != none && d.Adjusted <= o.Alpha:
		d.conclude(Fail, "drop of %s beyond the margin of %s, p %s adjusted (%s)", d.text(t.drop), d.text(d.Margin), pText(d.Adjusted), t.method)
	case d.detects(t, o):
	case t.method == none:
		d.conclude(Inconclusive, "%s", t.why)
	default:
		why := "a drop of the margin, " + d.text(d.Margin) + ", could not be seen"
		if t.drop > d.Margin {
			why = fmt.Sprintf("drop of %s beyond the margin of %s, but p is %s adjusted: chance is not excluded", d.text(t.drop), d.text(d.Margin), pText(d.Adjusted))
		}
		d.conclude(Inconclusive, "%s; detectable is %s (%s, n %d and %d)", why, d.text(*d.Detectable), t.method, d.A.N, d.B.N)
	}
}

// conclude sets the verdict, unless it is worse already, and adds a reason.
func (d *Difference) conclude(v Verdict, format string, args ...any) {
	if d.Verdict != Fail {
		d.Verdict = v
	}
	d.Reasons = append(d.Reasons, fmt.Sprintf(format, args...))
}

// checkFloor compares the worst run with the floor. One that is relative to the baseline's
// worst run is inconclusive: where some seeds do not learn, it may be chance.
func (d *Difference) checkFloor(o *Options) {
	worst := slices.Min(values(d.b, d.number))
	d.Worst = d.orient(worst)
	limit, ok := o.Floors[d.Metric]
	if !ok {
		return
	}
	floor, verdict := d.orient(limit.Value), Fail
	if limit.Relative {
		floor, verdict = slices.Min(values(d.a, d.number))-limit.Value, Inconclusive
	}
	d.Floor = new(d.orient(floor))
	if worst < floor {
		d.conclude(verdict, "a run of %s is beyond the floor of %s", d.text(d.Worst), d.text(*d.Floor))
	}
}

// detects reports whether a drop of the margin would have been detected: by the test, or by
// that of equal seeds, since a change of the last bits changes few answers.
func (d *Difference) detects(t testResult, o *Options) bool {
	if t.method == identical || d.Detectable != nil && *d.Detectable <= d.Margin {
		return true
	}
	tests := []testResult{t}
	if x, y := sameSeeds(d.a, d.b); len(x) > 1 && len(x) == d.A.N && len(x) == d.B.N {
		tests = append(tests, testPairs(values(x, d.number), values(y, d.number)))
	}
	return slices.ContainsFunc(tests, func(t testResult) bool {
		bound, ok := t.bound(1 - o.Alpha)
		return ok && bound <= d.Margin
	})
}
