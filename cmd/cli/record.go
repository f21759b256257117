package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/sweep"
)

func (p *program) recordCommand() *cobra.Command {
	var into string
	c := &cobra.Command{
		Use:   "record RUNS --into DIR",
		Short: "Add finished runs to a recorded study",
		Long: `Add finished runs to the recorded study in a directory: study.yaml, records.jsonl and curves.jsonl.gz.
RUNS are directories of runs, or directories above them. A new directory gets a study.yaml of the runs.`,
		Example: `  memobench record runs/fair --into benchmarks/recorded/fair`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			added, err := sweep.Record(into, args...)
			if err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "%s: %s added\n", into, printable.Count(added, "runs"))
			return nil
		},
	}
	c.Flags().StringVar(&into, "into", "", "`DIR` of the recorded study")
	needFlags(c, "into")
	return c
}
