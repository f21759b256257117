package benchmarks

import (
	"fmt"

	"memobench/datasets"
)

// stream draws training batches one step ahead, on a goroutine of its own, into
// two buffers that take turns. A batch is a pure function of its step, so this
// changes nothing but the time.
type stream struct {
	ready chan drawn
	free  chan *datasets.Batch
	done  chan struct{}
	ended chan struct{}
}

type drawn struct {
	batch *datasets.Batch
	err   error
}

// newStream starts drawing the batches of steps first to last-1.
func newStream(draw draw, shape datasets.Shape, first, last int) *stream {
	s := &stream{ready: make(chan drawn, 1), free: make(chan *datasets.Batch, 2), done: make(chan struct{}), ended: make(chan struct{})}
	s.free <- new(datasets.Batch)
	s.free <- new(datasets.Batch)
	go func() {
		defer close(s.ended)
		for step := first; step < last; step++ {
			var b *datasets.Batch
			select {
			case b = <-s.free:
			case <-s.done:
				return
			}
			err := draw(b, step)
			if err == nil {
				err = b.Validate(shape)
			}
			if err != nil {
				err = fmt.Errorf("training batch of step %d: %w", step, err)
			}
			select {
			case s.ready <- drawn{b, err}:
			case <-s.done:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return s
}

// next returns the next batch; release must follow before the one after next.
func (s *stream) next() (*datasets.Batch, error) {
	d := <-s.ready
	return d.batch, d.err
}

func (s *stream) release(b *datasets.Batch) { s.free <- b }

// close stops drawing and waits until the source is no longer used.
func (s *stream) close() {
	close(s.done)
	<-s.ended
}
