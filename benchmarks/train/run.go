// Package train trains cells and writes their results.
//
// What comes in: a study.Cell, or a list of them. What goes out: one directory per run,
// with its result record.
//
//	Run(ctx, cell, options)        *record.Record of one cell, in options.Dir
//	RunAll(ctx, cells, options)    one directory per cell below options.Dir; finished
//	                               cells are kept, unfinished ones resume
//
// What always holds:
//
//   - Every model of an experiment gets the same batches in the same order, at most the
//     same number of steps, and the same questions. A run that ends before the last step
//     (early stop, time limit, divergence) says so in its status and caveats.
//   - The same cell gives the same record except for times (record.Times). A run that was
//     interrupted and resumed ends with the same weights, bit for bit, as one that was
//     not. Both hold for one BLAS and one number of its threads; a run resumed under
//     another BLAS has a caveat.
//   - A run's directory is locked while a process works on it. Files that this run did
//     not write are replaced only with Overwrite, and the record of a finished run is
//     returned only for the same configuration and data.
//   - Before the first step the data of the final evaluation are opened and its first
//     questions drawn. If the evaluation still fails, the checkpoint is kept, and resuming
//     evaluates again.
//   - record.json has the SHA-256 of the weights and the curve, a checkpoint those of its
//     tensors and of itself. Of two checkpoints the last intact one is used, whatever the
//     state of the other files.
//   - The training loop has no user interface: it calls hooks and a Progress.
//   - A run that diverges (a loss that is NaN, infinite or above 1e6 times the loss of
//     guessing) is a result, not an error: its record counts no right answers and says so.
//   - A batch is a pure function of (data, seed, step), so the step is the only state of
//     the data in a checkpoint.
//
// # A run's directory
//
//	record.json         the result (package record; SCHEMA.md there lists the keys)
//	bench.txt           the same numbers in the Go benchmark format, for benchstat
//	predictions.jsonl   the answer to every test question, on request
//	curve.jsonl         the learning curve: one JSON object per evaluation
//	model.safetensors   the evaluated weights; its metadata rebuilds the model
//	config.yaml         the resolved cell, as a study of one run
//	checkpoint/         the last two saves of weights, optimizer and trainer state
//	lock                locked while a process works here: its number, host and run
//
// record.json is written last: a run is done when its record has a finished status. A
// run that diverged leaves no model.safetensors. A run that was ended by a time limit
// has a record with status interrupted, and keeps its checkpoint.
package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/models"
	"memobench/models/checkpoint"
)

// Options say where and how cells run. They change no result.
type Options struct {
	Dir       string // of the run; for RunAll the parent of the runs' directories
	DataPath  string // files the user named; empty means the task's own search path
	Resume    bool   // continue an unfinished run, keep a finished one; warn when there is neither
	Overwrite bool   // first remove the run that the directory holds

	// CheckpointEvery is the longest time between checkpoints; 0 means a
	// minute. CheckpointSteps, if above 0, also saves every so many steps.
	CheckpointEvery time.Duration
	CheckpointSteps int

	// Limit, if above 0, ends training after that time. The run is evaluated, has
	// status interrupted, and can be resumed.
	Limit time.Duration

	// Jobs is the maximum number of runs at a time in RunAll; 0 means 1.
	Jobs int

	// Threads is the number of threads that share each training batch of a run; 0
	// means 1. Another number rounds differently and draws other dropout masks.
	Threads int

	// BLAS names the BLAS and its threads, for the record. A run that is resumed
	// under another name gets a caveat.
	BLAS string

	// KeepPredictions also writes the answers to every test question. If the run has
	// finished already, its weights are evaluated again.
	KeepPredictions bool

	// TensorBoard also writes the learning curve for TensorBoard.
	TensorBoard bool

	// Progress returns the Progress of a cell; nil reports nothing.
	Progress func(c study.Cell) Progress

	sources *sources // shared by RunAll
	sweep   bool     // set by RunAll: start at step 0 without a warning when there is no checkpoint
}

// Interrupted says that a run was stopped and can be resumed.
type Interrupted struct {
	Cell  study.Cell
	Dir   string
	Step  int // updates done and saved
	Cause error
}

func (e *Interrupted) Error() string {
	return fmt.Sprintf("%s: stopped at step %d of %d (%v); %s holds a checkpoint, from which the run resumes",
		&e.Cell, e.Step, e.Cell.Protocol.Steps, e.Cause, e.Dir)
}

func (e *Interrupted) Unwrap() error { return e.Cause }

// Run trains and evaluates one cell in o.Dir and returns its record. When ctx
// ends, it saves a checkpoint and returns an *Interrupted; when it may not use
// the directory, an error that names it. If ctx ends and the model does not answer, the last checkpoint
// remains; without one the error is that of ctx.
func Run(ctx context.Context, cell study.Cell, o Options) (*record.Record, error) {
	progress := Silent
	if o.Progress != nil {
		progress = o.Progress(cell)
	}
	rec, err := run(ctx, cell, o, progress)
	if _, stopped := errors.AsType[*Interrupted](err); err != nil && !stopped {
		err = fmt.Errorf("%s: %w", cell.String(), err)
	}
	// Not deferred: Ended is not called when the run panics.
	progress.Ended(rec, err)
	return rec, err
}

// run is Run without the final call of progress.Ended.
func run(ctx context.Context, cell study.Cell, o Options, progress Progress) (rec *record.Record, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o.CheckpointEvery, o.sources = cmp.Or(o.CheckpointEvery, time.Minute), cmp.Or(o.sources, new(sources))
	if err := cell.Validate(); err != nil {
		return nil, err
	}
	// Data and model first: if they are wrong, the directory stays as it is.
	t := &trainer{cell: &cell, opts: &o, progress: progress}
	defer func() {
		if ctx.Err() == nil || !errors.Is(err, models.ErrNoAnswer) {
			return
		}
		// Interrupted, and what the model has learned since the last checkpoint is lost.
		progress.Warned(err.Error())
		if err = ctx.Err(); t.kept > 0 {
			err = &Interrupted{Cell: cell, Dir: o.Dir, Step: t.kept, Cause: err}
		}
	}()
	if t.src, t.phaseSrc, err = o.sources.prepare(ctx, &cell, o.DataPath); err != nil {
		return nil, err
	}
	if t.model, err = t.build(phaseState{}); err != nil {
		return nil, err
	}
	defer func() { models.Close(t.model) }()
	if err := t.checkCurriculum(); err != nil {
		return nil, err
	}
	if t.dir, err = openDir(o.Dir, cell.String()); err != nil {
		return nil, err
	}
	defer t.dir.close()
	finished, saved, err := t.dir.admit(&cell, t.src.Spec(), &o)
	if err != nil {
		return nil, err
	}
	if finished != nil {
		return finished, t.addPredictions(ctx, finished)
	}
	return t.trainAndEvaluate(ctx, saved)
}

// trainAndEvaluate trains from saved, or from the start, and evaluates.
func (t *trainer) trainAndEvaluate(ctx context.Context, saved *checkpoint.Checkpoint) (*record.Record, error) {
	var warnings []string
	if saved != nil {
		if err := t.restore(saved); err != nil {
			return nil, err
		}
		if saved.Damaged != nil {
			t.state.Damaged++
			warnings = append(warnings, fmt.Sprintf("resuming from the checkpoint of step %d, because a newer one is damaged: %v", saved.Step, saved.Damaged))
		}
	} else if err := t.checkExternal(); err != nil {
		return nil, err
	} else if data, err := t.cell.YAML(); err != nil {
		return nil, err
	} else if err := checkpoint.WriteBytes(t.dir.file(configName), data); err != nil {
		return nil, err
	}
	t.first, t.kept, t.saved, t.state.maxLoss = t.step, t.step, time.Now(), maxLoss(t.src.Shape().Vocabulary)
	t.start, t.added, t.addedCPU = time.Now(), time.Now(), CPUSeconds()
	t.startPace()
	if text := t.src.Spec().Unasked; text != "" {
		warnings = append(warnings, "data: "+text)
	}
	if t.opts.Resume && !t.opts.sweep && saved == nil {
		warnings = append(warnings, fmt.Sprintf("nothing to resume in %s: starting at step 0", t.dir.path))
	}
	if warning := t.state.begin(t.start, t.opts.BLAS); warning != "" {
		warnings = append(warnings, warning)
	}
	// The curve's file is only an output: what a killed process left in it is replaced.
	err := checkpoint.WriteBytes(t.dir.file(record.CurveName), []byte(t.state.CurveText))
	if err != nil {
		return nil, err
	}
	t.progress.Begin(*t.cell, t.first)
	if t.opts.TensorBoard {
		t.beginEvents()
		defer func() {
			if t.events != nil {
				t.checkEvents(t.events.Close())
			}
		}()
	}
	for _, text := range warnings {
		t.progress.Warned(text)
	}
	if len(t.cell.Training.Phases) > 0 {
		t.progress.Phase(t.describePhase())
	}
	err = t.run(ctx)
	limited := errors.Is(err, errLimit)
	trained := err == nil || limited
	stopped := func(err error) bool { return ctx.Err() != nil && errors.Is(err, ctx.Err()) }
	if !trained && !stopped(err) {
		return nil, err
	}
	// Saved before the evaluation, never after it: the evaluation puts the selected weights
	// into the model. A run that diverged keeps its last checkpoint: resuming from it
	// diverges again.
	if t.state.DivergedAt == 0 {
		if err := t.save(); err != nil {
			return nil, err
		}
	}
	if trained {
		rec, err := t.conclude(ctx, limited)
		if err == nil || !stopped(err) {
			return rec, err
		}
	}
	return nil, &Interrupted{Cell: *t.cell, Dir: t.dir.path, Step: t.step, Cause: ctx.Err()}
}
