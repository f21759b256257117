package cli

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"memobench/report/gate"
)

func (p *program) checkCommand() *cobra.Command {
	o := gate.Defaults()
	var filter string
	var asJSON, github bool
	c := &cobra.Command{
		Use:   "check BASELINE RESULTS",
		Short: "Compare results with a baseline: the regression gate",
		Long: `Fail if a mean is significantly lower than the baseline's by more than its margin, if runs or cells
of the baseline are missing, or if a run is beyond a floor. Either side is a record, a directory
with runs, or Go benchmark results. Exit status: 0 pass, 1 fail, 2 wrong usage or results that
cannot be compared, 3 inconclusive. docs/gate.md explains the statistics.`,
		Example: `  memobench check baseline runs/new
  memobench check old.txt new.txt --margin accuracy=2 --margin nats=10%`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, paths []string) error {
			// Errors are of usage, because exitFailed is a regression.
			var err error
			if o.Filter, err = regexp.Compile(filter); err != nil {
				return usagef("check: --filter: %w", err)
			}
			a, b, err := twoSets(paths)
			var r *gate.Report
			if err == nil {
				r, err = gate.Check(o, a, b)
			}
			if err != nil {
				return usagef("check: %w", err)
			}
			switch {
			case asJSON:
				err = p.printJSON(r)
			case github:
				err = r.GitHub(p.stdout)
			default:
				err = r.Text(p.stdout, p.style())
			}
			if err != nil || r.Verdict == gate.Pass {
				return err
			}
			if r.Verdict == gate.Inconclusive {
				return inconclusive("check: %s", r.Summary())
			}
			return fmt.Errorf("check: %s", r.Summary())
		},
	}
	f := c.Flags()
	f.Func("margin", "`UNIT=NUMBER` that a mean may drop by, with % for a part of the baseline, or off; accuracies have 1, other units are not compared", o.SetMargin)
	f.Func("floor", "`UNIT=NUMBER` that no run may be beyond, or off; accuracies have worst-10, which is 10 beyond the baseline's worst and only inconclusive", o.SetFloor)
	f.BoolVar(&o.AllowMissing, "allow-missing", false, "accept fewer runs than the baseline has, and runs that crashed")
	f.StringVar(&filter, "filter", "", filterUsage)
	f.Float64Var(&o.Alpha, "alpha", o.Alpha, "false discovery `RATE` over all cells")
	f.Float64Var(&o.Power, "power", o.Power, "`RATE` at which the detectable drop is found")
	f.BoolVar(&asJSON, "json", false, "print the report as JSON")
	f.BoolVar(&github, "github", false, "print annotations for GitHub Actions instead of the table")
	c.MarkFlagsMutuallyExclusive("json", "github")
	return c
}

// filterUsage explains --filter.
const filterUsage = "only numbers whose name, such as 'pai3 memo A-C accuracy', matches this `REGEXP`"

// twoSets reads two sets of results.
func twoSets(paths []string) (a, b *gate.Set, err error) {
	if a, err = gate.Read(paths[0]); err == nil {
		b, err = gate.Read(paths[1])
	}
	return a, b, err
}
