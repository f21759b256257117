package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/benchmarks/train"
	"memobench/cmd/cli/progress"
)

// trainFlags are the flags of the commands that train.
type trainFlags struct {
	studyFlags
	options     train.Options
	printConfig bool
	quiet, json bool

	allowCommand bool
}

// addTraining declares the flags; out explains --out.
func (t *trainFlags) addTraining(f *pflag.FlagSet, out string) {
	o := &t.options
	o.Threads, o.CheckpointEvery = 1, time.Minute
	setVar(f, &t.set)
	f.StringVar(&o.Dir, "out", "", out)
	dataVar(f, &o.DataPath)
	f.Func("checkpoint-every", "save so often, a `TIME` (30s, 5m) or a number of steps (default 1m)", func(text string) (err error) {
		if o.CheckpointSteps, err = strconv.Atoi(text); err == nil && o.CheckpointSteps > 0 {
			return nil
		}
		if o.CheckpointEvery, err = time.ParseDuration(text); err == nil && o.CheckpointEvery > 0 {
			return nil
		}
		return errors.New("want a time such as 30s or a number of steps, above 0")
	})
	f.DurationVar(&o.Limit, "limit", 0, "end training after this `TIME` (20m); the run is evaluated as it is and can be resumed")
	numberVar(f, &o.Threads, "threads", 1, 1024, "`NUMBER` of threads among which each training batch is divided; another number rounds differently")
	f.BoolVar(&o.Overwrite, "overwrite", false, "remove what the directory has of a run, and start anew")
	f.BoolVar(&o.KeepPredictions, "keep-predictions", false, "also write the answer to every test question, for memobench compare and check")
	f.BoolVar(&o.TensorBoard, "tensorboard", false, "also write learning curves for TensorBoard, into the runs' directories")
	f.BoolVar(&t.allowCommand, "allow-command", false, "let a study's file start the commands that it names as models")
	f.BoolVar(&t.printConfig, "print-config", false, "print the resolved study as YAML and train nothing")
	f.BoolVar(&t.quiet, "quiet", false, "no progress, only warnings")
	f.BoolVar(&t.json, "json", false, "print records as JSON instead of tables")
}

// loadToTrain is load for a command that trains. It refuses external models whose commands a
// file names, unless the user allows them: a command on the command line is allowed.
func (t *trainFlags) loadToTrain() (*study.Study, error) {
	s, err := t.load()
	if err != nil || t.allowCommand {
		return s, err
	}
	cells := s.Cells()
	for i := range cells {
		for _, command := range cells[i].Commands() {
			typed := slices.Contains(t.only, study.ExternalPrefix+command) ||
				slices.ContainsFunc(t.set, func(set string) bool { return strings.HasSuffix(set, "="+command) })
			if !typed {
				return nil, usagef("study %s: run %s starts the command %q; give --allow-command if you trust it", s.Name, cells[i].Name, command)
			}
		}
	}
	return s, nil
}

// start shows the progress of the cells until stop. What --set changed, which is the same for all
// of them, is in their names only if several cells would have the same name.
func (p *program) start(t *trainFlags, cells []study.Cell) (stop func()) {
	short := func(c *study.Cell) string {
		return fmt.Sprintf("%s %s seed %d", c.Task, record.NameWithoutChanges(c.Name), c.Seed)
	}
	count := map[string]int{}
	for i := range cells {
		count[short(&cells[i])]++
	}
	name := func(c *study.Cell) string {
		if count[short(c)] > 1 {
			return c.String()
		}
		return short(c)
	}
	o := &t.options
	if o.BLAS = recordedBLAS(); o.Threads > 1 {
		o.BLAS += fmt.Sprintf(", batches divided among %d threads", o.Threads)
	}
	d := progress.New(p.stderr)
	begin := func(cell study.Cell) progress.State {
		return progress.State{Name: name(&cell), Short: strings.TrimPrefix(name(&cell), cell.Task+" "),
			Group: cell.Task + " " + cell.Name, Steps: cell.Protocol.Steps}
	}
	d.Plan(o.Jobs, mapped(cells, begin))
	o.Progress = func(cell study.Cell) train.Progress {
		if t.quiet {
			return &warner{train.Silent, d, name(&cell)}
		}
		return &reporter{display: d, now: begin(cell), start: time.Now()}
	}
	return d.Close
}

// printStudy prints a study. It fails if training would refuse it.
func (p *program) printStudy(s *study.Study, dataPath string) error {
	if err := train.Check(p.ctx, s.Cells(), dataPath); err != nil {
		return err
	}
	data, err := s.YAML()
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(data)
	return err
}

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
