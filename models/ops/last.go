package ops

import (
	"memobench/models/engine"
)

// Last picks the last line of each example: x [N x d] -> y [B x d].
type Last[T engine.Float] struct {
	Segments *Segments
}

func (*Last[T]) String() string { return "Last" }

// Shape implements engine.Kernel.
func (*Last[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2); err != nil {
		return nil, err
	}
	return engine.Shape{nominal, in[0][1]}, nil
}

// Forward implements engine.Kernel.
func (l *Last[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d := in[0].Dim(1)
	y := out.Resize(l.Segments.Len(), d)
	for b := range l.Segments.Len() {
		copy(y[b*d:(b+1)*d], in[0].Data[(l.Segments.Offsets[b+1]-1)*d:])
	}
}

// Backward implements engine.Kernel.
func (l *Last[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	if din[0] == nil {
		return
	}
	d := in[0].Dim(1)
	dx := din[0].Add(in[0].Dims()...)
	for b := range l.Segments.Len() {
		end := l.Segments.Offsets[b+1] * d
		add(dx[end-d:end], dout.Data[b*d:])
	}
}
