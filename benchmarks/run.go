package benchmarks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"memobench/benchmarks/record"
	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/models/checkpoint"
)

// Options say where and how cells run. They change no result.
type Options struct {
	Dir       string // Run: the run's directory. RunAll: the directory above the runs'
	DataPath  string // files the user named; empty means the task's own search path
	Resume    bool   // continue an unfinished run, keep a finished one; Progress is told when there is neither
	Overwrite bool   // remove what the directory holds of a run first

	// CheckpointEvery is the longest time between checkpoints; 0 means a
	// minute. CheckpointSteps, if above 0, also saves every so many steps.
	CheckpointEvery time.Duration
	CheckpointSteps int

	// Limit, if above 0, ends training after that time. The run is judged as
	// it stands, with status interrupted, and can be resumed.
	Limit time.Duration

	// Jobs is how many runs RunAll works on at a time; 0 means 1.
	Jobs int

	// Threads is among how many threads each training batch of a run is divided;
	// 0 means 1. Another number rounds differently and draws other dropout masks.
	Threads int

	// BLAS names the linear algebra library and its threads, for the record. A
	// run that is resumed under another name gets a label that says so.
	BLAS string

	// KeepPredictions also writes the answers to every test question, of a run
	// that has ended already by judging its weights once more.
	KeepPredictions bool

	// Progress returns what is told about a cell; nil tells nobody.
	Progress func(c Cell) Progress

	sources *sources // shared by RunAll
	sweep   bool     // set by RunAll, which resumes what there is without being asked
}

// DefaultCheckpointEvery is the time between checkpoints if none is given.
const DefaultCheckpointEvery = time.Minute

// Interrupted says that a run was stopped and can be resumed.
type Interrupted struct {
	Cell  Cell
	Dir   string
	Step  int // updates done and saved
	Cause error
}

func (e *Interrupted) Error() string {
	return fmt.Sprintf("%s: stopped at step %d of %d (%v); %s holds a checkpoint, from which the run resumes",
		e.Cell.Name(), e.Step, e.Cell.Protocol.Steps, e.Cause, e.Dir)
}

func (e *Interrupted) Unwrap() error { return e.Cause }

// Run trains and judges one cell in o.Dir and returns its record. When ctx
// ends, it saves a checkpoint and returns an *Interrupted; when it may not use
// the directory, a *DirError.
func Run(ctx context.Context, cell Cell, o Options) (*record.Record, error) {
	progress := Progress(silent{})
	if o.Progress != nil {
		progress = o.Progress(cell)
	}
	rec, err := run(ctx, cell, o, progress)
	var stopped *Interrupted
	if err != nil && !errors.As(err, &stopped) {
		err = fmt.Errorf("%s: %w", cell.Name(), err)
	}
	// Not deferred: a panic is no end that Progress has a word for.
	progress.Ended(rec, err)
	return rec, err
}

// run is Run but for the first and the last word to progress.
func run(ctx context.Context, cell Cell, o Options, progress Progress) (rec *record.Record, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.CheckpointEvery <= 0 {
		o.CheckpointEvery = DefaultCheckpointEvery
	}
	if o.sources == nil {
		o.sources = new(sources)
	}
	if err := cell.Protocol.Validate(); err != nil {
		return nil, err
	}
	// Data and model first: a mistake in them must not touch the directory.
	t := &trainer{cell: &cell, opts: &o, progress: progress}
	if t.src, err = o.sources.get(&cell, o.DataPath); err != nil {
		return nil, err
	}
	if err := cell.checkQuestions(ctx, t.src); err != nil {
		return nil, err
	}
	if t.model, err = t.build(phaseState{}); err != nil {
		return nil, err
	}
	if err := t.checkCurriculum(); err != nil {
		return nil, err
	}
	if err := cell.fits(ctx, t.model, t.src, datasets.Test, true); err != nil {
		return nil, err
	}
	if t.dir, err = openDir(o.Dir, cell.Name()); err != nil {
		return nil, err
	}
	defer t.dir.close()
	found, err := t.dir.admit(&cell, &o)
	if err != nil {
		return nil, err
	}
	if have, want := found.dataset(), t.src.Spec().Hash; have != "" && have != want {
		return nil, &DirError{Dir: o.Dir, Problem: DirOtherRun,
			Detail: fmt.Sprintf("a run on other data: hash %s, now %s", have, want)}
	}
	if found.rec != nil && found.rec.Status.Finished() {
		return found.rec, t.keepLater(ctx, found.rec)
	}
	if found.saved != nil && found.saved.Damaged != nil {
		t.news = append(t.news, fmt.Sprintf("resuming from the checkpoint of step %d, because a newer one is damaged: %v", found.saved.Step, found.saved.Damaged))
	}
	if o.Resume && !o.sweep && found.saved == nil {
		t.news = append(t.news, fmt.Sprintf("nothing to resume in %s: starting at step 0", o.Dir))
	}
	return t.trainAndJudge(ctx, found.saved)
}

// trainAndJudge trains from saved, or from the start, and judges.
func (t *trainer) trainAndJudge(ctx context.Context, saved *checkpoint.Checkpoint) (*record.Record, error) {
	if saved != nil {
		if err := t.restore(saved); err != nil {
			return nil, err
		}
		if saved.Damaged != nil {
			t.ledger.Damaged++
		}
	} else if err := t.writeConfig(); err != nil {
		return nil, err
	}
	t.first, t.saved, t.ledger.worst = t.step, time.Now(), worstLoss(t.src.Shape().Vocabulary)
	t.session = startClock(&t.ledger)
	if news := t.ledger.begin(t.session.start, t.opts.BLAS); news != "" {
		t.news = append(t.news, news)
	}
	var err error
	if t.curve, err = openCurve(t.dir.file(CurveName), t.step, t.ledger.Curve.Points, t.ledger.CurveSHA); err != nil {
		return nil, err
	}
	defer t.curve.close()
	t.progress.Begin(*t.cell, t.first)
	for _, text := range t.news {
		t.progress.Warned(text)
	}
	err = t.run(ctx)
	limited := errors.Is(err, errLimit)
	over := err == nil || limited
	stopped := func(err error) bool { return ctx.Err() != nil && errors.Is(err, ctx.Err()) }
	if !over && !stopped(err) {
		return nil, err
	}
	// Saved before judging and never after it: judging puts the selected weights
	// into the model. Of a run that diverged the last checkpoint is better; it
	// leads here again.
	if t.ledger.DivergedAt == 0 {
		if err := t.save(); err != nil {
			return nil, err
		}
	}
	if over {
		rec, err := t.judge(ctx, limited)
		if err == nil || !stopped(err) {
			return rec, err
		}
	}
	return nil, &Interrupted{Cell: *t.cell, Dir: t.dir.path, Step: t.step, Cause: ctx.Err()}
}

// writeConfig writes config.yaml, unless admit found this cell's.
func (t *trainer) writeConfig() error {
	if _, err := os.Stat(t.dir.file(ConfigName)); err == nil {
		return nil
	}
	data, err := t.cell.YAML()
	if err != nil {
		return err
	}
	return checkpoint.WriteFile(t.dir.file(ConfigName), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// checkKinds refuses an early-stop rule on a kind that the task does not have.
func (c *Cell) checkKinds(kinds []string) error {
	if c.Protocol.EarlyStop == nil {
		return nil
	}
	has := map[string]bool{}
	for _, k := range kinds {
		has[k] = true
	}
	for k := range c.Protocol.EarlyStop.Accuracy {
		if !has[k] {
			return fmt.Errorf("protocol.early_stop.accuracy: %w; --set early_stop=off trains all steps",
				&suggest.UnknownError{What: "kind", Name: k, Known: kinds})
		}
	}
	return nil
}
