package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/cmd/memobench/progress"
	"memobench/datasets"
	"memobench/models/engine"
	"memobench/report/results"
	"memobench/report/table"
)

// generalize evaluates trained weights on questions unlike those of training.
func (p *program) generalize(args []string) error {
	f := p.flags("generalize RUN... --axis SETTING=VALUES [flags]",
		`Evaluate the weights of runs on test questions that differ from those of training in
one setting of the task, for several values of it: longer chains (length), more
sequences in a memory (sequences), items of classes never trained (unseen, with
generated embeddings), other graphs (nodes, degree), statements of other stories
between those of a bAbI story (distractors), questions that need the combinations of
words that held_out left out of training (combinations), or any other setting. With
--hops each value is evaluated with several numbers of hops (memo, emn), recurrent
steps (ut) or pondering steps (dnc). Nothing is trained.

Each evaluation is a record in a directory of its own below --out; those that are there
are not repeated, so that the same command resumes. Such records are in no other table,
figure or comparison; memobench report has tables and figures of them. Weights that cannot
be used at a value are named at the end, and the others are evaluated.`,
		[2]string{"generalize runs/memo-2 --axis length=3,4,5,6,7,8", "chains longer than trained"},
		[2]string{"generalize runs/memo-2 runs/emn-2 --axis sequences=16,32,64,128,256 --hops 3,5", "larger memories, with 3 and with 5 hops"},
		[2]string{"generalize runs/babi --axis distractors=0,10,50,200 --data data/babi", "a haystack around the facts of bAbI"})
	var axes []string
	var hops []int
	var o evaluate.ShiftOptions
	var quiet, asJSON bool
	f.StringArrayVar(&axes, "axis", nil, "`SETTING=VALUES` with commas between; may be given several times, one setting at a time is changed (settings: memobench ls -v)")
	f.IntSliceVar(&hops, "hops", nil, "`NUMBERS` of hops with commas between (default: as in training)")
	f.StringVar(&o.Out, "out", "runs/generalization", "directory above those of the records, `DIR`")
	f.dataVar(&o.DataPath)
	f.IntVar(&o.PerKind, "per-kind", 0, "`NUMBER` of questions of each kind, at most those of the run's protocol (default: as many)")
	f.BoolVar(&o.AllowCommand, "allow-command", false, "let the weights of an external model start the command that they name")
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.BoolVar(&asJSON, "json", false, "print the records as a JSON array instead of tables")
	if err := f.parse(args, "runs"); err != nil {
		return err
	}
	if f.NArg() == 0 || axes == nil {
		return usagef("generalize: name one run or more and an axis, for example: memobench generalize runs/memo-2 --axis length=3,4,5")
	}
	if o.PerKind < 0 || o.PerKind > datasets.MaxPerKind || o.PerKind == 0 && f.Changed("per-kind") {
		return usagef("generalize: --per-kind %d: want 1 to %d", o.PerKind, datasets.MaxPerKind)
	}
	var parsed []evaluate.Axis
	for _, text := range axes {
		a, err := evaluate.ParseAxis(text)
		if err != nil {
			return usagef("generalize: %w", err)
		}
		parsed = append(parsed, a)
	}
	engine.SetBLASThreads(1)
	o.BLAS = recordedBLAS()
	var all []*evaluate.Shifted
	for _, run := range f.Args() {
		if err := checkDataOf(run, o.DataPath); err != nil {
			return err
		}
		list, err := evaluate.Shifts(run, parsed, hops, o)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return fmt.Errorf("generalize: --out: %w", err)
	}
	p.printBLAS(quiet, asJSON)
	runs, failed := p.evaluateShifted(all, quiet)
	if p.ctx.Err() != nil {
		return p.interrupted(fmt.Sprintf("%d of %d evaluations are in %s", len(runs), len(all), o.Out), args, "generalize")
	}
	if asJSON {
		return errors.Join(p.printRecords(runs), failed)
	}
	return errors.Join(p.print(table.Generalization(table.ShiftedGroups(runs))), failed)
}

// evaluateShifted runs the evaluations one after another, with their progress, and returns
// their records and errors.
func (p *program) evaluateShifted(all []*evaluate.Shifted, quiet bool) (runs []results.Run, failed error) {
	begin := func(e *evaluate.Shifted) progress.State {
		return progress.State{Name: e.Name(), Steps: 100, Done: "evaluating"}
	}
	d := progress.New(p.stderr)
	d.Plan(1, mapped(all, begin))
	defer d.Close()
	show := func(s progress.State) {
		if !quiet {
			d.Show(s)
		}
	}
	for _, evaluation := range all {
		start := time.Now()
		state := begin(evaluation)
		show(state)
		rec, kept, err := evaluation.Evaluate(p.ctx, func(share float64) {
			state.Step, state.Done = int(100*share), fmt.Sprintf("%.0f %% of the questions", 100*share)
			if share > 0 {
				state.Left = time.Duration(float64(time.Since(start)) * (1 - share) / share)
			}
			show(state)
		})
		if p.ctx.Err() != nil {
			return runs, failed
		}
		end := state
		end.Closed, end.Note = true, "evaluated before"
		switch {
		case err != nil:
			end.Note = "not possible"
			failed = errors.Join(failed, err)
		case !kept:
			end.Note = fmt.Sprintf("after %s: %s", progress.Duration(time.Since(start)), progress.Accuracy(accuracies(rec.Evaluation.Kinds)))
		}
		show(end)
		if err == nil {
			runs = append(runs, results.Run{Path: filepath.Join(evaluation.Dir, record.FileName), Record: rec})
		}
	}
	return runs, failed
}
