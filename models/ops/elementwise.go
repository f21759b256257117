package ops

import (
	"fmt"
	"slices"

	"memobench/models/engine"
	"memobench/models/vector"
)

// Bias adds a vector to every row: y[n] = x[n] + b, x [N x w], b [w].
type Bias[T engine.Float] struct{}

func (*Bias[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "N w, w -> N w")
}

func (*Bias[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	y, bias := out.Resize(in[0].Dims()...), in[1].Data
	for at := 0; at < len(y); at += len(bias) {
		vector.Total(y[at:at+len(bias)], in[0].Data[at:], bias)
	}
}

// Backward: dx = dy, db = sum over rows of dy.
func (*Bias[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	addRows(din[1], dout.Data, in[1].Dim(0))
	passGradient(din[0], dout)
}

// Sum is the sum of its inputs, which have one shape, or with Mean their mean.
type Sum[T engine.Float] struct {
	Mean bool
}

func (*Sum[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	for _, s := range in {
		if !slices.Equal(s, in[0]) {
			return nil, fmt.Errorf("inputs %v differ in shape", in)
		}
	}
	return in[0], nil
}

func (s *Sum[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	y := out.Resize(in[0].Dims()...)
	copy(y, in[0].Data)
	for _, x := range in[1:] {
		vector.Add(y, x.Data)
	}
	if s.Mean {
		for i := range y {
			y[i] /= T(len(in))
		}
	}
}

// Backward: dx = dy, or dy / n, for each of n inputs.
func (s *Sum[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	for i, d := range din {
		if !s.Mean {
			if i < len(din)-1 {
				addGradient(d, dout)
			} else {
				passGradient(d, dout)
			}
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

func (*Relu[T]) Shape(in []engine.Shape) (engine.Shape, error) { return in[0], nil }

func (*Relu[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	y := out.Resize(in[0].Dims()...)
	vector.KeepPositive(y, in[0].Data, in[0].Data)
}

func (*Relu[T]) Backward(in []*engine.Array[T], out, dout *engine.Array[T], din []*engine.Grad[T]) {
	dy := dout.Data
	taken := din[0].Take(dout)
	dx, beta := din[0].Overwrite(in[0].Dims()...)
	if taken || beta == 0 {
		vector.KeepPositive(dx, dy, out.Data)
		return
	}
	for i, d := range dout.Data[:len(dx)] {
		if !(out.Data[i] <= 0) {
			dx[i] += d
		}
	}
}

// FirstColumns selects the first n = Columns columns: x [R x w] -> y [R x n].
type FirstColumns[T engine.Float] struct {
	Columns int
}

func (c *FirstColumns[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "R w -> R %d", c.Columns)
}

func (c *FirstColumns[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	n, w := in[0].Dim(0), in[0].Dim(1)
	y := out.Resize(n, c.Columns)
	for i := range n {
		copy(y[i*c.Columns:(i+1)*c.Columns], in[0].Data[i*w:])
	}
}

func (c *FirstColumns[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	n, w := in[0].Dim(0), in[0].Dim(1)
	dx := din[0].Add(in[0].Dims()...)
	for i := range n {
		vector.Add(dx[i*w:i*w+c.Columns], dout.Data[i*c.Columns:])
	}
}
