package ops

import (
	"fmt"
	"slices"

	"memobench/models/engine"
)

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
