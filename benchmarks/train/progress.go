package train

import (
	"path/filepath"
	"time"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets/tfrecord"
)

// TensorBoard returns a Progress that also writes the learning curve of a run for TensorBoard into
// the run's directory. A session writes the points of the sessions before it again and removes their
// files: steps after a checkpoint that was resumed from would be repeated in them. If the curve cannot
// be written, it warns, and training continues.
func TensorBoard(p Progress, dir string) Progress { return &tensorboard{Progress: p, dir: dir} }

type tensorboard struct {
	Progress
	dir string
	w   *tfrecord.EventWriter
}

func (t *tensorboard) Begin(c study.Cell, from int) {
	t.Progress.Begin(c, from)
	points, err := record.ReadCurve(filepath.Join(t.dir, record.CurveName))
	if err == nil {
		err = removeAll(filepath.Join(t.dir, eventFiles))
	}
	if err == nil {
		t.w, err = tfrecord.NewEventWriter(t.dir)
	}
	if err != nil {
		t.failed(err)
	}
	for _, p := range points {
		t.write(p)
	}
}

func (t *tensorboard) Evaluated(p record.Point) {
	t.Progress.Evaluated(p)
	t.write(p)
}

// eventFiles matches the names of the files for TensorBoard.
const eventFiles = tfrecord.EventsPrefix + "*" + tfrecord.EventsSuffix

func (t *tensorboard) write(p record.Point) {
	if t.w == nil {
		return
	}
	scalars := []tfrecord.Scalar{{Tag: "loss/train", Value: p.TrainLoss}, {Tag: "loss/validation", Value: p.Loss},
		{Tag: "accuracy/mean", Value: p.Accuracy()}, {Tag: "learning_rate", Value: p.Rate}}
	for _, k := range p.Kinds {
		if k.Total > 0 {
			scalars = append(scalars, tfrecord.Scalar{Tag: "accuracy/" + k.Name, Value: k.PerCent()})
		}
	}
	if p.Hops != nil {
		scalars = append(scalars, tfrecord.Scalar{Tag: "hops", Value: *p.Hops})
	}
	if p.GradNorm != nil {
		scalars = append(scalars, tfrecord.Scalar{Tag: "grad_norm", Value: *p.GradNorm})
	}
	if err := t.w.Write(p.Step, scalars...); err != nil {
		t.failed(err)
	}
}

func (t *tensorboard) Ended(rec *record.Record, err error) {
	if t.w != nil {
		if err := t.w.Close(); err != nil {
			t.failed(err)
		}
	}
	t.Progress.Ended(rec, err)
}

func (t *tensorboard) failed(err error) {
	t.w = nil
	t.Progress.Warned("no TensorBoard file: " + err.Error())
}

// Progress receives the events of a run: it is the only user interface of the training
// loop. Its methods are called from the run's goroutine, one at a time, and must return
// quickly; parallel runs have one Progress each.
type Progress interface {
	// Begin is called before the first step of this session; from is the number
	// of steps that a resumed run has done, else 0.
	Begin(c study.Cell, from int)
	// Stepped is called after every training step.
	Stepped(u Update)
	// Evaluated is called after every evaluation on the validation split.
	Evaluated(p record.Point)
	// Evaluating is called when training is over and the final evaluation begins.
	Evaluating(split string)
	// Warned is called when the model first reports a pathology, and for warnings
	// of the run itself.
	Warned(text string)
	// Phase is called when a run with a curriculum begins or enters a phase.
	Phase(text string)
	// Ended is called last, with a record or an error. It is not called when the
	// run panics.
	Ended(rec *record.Record, err error)
}

// Update is the state of training after a step.
type Update struct {
	Step, Total int
	Loss        float64       // mean since the last evaluation, nats
	PerSecond   float64       // training examples per second in this session and phase
	Left        time.Duration // time to the last step at that speed
}

// Silent ignores all events.
var Silent Progress = silent{}

type silent struct{}

func (silent) Begin(study.Cell, int)       {}
func (silent) Stepped(Update)              {}
func (silent) Evaluated(record.Point)      {}
func (silent) Evaluating(string)           {}
func (silent) Warned(string)               {}
func (silent) Phase(string)                {}
func (silent) Ended(*record.Record, error) {}
