package gate

import (
	"fmt"
	"io"
	"slices"

	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
	"memobench/report/results"
)

// selfTest has the gate's verdicts on inputs with a known verdict.
type selfTest struct {
	Verdict Verdict `json:"verdict"` // pass if all probes are right, inconclusive if some are not possible
	Set     string  `json:"set"`     // paths
	Probes  []probe `json:"probes"`
}

// probe is one input.
type probe struct {
	What string  `json:"what"`
	Want Verdict `json:"want"`
	Got  Verdict `json:"got"`           // empty if the probe is not possible
	Why  string  `json:"why,omitempty"` // the probe is not possible, or the set does not pass
}

// blind reports whether there are too few runs for the probe.
func (p *probe) blind() bool { return p.Got == "" || p.Want == Pass && p.Got == Inconclusive }

// right reports whether the verdict is right. Instead of inconclusive it may be fail.
func (p *probe) right() bool { return p.Got == p.Want || p.Want == Inconclusive && p.Got == Fail }

// RunSelfTest shows that the gate can pass and can fail on this set: a against itself must
// pass; a with one lowered or missing cell, or one more failed or crashed run, must fail; a
// with one collapsed run must not pass. Every evaluated cell is lowered in turn, by little
// more than its runs can show. Cells whose runs cannot show any drop are listed as blind.
func RunSelfTest(a *results.Set, o Options) (*selfTest, error) {
	base, err := Check(a, a, o)
	if err != nil {
		return nil, err
	}
	s := &selfTest{Set: a.Name, Probes: []probe{{What: "the set against itself", Want: Pass, Got: base.Verdict}}}
	if base.Verdict == Inconclusive {
		s.Probes[0].Why = base.Counts()
	}
	oneCell := o
	oneCell.others = len(base.Findings) - 1
	for _, f := range base.Findings {
		cell := a.Only(results.Key{Name: f.Name, Unit: f.Unit, Config: f.Config})
		s.Probes = append(s.Probes, drop(cell, &f, oneCell))
		if f.Floor != nil {
			s.Probes = append(s.Probes, collapse(cell, &f, oneCell))
		}
	}
	o.AllowMissing = false
	b := a.Copy()
	b.Groups[0].Failed = append(b.Groups[0].Failed, "injected")
	s.Probes = append(s.Probes, mustFail("one more run that failed", a, b, o, ""))
	b = a.Copy()
	b.Groups[0].Lost = append(b.Groups[0].Lost, "injected")
	s.Probes = append(s.Probes, mustFail("one more run that crashed", a, b, o, ""))
	b = a.Copy()
	b.Cells = slices.DeleteFunc(b.Cells, func(c *results.Cell) bool { return c.Label() == base.Findings[0].Label })
	if len(b.Cells) > 0 {
		s.Probes = append(s.Probes, mustFail(base.Findings[0].Label+" missing", a, b, o, ""))
	}
	s.setVerdict()
	return s, nil
}

// setVerdict sets the overall verdict from those of the probes.
func (s *selfTest) setVerdict() {
	s.Verdict = Pass
	for _, p := range s.Probes {
		switch {
		case p.right():
		case !p.blind():
			s.Verdict = Fail
		case s.Verdict == Pass:
			s.Verdict = Inconclusive
		}
	}
}

// mustFail evaluates b, which must fail. It takes the verdict of the named cell, if any.
func mustFail(what string, a, b *results.Set, o Options, label string) probe {
	p := probe{What: what, Want: Fail}
	r, err := Check(a.Copy(), b, o)
	if err != nil {
		p.Why = err.Error()
		return p
	}
	p.Got = r.Verdict
	for _, f := range r.Findings {
		if f.Label == label {
			p.Got = f.Verdict
		}
	}
	return p
}

// drop lowers the only cell of a. It removes the floors, so that only the test can fail.
func drop(a *results.Set, f *Finding, o Options) probe {
	b, cells := a.Copy(), 1+o.others
	c := b.Cells[0]
	size, why := detectableDrop(c, f.Margin, o.Alpha/float64(cells))
	what := fmt.Sprintf("%s dropped by %s", f.Label, f.number(size))
	if why == "" && results.IsAccuracy(c.Unit) && size > f.A.Mean {
		why = fmt.Sprintf("only a drop of %s could be seen", f.number(size))
	}
	if why != "" {
		return probe{What: f.Label + " dropped", Want: Fail, Why: why}
	}
	c.Worsen(size)
	if test, err := (results.Pair{A: a.Cells[0], B: c}).Test(o.Alpha / float64(cells)); err == nil &&
		test.P > o.Alpha/float64(cells) {
		return probe{What: what, Want: Fail, Why: fmt.Sprintf("%d runs cannot show it among %d cells", len(c.Samples),
			cells)}
	}
	o.Floors = nil
	return mustFail(what, a, b, o, f.Label)
}

// detectableDrop returns a drop against a copy of the cell that its test finds at the given
// level.
func detectableDrop(c *results.Cell, margin, level float64) (size float64, why string) {
	t, err := results.Pair{A: c, B: c}.Test(level)
	if err != nil {
		return 0, err.Error()
	}
	if t.Method == hypothesis.None {
		return 0, t.Why
	}
	values := c.Values()
	spread := slices.Max(values) - slices.Min(values)
	critical, _ := t.Detectable(level, 0.9) // 0 for runs with equal values
	// More than the spread, so that all runs of one side are above those of the other.
	return 1.05*max(margin, critical, spread) + 0.01*margin, ""
}

// collapse sets one run of the only cell of a to the worst value.
func collapse(a *results.Set, f *Finding, o Options) probe {
	b := a.Copy()
	c := b.Cells[0]
	if c.Better == record.Lower {
		c.Samples[0].Value = *f.Floor + max(1, *f.Floor)
	} else {
		c.Samples[0].Value = *f.Floor - max(1, *f.Floor)
	}
	what := f.Label + ": one run collapsed"
	if results.IsAccuracy(c.Unit) {
		if *f.Floor <= 0 {
			return probe{What: what, Want: Inconclusive,
				Why: fmt.Sprintf("the floor is %s: no run can be below", f.number(*f.Floor))}
		}
		c.Samples[0].Value = 0
		for k := range c.Samples[0].Counts {
			c.Samples[0].Counts[k].Right = 0
		}
	}
	p := mustFail(what, a, b, o, f.Label)
	p.Want = Inconclusive
	return p
}

// Print writes the probes and the verdict.
func (s *selfTest) Print(w io.Writer) error {
	right, blind := 0, 0
	for _, p := range s.Probes {
		var err error
		switch {
		case p.blind():
			blind++
			_, err = fmt.Fprintf(w, "BLIND %s: %s\n", p.What, p.Why)
		case !p.right():
			_, err = fmt.Fprintf(w, "WRONG %s: %s, should be %s\n", p.What, p.Got, p.Want)
		default:
			right++
		}
		if err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w,
		"Self-test of the gate on %s: %d probes, %d as they should be, %d are beyond these runs.\n"+
			"A against A: %s. Injected: a drop in each cell, a collapsed run in each, a failed run, a crashed one, a missing cell.\n",
		s.Set, len(s.Probes), right, blind, s.Probes[0].Got)
	return err
}
