package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memobench/datasets/binfile"
	"memobench/report"
	"memobench/report/page"
	"memobench/report/results"
	"memobench/report/table"
	"memobench/report/tables"
)

func (p *program) reportCommand() *cobra.Command {
	var out, only, own string
	var formats []string
	c := &cobra.Command{
		Use:   "report [RUNS...]",
		Short: "Write the paper's tables and figures from runs",
		Long: `Write a report of the runs in or below the directories (default: runs): the paper's tables with the
numbers measured here next to the published ones, and figures. Without --out, one format is printed.
With --out, the files replace those of an earlier report in that directory.`,
		Example: `  memobench report benchmarks/recorded --out recorded-out
  memobench report runs/quick --format markdown
  memobench report runs/mine --tables my.yaml`,
		RunE: func(_ *cobra.Command, paths []string) error {
			if len(paths) == 0 {
				paths = []string{"runs"}
			}
			if err := checkFormats(formats...); err != nil {
				return err
			}
			if out == "" && len(formats) > 1 {
				return usagef("report: --format %s: only one format can be printed; --out DIR takes several", strings.Join(formats, ","))
			}
			specs, err := ownSpecs(own)
			if err != nil {
				return err
			}
			set, err := results.Read(paths...)
			if err != nil {
				return err
			}
			if only != "" {
				return p.oneTable(set, specs, only, append(formats, "markdown")[0])
			}
			r, err := report.New(set, specs)
			if err != nil {
				return err
			}
			if out == "" {
				return r.Print(p.stdout, append(formats, "text")[0], p.style())
			}
			if formats == nil {
				formats = report.Formats
			}
			files, err := r.Files(formats, table.Style{ASCII: p.ascii})
			if err == nil {
				err = p.ctx.Err() // from here on an interrupt does not end the program
			}
			if err == nil {
				err = report.Write(out, files)
			}
			if err == nil {
				_, err = fmt.Fprintf(p.stdout, "%d files in %s\n", len(files), out)
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&out, "out", "", "write files into `DIR` instead of printing")
	f.StringSliceVar(&formats, "format", nil, "`NAMES` of formats: "+strings.Join(report.Formats, ", ")+" (default: text, with --out all)")
	f.StringVar(&only, "table", "", "print the table of this `NAME` alone")
	f.StringVar(&own, "tables", "", "also fill the tables of a YAML `FILE` (see docs/studies.md)")
	c.MarkFlagsMutuallyExclusive("out", "table")
	cobra.CheckErr(c.RegisterFlagCompletionFunc("table", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return specNames(tables.All()), cobra.ShellCompDirectiveNoFileComp
	}))
	return c
}

// maxSpecs is the maximum size of the user's specifications in bytes.
const maxSpecs = 1 << 20

// ownSpecs reads the user's specifications of tables; none for an empty path.
func ownSpecs(path string) ([]table.Spec, error) {
	if path == "" {
		return nil, nil
	}
	data, err := binfile.ReadFile(path, maxSpecs)
	if err != nil {
		return nil, usage(err)
	}
	specs, err := table.ParseSpecs(data)
	if err != nil {
		return nil, usagef("report: --tables %s: %v", path, err)
	}
	return specs, nil
}

func specNames(specs []table.Spec) []string {
	var names []string
	for _, s := range specs {
		names = append(names, s.ID)
	}
	return names
}

// oneTable prints one table of the report, of the documents, of the user, or of a study.
func (p *program) oneTable(set *results.Set, own []table.Spec, name, format string) error {
	specs := slices.Concat(own, tables.All(), table.ByTask(set.Runs), table.ByShift(set.Runs))
	i := slices.IndexFunc(specs, func(s table.Spec) bool { return s.ID == name })
	if i < 0 {
		return unknown("table", name, specNames(specs))
	}
	t, err := specs[i].Fill(set.Runs)
	if err != nil {
		return err
	}
	if len(t.Sections) == 0 {
		return fmt.Errorf("report: table %s is empty: it has no run among these results", name)
	}
	if format == "markdown" {
		return t.MarkdownRows(p.stdout)
	}
	return (&report.Report{Groups: []page.Group{{Tables: []*table.Table{t}}}, Runs: set.Runs}).Print(p.stdout, format, p.style())
}

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
			err := checkFormats(format)
			var set *results.Set
			if err == nil {
				set, err = results.Read(paths...)
			}
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
	r, err := report.OfRuns(runs)
	if err != nil {
		return err
	}
	return r.Print(p.stdout, format, p.style())
}

func checkFormats(formats ...string) error {
	for _, format := range formats {
		if !slices.Contains(report.Formats, format) {
			return unknown("format", format, report.Formats)
		}
	}
	return nil
}
