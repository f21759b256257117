package gate

import (
	"fmt"
	"io"
	"slices"

	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
	"memobench/report/results"
)

// selfTest is what the gate says of inputs whose verdict is known.
type selfTest struct {
	Verdict Verdict `json:"verdict"` // pass if all probes are as they should be, inconclusive if some cannot be made
	Set     string  `json:"set"`     // paths
	Probes  []Probe `json:"probes"`
}

// Probe is one input.
type Probe struct {
	What string  `json:"what"`
	Want Verdict `json:"want"`
	Got  Verdict `json:"got"`           // empty when the probe cannot be made
	Why  string  `json:"why,omitempty"` // it cannot, or the set does not pass
}

// blind reports whether the runs are too few for the probe.
func (p *Probe) blind() bool { return p.Got == "" || p.Want == Pass && p.Got == Inconclusive }

// right reports whether the probe is as it should be. One that should be no pass
// may also fail.
func (p *Probe) right() bool { return p.Got == p.Want || p.Want == Inconclusive && p.Got == Fail }

// RunSelfTest shows that the gate can pass and can fail on this set: a against itself
// passes; a with one cell lowered, one run failed or crashed, or one cell gone
// fails; a with one run collapsed does not pass. Every evaluated cell is lowered in
// turn, by little more than what its runs can show. A cell in which no drop can be
// shown is named: the gate is blind there.
func RunSelfTest(a *results.Set, o Options) (*selfTest, error) {
	base, err := Check(a, a, o)
	if err != nil {
		return nil, err
	}
	s := &selfTest{Set: a.Name, Probes: []Probe{{What: "the set against itself", Want: Pass, Got: base.Verdict}}}
	if base.Verdict == Inconclusive {
		s.Probes[0].Why = base.Counts()
	}
	one := o // options for a cell alone that is one of all
	one.others = len(base.Findings) - 1
	for _, f := range base.Findings {
		cell := a.Only(results.Key{Name: f.Name, Unit: f.Unit, Config: f.Config})
		s.add(s.drop(cell, &f, one))
		if f.Floor != nil {
			s.add(s.collapse(cell, &f, one))
		}
	}
	for _, probe := range []struct {
		what   string
		change func(b *results.Set)
	}{
		{"one more run that failed", func(b *results.Set) {
			b.Groups[0].Failed = append(b.Groups[0].Failed, "injected")
		}},
		{"one more run that crashed", func(b *results.Set) {
			b.Groups[0].Lost = append(b.Groups[0].Lost, "injected")
		}},
		{base.Findings[0].Label + " missing", func(b *results.Set) {
			b.Cells = slices.DeleteFunc(b.Cells,
				func(c *results.Cell) bool { return c.Label() == base.Findings[0].Label })
		}},
	} {
		b, strict := a.Copy(), o
		strict.AllowMissing = false
		if probe.change(b); len(b.Cells) > 0 {
			s.add(s.ask(probe.what, a, b, strict, ""))
		}
	}
	s.setVerdict()
	return s, nil
}

// setVerdict sums up the probes.
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

func (s *selfTest) add(p Probe) { s.Probes = append(s.Probes, p) }

// ask evaluates b, which should fail: by the named cell if there is one.
func (s *selfTest) ask(what string, a, b *results.Set, o Options, label string) Probe {
	p := Probe{What: what, Want: Fail}
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

// drop lowers the one cell of a, and switches the floors off so that its test alone
// can fail it.
func (s *selfTest) drop(a *results.Set, f *Finding, o Options) Probe {
	b, cells := a.Copy(), 1+o.others
	c := b.Cells[0]
	size, why := visible(c, f.Margin, o.Alpha/float64(cells))
	what := fmt.Sprintf("%s dropped by %s", f.Label, f.number(size))
	if why == "" && results.IsAccuracy(c.Unit) && size > f.A.Mean {
		why = fmt.Sprintf("only a drop of %s could be seen", f.number(size))
	}
	if why != "" {
		return Probe{What: f.Label + " dropped", Want: Fail, Why: why}
	}
	c.Worsen(size)
	if test, err := (results.Pair{A: a.Cells[0], B: c}).Test(o.Alpha / float64(cells)); err == nil &&
		test.P > o.Alpha/float64(cells) {
		return Probe{What: what, Want: Fail, Why: fmt.Sprintf("%d runs cannot show it among %d cells", len(c.Samples),
			cells)}
	}
	o.Floors = nil
	return s.ask(what, a, b, o, f.Label)
}

// visible returns a drop that the test of the cell's runs finds, against a copy of
// them, if p must be at most level.
func visible(c *results.Cell, margin, level float64) (size float64, why string) {
	t, err := results.Pair{A: c, B: c}.Test(level)
	if err != nil {
		return 0, err.Error()
	}
	if t.Method == hypothesis.None {
		return 0, t.Why
	}
	values := c.Values()
	spread := slices.Max(values) - slices.Min(values)
	critical, _ := t.Detectable(level, 0.9) // 0 of runs with the same value
	// Beyond the whole spread, so that every run of one side is above the other's.
	return 1.05*max(margin, critical, spread) + 0.01*margin, ""
}

// collapse puts one run of the one cell of a at the end of the scale.
func (s *selfTest) collapse(a *results.Set, f *Finding, o Options) Probe {
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
			return Probe{What: what, Want: Inconclusive,
				Why: fmt.Sprintf("the floor is %s: no run can be below", f.number(*f.Floor))}
		}
		c.Samples[0].Value = 0
		for k := range c.Samples[0].Counts {
			c.Samples[0].Counts[k].Right = 0
		}
	}
	p := s.ask(what, a, b, o, f.Label)
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
