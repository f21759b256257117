package ops

import (
	"fmt"
	"slices"

	"memobench/models/engine"
)

// Bias adds a vector to every line: y[n] = x[n] + b, x [N x w], b [w].
type Bias[T engine.Float] struct{}

func (*Bias[T]) String() string { return "Bias" }

// Shape implements engine.Kernel.
func (*Bias[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2, 1); err != nil {
		return nil, err
	}
	if in[0][1] != in[1][0] {
		return nil, fmt.Errorf("x %v and bias %v do not fit", in[0], in[1])
	}
	return in[0], nil
}

// Forward implements engine.Kernel.
func (*Bias[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	y, bias := out.Resize(in[0].Dims()...), in[1].Data
	copy(y, in[0].Data)
	for at := 0; at < len(y); at += len(bias) {
		add(y[at:at+len(bias)], bias)
	}
}

// Backward implements engine.Kernel: dx = dy, db = sum over lines of dy.
func (*Bias[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	pass(din[0], dout.Data, in[0].Dims()...)
	if din[1] != nil {
		db := din[1].Add(in[1].Dim(0))
		for at := 0; at < len(dout.Data); at += len(db) {
			add(db, dout.Data[at:])
		}
	}
}

// Sum adds two inputs of one shape.
type Sum[T engine.Float] struct{}

func (*Sum[T]) String() string { return "Sum" }

// Shape implements engine.Kernel.
func (*Sum[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if len(in) != 2 || !slices.Equal(in[0], in[1]) {
		return nil, fmt.Errorf("inputs %v differ in shape", in)
	}
	return in[0], nil
}

// Forward implements engine.Kernel.
func (*Sum[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	y := out.Resize(in[0].Dims()...)
	copy(y, in[0].Data)
	add(y, in[1].Data)
}

// Backward implements engine.Kernel.
func (*Sum[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	for i, d := range din {
		pass(d, dout.Data, in[i].Dims()...)
	}
}
