package ops

import (
	"fmt"
	"slices"

	"memobench/models/engine"
	"memobench/models/vector"
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

// Average is the mean of its inputs, all of one shape: y = (x_1 + ... + x_n)/n.
type Average[T engine.Float] struct{}

func (*Average[T]) String() string { return "Average" }

// Shape implements engine.Kernel.
func (*Average[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("no inputs")
	}
	for _, s := range in {
		if !slices.Equal(s, in[0]) {
			return nil, fmt.Errorf("inputs %v differ in shape", in)
		}
	}
	return in[0], nil
}

// Forward implements engine.Kernel.
func (*Average[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	y := out.Resize(in[0].Dims()...)
	copy(y, in[0].Data)
	for _, x := range in[1:] {
		add(y, x.Data)
	}
	for i := range y {
		y[i] /= T(len(in))
	}
}

// Backward implements engine.Kernel: dx = dy / n for each input.
func (*Average[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	for i, d := range din {
		if d == nil {
			continue
		}
		dx := d.Add(in[i].Dims()...)
		for j, v := range dout.Data {
			dx[j] += v / T(len(in))
		}
	}
}

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
