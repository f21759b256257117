package halting

import (
	"fmt"

	"memobench/models/engine"
)

// Answer is the answer of a Mixture, ln a [B x O]. Its input, the mixture's
// loss, only orders it behind; no gradient passes.
type Answer[T engine.Float] struct {
	Mixture *Mixture[T]
}

func (*Answer[T]) String() string { return "Answer" }

// Observes says that there is no gradient.
func (*Answer[T]) Observes(int) bool { return true }

// Shape implements engine.Kernel.
func (*Answer[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if len(in) != 1 || len(in[0]) != 0 {
		return nil, fmt.Errorf("inputs %v, want the mixture's loss", in)
	}
	return engine.Shape{1, 1}, nil // nominal
}

// Forward implements engine.Kernel.
func (a *Answer[T]) Forward(_ []*engine.Array[T], out *engine.Array[T]) {
	batch := len(a.Mixture.Episode.Hops)
	copy(out.Resize(batch, len(a.Mixture.answer)/batch), a.Mixture.answer)
}

// Backward implements engine.Kernel; there is no gradient.
func (*Answer[T]) Backward([]*engine.Array[T], *engine.Array[T], *engine.Array[T], []*engine.Grad[T]) {
}
