package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/cmd/cli/progress"
	"memobench/datasets"
	"memobench/report/results"
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

func (p *program) generalizeCommand() *cobra.Command {
	var axes []evaluate.Axis
	var hops []int
	var o evaluate.Options
	var quiet, asJSON bool
	c := &cobra.Command{
		Use:   "generalize RUN... --axis SETTING=VALUES",
		Short: "Evaluate trained models on questions unlike those of training",
		Long: `Evaluate the weights of runs on test questions that differ from those of training in one setting of
the task, for several values of it, and with --hops for several numbers of hops. Each evaluation is
a record below --out; those that exist are not repeated. docs/generalization.md explains the axes.`,
		Example: `  memobench generalize runs/memo-2 --axis length=3,4,5,6,7,8
  memobench generalize runs/memo-2 runs/emn-2 --axis sequences=16,32,64,128,256 --hops 3,5
  memobench generalize runs/babi --axis distractors=0,10,50,200 --data data/babi`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, runs []string) error { return p.generalize(runs, axes, hops, o, quiet, asJSON) },
	}
	f := c.Flags()
	f.Func("axis", "`SETTING=VALUES` with commas between; may be repeated, one setting at a time is changed (settings: memobench ls -v)", func(text string) error {
		axis, err := evaluate.ParseAxis(text)
		axes = append(axes, axis)
		return err
	})
	f.IntSliceVar(&hops, "hops", nil, "`NUMBERS` of hops, recurrent or pondering steps, with commas between (default: as in training)")
	f.StringVar(&o.Out, "out", "runs/generalization", "directory above those of the records, `DIR`")
	dataVar(f, &o.DataPath)
	numberVar(f, &o.PerKind, "per-kind", 1, datasets.MaxPerKind, "`NUMBER` of questions of each kind, at most those of the run's protocol (default: as many)")
	f.BoolVar(&o.AllowCommand, "allow-command", false, allowCommand)
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.BoolVar(&asJSON, "json", false, "print the records as a JSON array instead of tables")
	needFlags(c, "axis")
	return c
}

func (p *program) generalize(runs []string, axes []evaluate.Axis, hops []int, o evaluate.Options, quiet, asJSON bool) error {
	o.BLAS = recordedBLAS()
	var all []*evaluate.Shifted
	for _, run := range runs {
		list, err := evaluate.Shifts(run, axes, hops, o)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return fmt.Errorf("generalize: --out: %w", err)
	}
	p.printBLAS(quiet, asJSON)
	evaluated, failed := p.evaluateShifted(all, quiet)
	if p.ctx.Err() != nil {
		return p.interrupted(fmt.Sprintf("%d of %d evaluations are in %s", len(evaluated), len(all), o.Out))
	}
	if asJSON {
		return errors.Join(p.printRecords(evaluated), failed)
	}
	return errors.Join(p.printRuns(evaluated, "text"), failed)
}

// evaluateShifted runs the evaluations one after another, with their progress, and returns
// their records and errors.
func (p *program) evaluateShifted(all []*evaluate.Shifted, quiet bool) (runs []results.Run, failed error) {
	d := progress.New(p.stderr)
	defer d.Close()
	d.Plan(1, mapped(all, func(*evaluate.Shifted) progress.State { return progress.State{Steps: 100} }))
	show := func(s progress.State) {
		if !quiet {
			d.Show(s)
		}
	}
	for _, evaluation := range all {
		start, state := time.Now(), progress.State{Name: evaluation.Name(), Steps: 100, Done: "evaluating"}
		show(state)
		rec, kept, err := evaluation.Evaluate(p.ctx, func(share float64) {
			state.Step, state.Done = int(100*share), fmt.Sprintf("%.0f %% of the questions", 100*share)
			if share > 0 {
				state.Left = time.Duration(float64(time.Since(start)) * (1 - share) / share)
			}
			show(state)
		})
		state.Closed = true
		switch {
		case p.ctx.Err() != nil:
			return runs, failed
		case err != nil:
			state.Note, failed = "not possible", errors.Join(failed, err)
		case kept:
			state.Note = "evaluated before"
		default:
			state.Note = fmt.Sprintf("after %s: %s", progress.Duration(time.Since(start)), progress.Accuracy(accuracies(rec.Evaluation.Kinds)))
		}
		show(state)
		if err == nil {
			runs = append(runs, results.Run{Source: filepath.Join(evaluation.Dir, record.FileName), Record: rec})
		}
	}
	return runs, failed
}
