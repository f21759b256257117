package cli

import (
	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
	"memobench/datasets/tfrecord"
)

// tensorboard writes the learning curve of a run for TensorBoard into the run's directory,
// one file per session. If it cannot be written, it warns, and training continues.
type tensorboard struct {
	train.Progress
	dir string
	w   *tfrecord.EventWriter
}

func (t *tensorboard) Begin(c config.Cell, from int) {
	t.Progress.Begin(c, from)
	var err error
	if t.w, err = tfrecord.NewEventWriter(t.dir); err != nil {
		t.failed(err)
	}
}

func (t *tensorboard) Evaluated(p train.Point) {
	t.Progress.Evaluated(p)
	if t.w == nil {
		return
	}
	scalars := []tfrecord.Scalar{{Tag: "loss/train", Value: p.TrainLoss}, {Tag: "loss/validation", Value: p.Loss},
		{Tag: "accuracy/mean", Value: p.Accuracy()}, {Tag: "learning_rate", Value: p.Rate}}
	for _, k := range p.Kinds {
		if k.Total > 0 {
			scalars = append(scalars, tfrecord.Scalar{Tag: "accuracy/" + k.Name, Value: 100 * float64(k.Correct) / float64(k.Total)})
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
