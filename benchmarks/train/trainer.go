package train

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/tfrecord"
	"memobench/models"
	"memobench/models/checkpoint"
)

// trainer trains one cell. Its loop only calls the hooks and updates the model;
// evaluation, phases, checkpoints and stopping are hooks.
type trainer struct {
	cell     *study.Cell
	opts     *Options
	dir      *runDir
	src      datasets.Source
	phaseSrc map[int]datasets.Source // of phases with other settings of the task
	model    models.Model
	progress Progress
	events   *tfrecord.EventWriter // nil for none

	step     int  // updates done
	redraw   bool // the mixture or the phase has changed: discard batches drawn ahead
	state    trainerState
	selected []models.Tensor // weights of step state.Selected, under best-validation

	start    time.Time // of this session
	added    time.Time // up to which the state has the wall time
	addedCPU float64   // CPU time of this process that the state has
	pace     pace
	saved    time.Time // time of the last checkpoint, or of the start
	kept     int       // its step; 0 without one
	first    int       // step at which this session began
}

// errLimit ends training at the time limit.
var errLimit = errors.New("time limit reached")

// run trains until the protocol, a rule or the context ends it.
func (t *trainer) run(ctx context.Context) error {
	t.redraw = true
	var batches *stream
	defer func() { batches.close() }()
	for {
		// Called before every step and after the last, in this order: an evaluation belongs to the
		// step before it, and its results are in the checkpoint.
		for _, hook := range []func(context.Context) error{t.evaluateHook, t.phaseHook, t.checkpointHook, t.stopHook} {
			if err := hook(ctx); err != nil {
				return err
			}
		}
		if t.done() {
			return nil
		}
		if t.redraw {
			batches.close()
			var err error
			if batches, err = t.batches(); err != nil {
				return err
			}
		}
		if err := t.update(batches); err != nil {
			return err
		}
	}
}

// batches returns the batches from the next step on, with the present mixture and phase.
func (t *trainer) batches() (*stream, error) {
	t.redraw = false
	weights, err := t.weights()
	if err != nil {
		return nil, err
	}
	now, err := t.cell.During(t.state.Phase.PhaseStart)
	if err != nil {
		return nil, err
	}
	src := cmp.Or(t.phaseSrc[t.state.Phase.Index], t.src)
	draw := drawBatches(src, t.cell.Seed, now.Protocol.BatchSize, weights, now.Training)
	return newStream(draw, t.src.Shape(), t.step, t.cell.Protocol.Steps), nil
}

func (t *trainer) done() bool {
	return t.step >= t.cell.Protocol.Steps || t.state.Stopped || t.state.DivergedAt > 0
}

func (t *trainer) update(batches *stream) error {
	start := time.Now()
	b, err := batches.next()
	if err != nil {
		return err
	}
	stats, err := t.model.Train(b)
	size := b.Size()
	if err != nil {
		return fmt.Errorf("training step %d: %w", t.step+1, err)
	}
	t.step++
	for _, warning := range t.state.step(t.step, size, stats) {
		t.progress.Warned(fmt.Sprintf("step %d: %s", t.step, warning))
	}
	t.state.Training += time.Since(start).Seconds()
	t.progress.Stepped(t.progressUpdate())
	return nil
}

// progressUpdate returns the state of training for the progress display.
func (t *trainer) progressUpdate() Update {
	u := Update{Step: t.step, Total: t.cell.Protocol.Steps, Loss: t.state.meanLoss()}
	steps, seconds := t.step-t.pace.step, time.Since(t.pace.start).Seconds()
	if steps > 0 && seconds > 0 {
		u.PerSecond = float64(t.state.Examples-t.pace.examples) / seconds
		u.Left = time.Duration(seconds / float64(steps) * float64(u.Total-u.Step) * float64(time.Second))
	}
	return u
}

// evaluateHook evaluates the model on the validation split when that is due, adds a
// point to the curve, keeps the best weights and applies the early-stop rule.
func (t *trainer) evaluateHook(ctx context.Context) error {
	p := &t.cell.Protocol
	due := t.step > 0 && (t.step%p.EvaluateEvery == 0 || t.step == p.Steps)
	if !due || t.state.Evaluated == t.step || t.state.DivergedAt > 0 {
		return nil
	}
	v, err := evaluate.Model(ctx, t.model, t.src, evaluate.QuestionsOf(p, datasets.Validation))
	if err != nil {
		return err
	}
	if t.state.diverges(*v.Loss) {
		t.state.DivergedAt = t.step
		return nil
	}
	point := record.Point{
		Step: t.step, Examples: t.state.Examples, TrainLoss: t.state.meanLoss(), Rate: t.state.Rate,
		GradNorm: t.state.GradNorm,
		Loss:     *v.Loss, Hops: v.Hops, AnswerHops: v.AnswerHops, Kinds: v.Kinds, Seconds: t.wall(),
	}
	best := t.state.evaluated(point, p.EarlyStop)
	if p.Mixture == study.Adaptive {
		t.state.Errors, t.redraw = adapt(t.state.Errors, point), true
	}
	if best && p.Selection == study.SelectBestValidation {
		st, err := models.StateOf(t.model)
		if err != nil {
			return err
		}
		t.state.Selected, t.selected = t.step, checkpoint.Weights(st)
	}
	if err := t.addPoint(point); err != nil {
		return err
	}
	t.progress.Evaluated(point)
	t.writeEvents(point)
	return nil
}

func (t *trainer) checkpointHook(context.Context) error {
	o := t.opts
	due := o.CheckpointSteps > 0 && t.step > t.first && t.step%o.CheckpointSteps == 0 || time.Since(t.saved) >= o.CheckpointEvery
	if !due || t.done() {
		return nil
	}
	return t.save()
}

// stopHook ends training when the context does, or the time limit.
func (t *trainer) stopHook(ctx context.Context) error {
	if t.done() {
		return nil
	}
	if t.opts.Limit > 0 && time.Since(t.start) >= t.opts.Limit {
		return errLimit
	}
	return ctx.Err()
}

// addPoint appends a point to the curve and its file, one JSON object per line.
func (t *trainer) addPoint(p record.Point) error {
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	t.state.CurveText += string(line)
	f, err := os.OpenFile(t.dir.file(record.CurveName), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(line)
	return errors.Join(err, f.Close())
}
