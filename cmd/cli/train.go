package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
	"memobench/report/results"
	"memobench/report/table"
)

// train trains one model on one task with one seed.
func (p *program) train(args []string) error {
	f := p.flags("train --model NAME --task NAME [flags]",
		`Train one model on one task with one seed, evaluate it on the test split and print
the result. The run's directory holds the result, the learning curve, the
weights and, in checkpoint/, what is needed to resume after an interruption:
--resume then ends with the same weights as a run without one.`,
		[2]string{"train --model memo --task pai3", "MEMO at the paper's sizes"},
		[2]string{"train --model memo --task pai3 --seed 2 --out runs/memo-2", "another seed, in a directory of your choice"},
		[2]string{"train --model memo --task pai3 --seed 2 --out runs/memo-2 --resume", "resume after an interruption"},
		[2]string{"train --model emn --task babi --data data/babi --limit 20m", "bAbI from its files, for 20 minutes"},
		[2]string{"train --model memo --task pai3 --set hops=5 --set rows=generation --print-config", "see what would be trained"})
	var c common
	var model, task string
	var seed uint64
	var resume bool
	f.StringVar(&model, "model", "", "`NAME` of the model, or of a variant of it in the preset")
	f.StringVar(&task, "task", "", "`NAME` of the task")
	f.Uint64Var(&seed, "seed", 0, "`NUMBER`, the seed of initial values, dropout and training data (default 0)")
	events := f.Bool("tensorboard", false, "also write the learning curve for TensorBoard, into the run's directory")
	f.BoolVar(&resume, "resume", false, "resume the run in the directory; one that has ended is kept")
	c.add(f, "standard", "exactly the run's directory, `DIR` (default: one below runs/, named after the run)")
	if err := f.parse(args, ""); err != nil {
		return err
	}
	if err := cmp.Or(required(f, "model", "memo"), required(f, "task", "pai3")); err != nil {
		return err
	}
	if resume && c.overwrite {
		return usagef("train: --resume resumes a run and --overwrite removes it: give one of them")
	}
	cell, preset, err := c.cell(task, model, seed)
	if err != nil {
		return err
	}
	if c.printConfig {
		return p.printConfig(preset, c.data)
	}
	if err := checkData(c.data, cell.Task); err != nil {
		return err
	}
	c.out = cmp.Or(c.out, filepath.Join("runs", cell.Dir()))
	o, err := c.options(1)
	if err != nil {
		return err
	}
	o.Resume = resume
	p.printBLAS(c.quiet, c.json)
	stop := p.display(&c, &o, []config.Cell{cell}, (*config.Cell).Name)
	if show := o.Progress; *events {
		o.Progress = func(cell config.Cell) train.Progress { return &tensorboard{Progress: show(cell), dir: c.out} }
	}
	rec, err := train.Run(p.ctx, cell, o)
	stop()
	if errors.Is(err, context.Canceled) {
		what := "nothing was saved"
		var interrupted *train.Interrupted
		if errors.As(err, &interrupted) {
			what = fmt.Sprintf("step %d of %d is saved in %s", interrupted.Step, cell.Protocol.Steps, c.out)
		}
		return &interruptedError{what: what, resume: p.resumeCommand(append([]string{"train"}, args...), "--resume")}
	}
	if err != nil {
		return explainDir(err)
	}
	if c.json {
		err = p.printJSON(rec)
	} else {
		err = p.printRun(results.Run{Path: filepath.Join(c.out, record.FileName), Record: rec})
	}
	if err != nil {
		return err
	}
	if rec.Status.Failed() {
		return &inconclusiveError{fmt.Sprintf("%s: training diverged at step %d", cell.Name(), rec.Training.DivergedAt)}
	}
	return nil
}

// printRun prints the table of a single run, and its directory.
func (p *program) printRun(r results.Run) error {
	t, err := table.TaskTable([]results.Run{r})
	if err != nil {
		return err
	}
	if err := p.print([]*table.Table{t}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "The run is in %s\n", filepath.Dir(r.Path))
	return err
}

// cell returns the run that the flags describe.
func (c *common) cell(task, model string, seed uint64) (config.Cell, *config.Preset, error) {
	preset, err := partOf(c.preset, []string{task}, []string{model}, []uint64{seed}, c.set)
	if err != nil {
		return config.Cell{}, nil, err
	}
	cells := preset.Cells()
	if len(cells) == 1 {
		return cells[0], preset, nil
	}
	// The preset has several variants of the model: the first is the main one.
	first := cells[0].Label
	if err := preset.Select(task, first); err != nil {
		return config.Cell{}, nil, err
	}
	return cells[0], preset, nil
}

// printConfig prints a preset. It fails if training would refuse it.
func (p *program) printConfig(preset *config.Preset, dataPath string) error {
	if err := train.Check(p.ctx, preset.Cells(), dataPath); err != nil {
		return err
	}
	data, err := preset.YAML()
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(data)
	return err
}

// explainDir adds to the refusal of a directory the flags that help.
func explainDir(err error) error {
	var dir *train.DirError
	if !errors.As(err, &dir) {
		return err
	}
	switch dir.Problem {
	case train.DirFinished, train.DirUnfinished:
		return fmt.Errorf("%w\nAdd --resume to keep what is there, or --overwrite to start anew", err)
	case train.DirOtherData:
		return fmt.Errorf("%w\nName the data of training with --data, or another directory with --out, or add --overwrite to remove what is there", err)
	case train.DirOtherRun, train.DirLost:
		return fmt.Errorf("%w\nName another directory with --out, or add --overwrite to remove what is there", err)
	}
	return err
}
