package train

import (
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets/tfrecord"
)

// TensorBoard returns a Progress that also writes the learning curve of a run for TensorBoard into
// the run's directory, one file per session. If it cannot be written, it warns, and training
// continues.
func TensorBoard(p Progress, dir string) Progress { return &tensorboard{Progress: p, dir: dir} }

type tensorboard struct {
	Progress
	dir string
	w   *tfrecord.EventWriter
}

func (t *tensorboard) Begin(c study.Cell, from int) {
	t.Progress.Begin(c, from)
	var err error
	if t.w, err = tfrecord.NewEventWriter(t.dir); err != nil {
		t.failed(err)
	}
}

func (t *tensorboard) Evaluated(p record.Point) {
	t.Progress.Evaluated(p)
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
