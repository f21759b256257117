package halting

import (
	"strings"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// gather selects the states of the examples that continue to a hop, counted from 0:
// x [B_t x w] -> y [B_{t+1} x w].
func gather[T engine.Float](e *Episode, hop int) *ops.Gather[T] {
	s := e.Stages[hop]
	return &ops.Gather[T]{Len: func() int { return len(s.From) }, Row: func(i int) int { return s.From[i] }}
}

// haltedStates collects each example's state after its last hop:
//
//	y[b] = x_t[index of b in stage t],  t the hop at which b halted
//
// Inputs are the states after every hop, x_t [B_t x w]; the result is [B x w] in the order of the
// batch.
type haltedStates[T engine.Float] struct {
	Episode *Episode
}

func (a *haltedStates[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, strings.Repeat(", B w", len(in))[2:]+" -> B w")
}

// each calls f for every example with its last hop and its index there.
func (a *haltedStates[T]) each(f func(example, hop, i int)) {
	for hop, s := range a.Episode.Stages {
		for i, b := range s.Examples {
			if !s.Continues[i] {
				f(b, hop, i)
			}
		}
	}
}

func (a *haltedStates[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	w := in[0].Dim(1)
	y := out.Resize(len(a.Episode.Hops), w)
	a.each(func(b, hop, i int) { copy(y[b*w:(b+1)*w], in[hop].Data[i*w:]) })
}

func (a *haltedStates[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	w := in[0].Dim(1)
	dx := make([][]T, len(in))
	for hop, x := range in {
		dx[hop] = din[hop].Add(x.Dims()...)
	}
	a.each(func(b, hop, i int) { vector.Add(dx[hop][i*w:(i+1)*w], dout.Data[b*w:]) })
}
