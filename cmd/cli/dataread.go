package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memobench/datasets"
	"memobench/datasets/export"
	"memobench/datasets/file"
)

func (p *program) dataShowCommand() *cobra.Command {
	var pick export.Pick
	var o taskFlags
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
			src, split, err := o.open(args[0])
			if err != nil {
				return err
			}
			if pick.Kind != "" && !slices.Contains(src.Kinds(), pick.Kind) {
				return unknown("kind", pick.Kind, src.Kinds())
			}
			pick.Split = split
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
	f.IntVarP(&pick.N, "number", "n", 3, "`NUMBER` of examples")
	f.Uint64Var(&pick.Seed, "seed", 0, "`NUMBER`, the seed of the choice (default 0)")
	f.StringVar(&o.split, "split", "test", "`SPLIT` to show: train, validation or test")
	o.add(f)
	f.BoolVar(&asJSON, "json", false, "print the examples as JSON")
	return c
}

// maxShown is the maximum number of examples that are shown.
const maxShown = 10_000

// taskFlags select examples of a task.
type taskFlags struct {
	split, path string
	set         []string
}

func (o *taskFlags) add(f *pflag.FlagSet) {
	setVar(f, &o.set)
	dataVar(f, &o.path)
}

// open opens a task for its split.
func (o *taskFlags) open(task string) (datasets.Source, datasets.Split, error) {
	split, err := datasets.ParseSplit(o.split)
	if err != nil {
		return nil, split, usagef("--split: %w", err)
	}
	entry, settings, err := taskSettings(task, o.set)
	if err == nil {
		err = checkData(o.path, task)
	}
	if err != nil {
		return nil, split, err
	}
	src, err := entry.New(settings, datasets.Options{DataPath: o.path, Splits: []datasets.Split{split}, Partial: len(o.set) == 0})
	var setting *datasets.SettingError
	if errors.As(err, &setting) {
		err = usage(err)
	}
	return src, split, err
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
