package cli

import (
	"errors"
	"fmt"
	"slices"

	"memobench/benchmarks/printable"
	"memobench/report/gate"
)

// checkFlags are the flags' values.
type checkFlags struct {
	margins, floors []string
	filter          string
	selfTest        bool
	json, github    bool
	ascii           bool
}

// check is the regression gate. With --github wrong usage is an annotation, too.
func (p *program) check(args []string) error {
	err := p.checkArgs(args)
	var usage *usageError
	if errors.As(err, &usage) && (slices.Contains(args, "--github") || slices.Contains(args, "--github=true")) {
		if err := gate.Annotate(p.stdout, "error", "wrong usage", printable.Error(err)); err != nil {
			return err
		}
	}
	return err
}

func (p *program) checkArgs(args []string) error {
	f := p.flags("check BASELINE RESULTS [flags]",
		`Compare results with a baseline. The check fails if a mean drops by more than its
margin and p is at most alpha after Benjamini and Hochberg's adjustment over all
cells, if more runs failed, diverged or are missing, if a run is beyond a floor
that was given, or if a cell of the baseline is missing. It is inconclusive where
too few runs could not show a drop of the margin, or where a run is far below the
baseline's worst. Results of different protocols or data are refused. A run
without a result, and one with all numbers of another seed, count as missing.

Either side is a record, a directory with runs, their bench.txt, what memobench
run --json printed, or the output of go test -bench=Accuracy. Runs of one seed
are compared by their counts, or by McNemar's test if both kept their answers
(--keep-predictions).

Exit status: 0 pass, 1 fail, 2 wrong usage or results that cannot be read or
compared, 3 inconclusive.`,
		[2]string{"check baseline runs/new", "compare new runs with a committed baseline"},
		[2]string{"check old.txt new.txt --margin accuracy=2 --margin nats=10%", "outputs of go test, other margins"},
		[2]string{"check --selftest baseline", "show that the gate can pass and can fail on these runs"})
	o := gate.Defaults()
	var c checkFlags
	f.StringArrayVar(&c.margins, "margin", nil, "`UNIT=NUMBER` that a mean may drop by, with % for a part of the baseline, or off;\naccuracies have 1, other units are not evaluated; may be given several times")
	f.StringArrayVar(&c.floors, "floor", nil, "`UNIT=NUMBER` that no run may be beyond, or off; a run beyond worst-NUMBER, so much\nbeyond the baseline's worst, is inconclusive; accuracies have worst-10")
	f.BoolVar(&o.AllowMissing, "allow-missing", false, "accept fewer runs than the baseline has, and runs that crashed")
	f.StringVar(&c.filter, "filter", "", filterUsage)
	f.Float64Var(&o.Alpha, "alpha", o.Alpha, "false discovery `RATE` over all cells")
	f.Float64Var(&o.Power, "power", o.Power, "`RATE` at which the detectable drop is found")
	f.BoolVar(&c.selfTest, "selftest", false, "compare one set with itself, and with injected drops and failures")
	f.BoolVar(&c.json, "json", false, "print the report as JSON")
	f.BoolVar(&c.github, "github", false, "print annotations for GitHub Actions instead of the table")
	f.BoolVar(&c.ascii, "ascii", false, "text in plain ASCII, whatever the locale")
	if err := f.parse(args, "two sets of results"); err != nil {
		return err
	}
	if err := c.options(&o); err != nil {
		return err
	}
	if c.selfTest {
		return p.checkSelf(f, &c, o)
	}
	a, b, err := twoSets(f)
	if err != nil {
		return err
	}
	r, err := gate.Check(a, b, o)
	if err != nil {
		return usagef("check: %w", err)
	}
	switch {
	case c.json:
		err = p.printJSON(r)
	case c.github:
		err = r.GitHub(p.stdout)
	default:
		err = r.Print(p.stdout, p.style(c.ascii))
	}
	if err != nil {
		return err
	}
	return verdict(r.Verdict, r.Counts())
}

// options sets the options of package gate.
func (c *checkFlags) options(o *gate.Options) error {
	if c.json && c.github {
		return usagef("check: --json and --github are two outputs: give one of them")
	}
	for _, m := range c.margins {
		if err := o.SetMargin(m); err != nil {
			return usagef("check: --margin: %w", err)
		}
	}
	for _, fl := range c.floors {
		if err := o.SetFloor(fl); err != nil {
			return usagef("check: --floor: %w", err)
		}
	}
	if err := o.SetFilter(c.filter); err != nil {
		return usagef("check: --filter: %w", err)
	}
	if err := o.Validate(); err != nil {
		return usagef("check: %w", err)
	}
	return nil
}

// checkSelf runs the gate's self-test.
func (p *program) checkSelf(f *flagSet, c *checkFlags, o gate.Options) error {
	if f.NArg() != 1 {
		return usagef("check: --selftest takes one set of results, for example: memobench check --selftest baseline")
	}
	if c.github {
		return usagef("check: --selftest has no form for --github")
	}
	a, err := readSet(f.Arg(0))
	if err != nil {
		return usagef("check: %w", err)
	}
	s, err := gate.RunSelfTest(a, o)
	if err != nil {
		return usagef("check: %w", err)
	}
	if c.json {
		err = p.printJSON(s)
	} else {
		err = s.Print(p.stdout)
	}
	if err != nil {
		return err
	}
	return verdict(s.Verdict, "self-test")
}

// verdict returns the error that determines the exit status.
func verdict(v gate.Verdict, summary string) error {
	switch v {
	case gate.Pass:
		return nil
	case gate.Inconclusive:
		return &inconclusiveError{"check: " + summary}
	}
	return fmt.Errorf("check: fail: %s", summary)
}
