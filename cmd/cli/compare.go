package cli

import (
	"regexp"

	"github.com/spf13/cobra"

	"memobench/report/gate"
)

func (p *program) compareCommand() *cobra.Command {
	var all, asJSON bool
	var query string
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two sets of results, with intervals",
		Long: `Print the difference of the means, with its 95 % interval, of each number that two sets of results
have. A and B are records, directories with runs, or Go benchmark results. A path may choose the
runs of a name: runs:memo.`,
		Example: `  memobench compare runs/before runs/after
  memobench compare runs/quick:emn4 runs/quick:memo
  memobench compare runs/rates:memo,learning_rate=1e-3 runs/rates:memo,learning_rate=5e-4`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, paths []string) error {
			filter, err := regexp.Compile(query)
			if err != nil {
				return usagef("compare: --filter: %w", err)
			}
			a, b, err := twoSets(paths)
			if err != nil {
				return usagef("compare: %w", err)
			}
			differences, err := gate.Compare(a, b, filter, all)
			if err != nil {
				return usagef("compare: %w", err)
			}
			if asJSON {
				return p.printJSON(differences)
			}
			return differences.Text(p.stdout, p.style())
		},
	}
	f := c.Flags()
	f.StringVar(&query, "filter", "", filterUsage)
	f.BoolVar(&all, "all", false, "also times, steps and parameters")
	f.BoolVar(&asJSON, "json", false, "print the comparison as JSON")
	return c
}
