package ops

import (
	"fmt"

	"memobench/models/engine"
)

// AddAge adds a learned vector to each memory row by its age, 0 for the most
// recent row of its example:
//
//	y[r] = x[r] + A[age(r)]      x [R x d], A [I x d] -> y [R x d]
//
// (the temporal encoding T_A, T_C of Sukhbaatar et al. 2015, section 4.1).
type AddAge[T engine.Float] struct {
	Segments *Segments
}

func (*AddAge[T]) String() string { return "AddAge" }

// Shape implements engine.Kernel.
func (*AddAge[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2, 2); err != nil {
		return nil, err
	}
	if in[0][1] != in[1][1] {
		return nil, fmt.Errorf("rows %v and ages %v do not fit", in[0], in[1])
	}
	return in[0], nil
}

// Forward implements engine.Kernel.
func (a *AddAge[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d, table := in[0].Dim(1), in[1].Data
	y := out.Resize(in[0].Dims()...)
	copy(y, in[0].Data)
	eachAge(a.Segments, func(row, age int) { add(y[row*d:(row+1)*d], table[age*d:]) })
}

// Backward implements engine.Kernel.
func (a *AddAge[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	if din[0] != nil {
		add(din[0].Add(in[0].Dims()...), dout.Data)
	}
	if din[1] != nil {
		d := in[1].Dim(1)
		da := din[1].Add(in[1].Dims()...)
		eachAge(a.Segments, func(row, age int) { add(da[age*d:(age+1)*d], dout.Data[row*d:]) })
	}
}
