package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/export"
	"memobench/datasets/file"
)

func (p *program) dataShowCommand() *cobra.Command {
	pick := export.Pick{N: 3, Split: datasets.Test}
	var set []string
	var path string
	var asJSON bool
	c := &cobra.Command{
		Use:   "show TASK",
		Short: "Print a few examples of a task",
		Long:  `Print a few examples of a task with their answers.`,
		Example: `  memobench data show babi --kind 2
  memobench data show sp --set nodes=8 --set length=3 --seed 4
  memobench data show babi --data stories --json`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeNames(datasets.Names),
		RunE: func(_ *cobra.Command, args []string) error {
			if pick.N < 1 || pick.N > maxShown {
				return usagef("data show: --number %d: want 1 to %d", pick.N, maxShown)
			}
			src, err := openTask(args[0], set, path, pick.Split)
			if err != nil {
				return err
			}
			if pick.Kind != "" && !slices.Contains(src.Kinds(), pick.Kind) {
				return unknown("kind", pick.Kind, src.Kinds())
			}
			if !asJSON {
				return export.WriteExamples(p.stdout, src, pick)
			}
			list, err := export.Draw(src, pick)
			if err != nil {
				return err
			}
			return p.printJSON(list)
		},
	}
	f := c.Flags()
	f.StringVar(&pick.Kind, "kind", "", "`KIND` of query, or number of a bAbI task (default: any)")
	f.IntVarP(&pick.N, "number", "n", pick.N, "`NUMBER` of examples")
	f.Uint64Var(&pick.Seed, "seed", 0, "`NUMBER`, the seed of the choice (default 0)")
	splitVar(f, &pick.Split)
	setVar(f, &set)
	dataVar(f, &path)
	f.BoolVar(&asJSON, "json", false, "print the examples as JSON")
	return c
}

// maxShown is the maximum number of examples that are shown.
const maxShown = 10_000

// openTask opens a task with changed settings, for one of its splits.
func openTask(task string, set []string, path string, split datasets.Split) (datasets.Source, error) {
	entry, known := datasets.Lookup(task)
	if !known {
		return nil, unknown("task", task, datasets.Names())
	}
	settings := entry.Defaults()
	for _, s := range set {
		if err := study.SetTask(settings, s); err != nil {
			return nil, usage(err)
		}
	}
	if err := study.CheckData(path, task); err != nil {
		return nil, err
	}
	src, err := entry.New(settings, datasets.Options{DataPath: path, Splits: []datasets.Split{split}, Partial: len(set) == 0})
	var setting *datasets.SettingError
	if errors.As(err, &setting) {
		err = usage(err)
	}
	return src, err
}

func (p *program) dataCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check PATH",
		Short: "Look for errors in exported files",
		Long: `Read files in the format of data export to their end, as the task file does, and say what they are. PATH
is a directory, or one of its files. The first error ends the command and names file and line.`,
		Example: `  memobench data check data/pai3
  memobench data check data/mine/test.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return file.Check(p.stdout, args[0]) },
	}
}
