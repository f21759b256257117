package ops

import (
	"memobench/models/engine"
)

// Mean averages the lines of each example: x [N x d] -> y [B x d].
type Mean[T engine.Float] struct {
	Segments *Segments
}

func (*Mean[T]) String() string { return "Mean" }

// Shape implements engine.Kernel.
func (*Mean[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return (*Last[T])(nil).Shape(in)
}

// Forward implements engine.Kernel.
func (m *Mean[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d := in[0].Dim(1)
	y := out.Resize(m.Segments.Len(), d)
	clear(y)
	for b := range m.Segments.Len() {
		line, lo, hi := y[b*d:(b+1)*d], m.Segments.Offsets[b], m.Segments.Offsets[b+1]
		for i := lo; i < hi; i++ {
			add(line, in[0].Data[i*d:])
		}
		for j := range line {
			line[j] /= T(hi - lo)
		}
	}
}

// Backward implements engine.Kernel.
func (m *Mean[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	if din[0] == nil {
		return
	}
	d := in[0].Dim(1)
	dx := din[0].Add(in[0].Dims()...)
	for b := range m.Segments.Len() {
		dy, lo, hi := dout.Data[b*d:(b+1)*d], m.Segments.Offsets[b], m.Segments.Offsets[b+1]
		for at := lo * d; at < hi*d; at += d {
			for j, g := range dy {
				dx[at+j] += g / T(hi-lo)
			}
		}
	}
}
