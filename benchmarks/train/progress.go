package train

import (
	"time"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets/tfrecord"
)

// eventFiles matches the names of the files for TensorBoard.
const eventFiles = tfrecord.EventsPrefix + "*" + tfrecord.EventsSuffix

// beginEvents begins a file for TensorBoard with the points of the sessions before and removes their
// files: steps after a checkpoint that was resumed from would be repeated in them.
func (t *trainer) beginEvents() {
	points, err := record.ReadCurve(t.dir.file(record.CurveName))
	if err == nil {
		err = removeAll(t.dir.file(eventFiles))
	}
	if err == nil {
		t.events, err = tfrecord.NewEventWriter(t.dir.path)
	}
	t.checkEvents(err)
	for _, p := range points {
		t.writeEvents(p)
	}
}

// writeEvents writes a point for TensorBoard, if the run has such a file.
func (t *trainer) writeEvents(p record.Point) {
	if t.events == nil {
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
	t.checkEvents(t.events.Write(p.Step, scalars...))
}

// checkEvents warns of an error, after which training continues without a file for TensorBoard.
func (t *trainer) checkEvents(err error) {
	if err != nil {
		t.events = nil
		t.progress.Warned("no TensorBoard file: " + err.Error())
	}
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
