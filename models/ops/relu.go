package ops

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// Relu is max(x, 0) element by element; its gradient at 0 is 0.
type Relu[T engine.Float] struct{}

func (*Relu[T]) String() string { return "Relu" }

// Shape implements engine.Kernel.
func (*Relu[T]) Shape(in []engine.Shape) (engine.Shape, error) { return in[0], nil }

// Forward implements engine.Kernel.
func (*Relu[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	y := out.Resize(in[0].Dims()...)
	vector.KeepPositive(y, in[0].Data, in[0].Data)
}

// Backward implements engine.Kernel.
func (*Relu[T]) Backward(in []*engine.Array[T], out, dout *engine.Array[T], din []*engine.Grad[T]) {
	if din[0] == nil {
		return
	}
	dx, beta := din[0].Overwrite(in[0].Dims()...)
	if beta == 0 {
		vector.KeepPositive(dx, dout.Data, out.Data)
		return
	}
	for i, d := range dout.Data[:len(dx)] {
		if !(out.Data[i] <= 0) {
			dx[i] += d
		}
	}
}
