package encoder

import (
	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// last selects the last row of each example: x [N x d] -> y [B x d].
type last[T engine.Float] struct {
	Segments *ops.Segments
}

func (*last[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "N d -> B d")
}

func (l *last[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d := in[0].Dim(1)
	y := out.Resize(l.Segments.Len(), d)
	for b := range l.Segments.Len() {
		copy(y[b*d:(b+1)*d], in[0].Data[(l.Segments.Offsets[b+1]-1)*d:])
	}
}

func (l *last[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	d := in[0].Dim(1)
	dx := din[0].Add(in[0].Dims()...)
	for b := range l.Segments.Len() {
		end := l.Segments.Offsets[b+1] * d
		vector.Add(dx[end-d:end], dout.Data[b*d:])
	}
}

// diagonals concatenates the diagonal matrices of the rows of m:
//
//	W = [diag(m_1) ... diag(m_S)]                m [S x d] -> W [d x S d]
//
// W vec(c) is the sum of the words c_s, each weighted by the mask m_s of its slot.
type diagonals[T engine.Float] struct{}

func (*diagonals[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	in0, err := engine.Fit(in, "S d -> S d")
	if err != nil {
		return nil, err
	}
	return engine.Shape{in0[1], in0[0] * in0[1]}, nil
}

func (*diagonals[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d, width := in[0].Dim(1), len(in[0].Data)
	w := out.Resize(d, width)
	clear(w)
	for i, v := range in[0].Data {
		w[i%d*width+i] = v
	}
}

func (*diagonals[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	d, width := in[0].Dim(1), len(in[0].Data)
	for i, dm := 0, din[0].Add(in[0].Dims()...); i < width; i++ {
		dm[i] += dout.Data[i%d*width+i]
	}
}
