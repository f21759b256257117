package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"memobench/report"
	"memobench/report/results"
	"memobench/report/table"
)

func (p *program) tableCommand() *cobra.Command {
	format := "text"
	c := &cobra.Command{
		Use:   "table RUNS...",
		Short: "Print a table for each study and task among runs",
		Long: `Print a table for each study and task among the runs in or below the directories: mean, standard
deviation and number of seeds, with the paper's value next to them.`,
		Example: `  memobench table runs/quick
  memobench table runs/mine benchmarks/recorded/quick
  memobench table runs/quick --format tidy`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			set, err := results.Read(paths...)
			if err == nil {
				err = p.printRuns(set.Runs, format)
			}
			if err == nil {
				for _, dir := range set.Unfinished {
					fmt.Fprintf(p.stderr, "memobench: %s: unfinished, not in the tables\n", dir)
				}
			}
			return err
		},
	}
	c.Flags().StringVar(&format, "format", format, "`NAME` of the format: "+strings.Join(report.Formats, ", "))
	return c
}

// printRuns prints a table for each study and task, and for evaluations on shifted questions.
func (p *program) printRuns(runs []results.Run, format string) error {
	results.SortByIdentity(runs)
	var filled []*table.Table
	for _, specs := range [][]table.Spec{table.ByTask(runs), table.ByShift(runs)} {
		for i := range specs {
			t, err := specs[i].Fill(runs)
			if err != nil {
				return err
			}
			filled = append(filled, t)
		}
	}
	return p.writeTables(filled, runs, format)
}

// writeTables prints tables in a format.
func (p *program) writeTables(list []*table.Table, runs []results.Run, format string) error {
	switch format {
	case "csv":
		return table.CSV(p.stdout, list)
	case "json":
		return table.JSON(p.stdout, list)
	case "tidy":
		return table.TidyCSV(p.stdout, runs)
	}
	for i, t := range list {
		if i > 0 {
			fmt.Fprintln(p.stdout)
		}
		var err error
		switch format {
		case "markdown":
			err = t.MarkdownRows(p.stdout)
		case "latex":
			err = t.LaTeX(p.stdout)
		case "text":
			err = t.Text(p.stdout, p.style())
		default:
			return unknown("format", format, report.Formats)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
