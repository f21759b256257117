package ops

import (
	"fmt"

	"memobench/models/engine"
)

// After makes an operation wait for another: the last input is a token, which
// is not looked at and gets no gradient; the others are the operation's. It is
// for operations that read what the other leaves in the batch (see Ask), which
// no edge of the graph shows.
type After[T engine.Float] struct {
	engine.Kernel[T]

	inputs int // of Kernel
}

// Shape implements engine.Kernel.
func (a *After[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("no inputs, want a token behind those of %v", a.Kernel)
	}
	a.inputs = len(in) - 1
	return a.Kernel.Shape(in[:a.inputs])
}

// Observes says that the token gets no gradient.
func (a *After[T]) Observes(i int) bool {
	if o, ok := a.Kernel.(engine.Observer); ok && i < a.inputs {
		return o.Observes(i)
	}
	return i == a.inputs
}

// Forward implements engine.Kernel.
func (a *After[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	a.Kernel.Forward(in[:a.inputs], out)
}

// Backward implements engine.Kernel.
func (a *After[T]) Backward(in []*engine.Array[T], out, dout *engine.Array[T], din []*engine.Grad[T]) {
	a.Kernel.Backward(in[:a.inputs], out, dout, din[:a.inputs])
}
