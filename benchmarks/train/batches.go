package train

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
)

// stream draws the next training batch on another goroutine while the present one is used, into
// two alternating buffers. A batch is a pure function of its step, so this changes only the time.
type stream struct {
	batches chan drawn // closed when the source is no longer used
	stop    chan struct{}
}

type drawn struct {
	batch *datasets.Batch
	err   error
}

// newStream starts drawing the batches of steps first to last-1.
func newStream(draw drawFunc, shape datasets.Shape, first, last int) *stream {
	s := &stream{make(chan drawn), make(chan struct{})}
	go func() {
		defer close(s.batches)
		var buffers [2]datasets.Batch
		for step := first; step < last; step++ {
			b := &buffers[step%2]
			err := draw(b, step)
			if err == nil {
				err = b.Validate(shape)
			}
			if err != nil {
				err = fmt.Errorf("training batch of step %d: %w", step, err)
			}
			select {
			case s.batches <- drawn{b, err}:
			case <-s.stop:
				return
			}
		}
	}()
	return s
}

// next returns the next batch, which is valid until the next call.
func (s *stream) next() (*datasets.Batch, error) {
	d := <-s.batches
	return d.batch, d.err
}

// close waits until the source is no longer used.
func (s *stream) close() {
	if s != nil {
		close(s.stop)
		for range s.batches {
		}
	}
}

// errorDecay is the weight of the old value in the moving averages of errors.
const errorDecay = 0.5

// adapt updates the moving averages of errors, one per kind, with an evaluation.
func adapt(averages []float64, p record.Point) []float64 {
	if averages == nil {
		averages = slices.Repeat([]float64{1}, len(p.Kinds))
	}
	for i, k := range p.Kinds {
		if k.Total > 0 {
			now := 1 - float64(k.Correct)/float64(k.Total)
			averages[i] = errorDecay*averages[i] + (1-errorDecay)*now
		}
	}
	return averages
}

// drawFunc fills a batch for a training step.
type drawFunc func(b *datasets.Batch, step int) error

// drawBatches returns a function that draws batches with the given weights of kinds, nil
// for the task's own, and inserts empty rows as the training settings say.
func drawBatches(src datasets.Source, seed uint64, size int, weights []float64, t models.Training) drawFunc {
	empty := datasets.EmptyRows{Probability: t.EmptyRows, MaxOffset: t.MaxOffset, MaxRows: src.Shape().MaxRows}
	return func(b *datasets.Batch, step int) (err error) {
		err = evaluate.Draw(b, src, seed, step, size, t.Questions, weights)
		if err == nil && (empty.Probability > 0 || empty.MaxOffset > 0) {
			b.InsertEmptyRows(rand.New(rand.NewPCG(datasets.StreamSeed("empty rows", datasets.Train, seed, uint64(step)))), empty)
		}
		return err
	}
}
