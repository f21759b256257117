package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"memobench/benchmarks/study"
	"memobench/benchmarks/train"
)

func (p *program) trainCommand() *cobra.Command {
	var t trainFlags
	var model, task string
	var seed uint64
	c := &cobra.Command{
		Use:   "train --model NAME --task NAME",
		Short: "Train one model on one task with one seed",
		Long: `Train one model on one task with one seed, evaluate it on the test split and print the result. A run
that was interrupted and resumed ends with the same weights as one that was not.`,
		Example: `  memobench train --model memo --task pai3 --seed 2 --out runs/memo-2
  memobench train --model emn --task babi --data data/babi --limit 20m
  memobench train --model memo --task pai3 --set hops=5 --set rows=generation --print-config`,
		Args: cobra.ExactArgs(0),
		RunE: func(*cobra.Command, []string) error {
			t.tasks, t.only, t.seeds = []string{task}, []string{model}, []uint64{seed}
			return p.train(&t)
		},
	}
	f := c.Flags()
	f.StringVar(&model, "model", "", "`NAME` of the model, or of a run in the study")
	f.StringVar(&task, "task", "", "`NAME` of the task")
	t.studyVar(f, "standard")
	f.Uint64Var(&seed, "seed", 0, "`NUMBER`, the seed of initial values, dropout and training data")
	f.BoolVar(&t.options.Resume, "resume", false, "resume the run in the directory; one that has ended is kept")
	t.addTraining(f, "the run's directory, `DIR` (default: one below runs/, named after the run)")
	needFlags(c, "model", "task")
	c.MarkFlagsMutuallyExclusive("resume", "overwrite")
	return c
}

func (p *program) train(t *trainFlags) error {
	selected, err := t.loadToTrain()
	if err != nil {
		return err
	}
	cell := selected.Cells()[0] // of several runs of the model the first is the main one
	if err := selected.Select([]string{cell.Task}, []string{cell.Name}); err != nil {
		return err
	}
	if t.printConfig {
		return p.printStudy(selected, t.options.DataPath)
	}
	if err := study.CheckData(t.options.DataPath, cell.Task); err != nil {
		return err
	}
	dir := cmp.Or(t.options.Dir, filepath.Join("runs", cell.Dir()))
	t.options.Dir = dir
	t.dir = func(*study.Cell) string { return dir }
	p.printBLAS(t.quiet, t.json)
	stop := p.start(t, []study.Cell{cell})
	rec, err := train.Run(p.ctx, cell, t.options)
	stop()
	if errors.Is(err, context.Canceled) {
		saved := "nothing was saved"
		var interrupted *train.Interrupted
		if errors.As(err, &interrupted) {
			saved = fmt.Sprintf("step %d of %d is saved in %s", interrupted.Step, cell.Protocol.Steps, dir)
		}
		return p.interrupted(saved, "--resume")
	}
	if err != nil {
		return err
	}
	if t.json {
		err = p.printJSON(rec)
	} else {
		err = p.printRun(dir, rec)
	}
	if err == nil && rec.Status.Failed() {
		err = inconclusive("%s: training diverged at step %d", cell.String(), rec.Training.DivergedAt)
	}
	return err
}
