package train

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
)

// stream draws the next training batch on another goroutine while the present one is used, into
// two alternating buffers. A batch is a pure function of its step, so this changes only the time.
type stream struct {
	draw       drawFunc
	shape      datasets.Shape
	step, last int // the next step to draw, and the end
	buffers    [2]datasets.Batch
	pending    chan error // of the batch of step-1, until it is received; nil without one
}

// newStream starts drawing the batches of steps first to last-1.
func newStream(draw drawFunc, shape datasets.Shape, first, last int) *stream {
	s := &stream{draw: draw, shape: shape, step: first, last: last}
	s.start()
	return s
}

// start begins to draw the next batch.
func (s *stream) start() {
	if s.step == s.last {
		return
	}
	pending, b, step := make(chan error, 1), &s.buffers[s.step%2], s.step
	s.step++
	s.pending = pending
	go func() {
		err := s.draw(b, step)
		if err == nil {
			err = b.Validate(s.shape)
		}
		if err != nil {
			err = fmt.Errorf("training batch of step %d: %w", step, err)
		}
		pending <- err
	}()
}

// next returns the next batch, which is valid until the next call. After an error, or after the
// last batch, there is none.
func (s *stream) next() (*datasets.Batch, error) {
	b := &s.buffers[(s.step-1)%2]
	err := <-s.pending
	s.pending = nil
	if err == nil {
		s.start()
	}
	return b, err
}

// close waits until the source is no longer used.
func (s *stream) close() {
	if s.pending != nil {
		<-s.pending
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
		if weights == nil {
			err = src.Batch(b, datasets.Train, seed, step, size)
		} else { // checkCurriculum has found a Mixer
			err = src.(datasets.Mixer).BatchMixed(b, datasets.Train, seed, step, size, weights)
		}
		if err == nil && (empty.Probability > 0 || empty.MaxOffset > 0) {
			b.InsertEmptyRows(rand.New(rand.NewPCG(datasets.StreamSeed("empty rows", datasets.Train, seed, uint64(step)))), empty)
		}
		return err
	}
}
