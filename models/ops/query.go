package ops

import (
	"fmt"

	"memobench/models/engine"
)

// CompleteQuery completes the queries for an answer with the answers before it: the word
// in Slot of each line of Query becomes the one with the highest of the given
// scores [B x O], of equal ones the lowest. Nothing of it has a gradient. The
// result is a token; operations that read Query must run After it.
type CompleteQuery[T engine.Float] struct {
	Query *Words
	Slot  int
}

func (*CompleteQuery[T]) String() string { return "CompleteQuery" }

// Observes says that scores get no gradient through the choice.
func (*CompleteQuery[T]) Observes(int) bool { return true }

// Shape implements engine.Kernel.
func (*CompleteQuery[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2); err != nil {
		return nil, err
	}
	return engine.Shape{1}, nil
}

// Forward implements engine.Kernel.
func (a *CompleteQuery[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	out.Resize(1)[0] = 0
	o := in[0].Dim(1)
	for b := range in[0].Dim(0) {
		a.Query.IDs[b*a.Query.Width+a.Slot] = int32(Argmax(in[0].Data[b*o : (b+1)*o]))
	}
}

// Backward implements engine.Kernel; there is no gradient.
func (*CompleteQuery[T]) Backward([]*engine.Array[T], *engine.Array[T], *engine.Array[T], []*engine.Grad[T]) {
}

// Argmax returns the place of the largest element, the first of equal ones.
func Argmax[T engine.Float](x []T) int {
	best := 0
	for i, v := range x {
		if v > x[best] {
			best = i
		}
	}
	return best
}

// After makes an operation wait for another: the last input is a token, which
// is not looked at and gets no gradient; the others are the operation's. It is
// for operations that read what the other leaves in the batch (see CompleteQuery), which
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
