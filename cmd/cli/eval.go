package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/datasets"
)

// allowCommand explains --allow-command.
const allowCommand = "let the weights of an external model start the command that they name"

func (p *program) evalCommand() *cobra.Command {
	var path string
	o := evaluate.Options{Split: datasets.Test}
	var quiet, asJSON bool
	var seed uint64
	c := &cobra.Command{
		Use:   "eval --checkpoint PATH",
		Short: "Evaluate a trained model again, on any split or on your own files",
		Long: `Evaluate the weights of a run again: on another split, with more questions, or on files of your own.
Nothing is written unless --keep-predictions or --out is given.`,
		Example: `  memobench eval --checkpoint runs/memo-2 --split validation --per-kind 5000
  memobench eval --checkpoint runs/emn-babi --data mystories --json
  memobench eval --checkpoint runs/memo-2 --out runs/evaluated`,
		Args: cobra.ExactArgs(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("seed") {
				o.Seed = &seed
			}
			return p.eval(path, o, quiet, asJSON)
		},
	}
	f := c.Flags()
	f.StringVar(&path, "checkpoint", "", "a run's directory or the weights in it, `PATH`")
	splitVar(f, &o.Split)
	dataVar(f, &o.DataPath)
	numberVar(f, &o.PerKind, "per-kind", 1, datasets.MaxPerKind, "`NUMBER` of questions of each kind (default: as in the run's protocol)")
	f.BoolVar(&o.All, "all", false, "all questions, where the task has finitely many")
	f.Uint64Var(&seed, "seed", 0, "`NUMBER`, the seed of the questions (default: as in the run's protocol)")
	f.BoolVar(&o.KeepPredictions, "keep-predictions", false, "write the answers next to the run's record")
	f.StringVar(&o.Out, "out", "", "empty directory `DIR` for a record of this evaluation, for check and compare")
	f.BoolVar(&o.AllowCommand, "allow-command", false, allowCommand)
	f.BoolVar(&quiet, "quiet", false, "print the result only")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	needFlags(c, "checkpoint")
	c.MarkFlagsMutuallyExclusive("per-kind", "all")
	for _, written := range []string{"keep-predictions", "out"} { // for the questions of the record
		for _, other := range []string{"split", "per-kind", "all", "seed"} {
			c.MarkFlagsMutuallyExclusive(written, other)
		}
	}
	return c
}

func (p *program) eval(path string, o evaluate.Options, quiet, asJSON bool) error {
	o.BLAS = recordedBLAS()
	p.printBLAS(quiet, asJSON)
	result, err := evaluate.Stored(p.ctx, path, o)
	if err != nil {
		return p.stopped(err, "nothing was written")
	}
	if asJSON {
		return p.printJSON(result)
	}
	if err := result.Print(p.stdout); err != nil {
		return err
	}
	if o.Out != "" {
		fmt.Fprintf(p.stdout, "  record: %s\n", filepath.Join(o.Out, record.FileName))
	}
	if result.Predictions != "" {
		fmt.Fprintf(p.stdout, "  answers: %s\n", result.Predictions)
	}
	return nil
}
