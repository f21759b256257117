package ops

import "memobench/models/engine"

// Diagonals puts each line of m on the diagonal of a matrix and these next to each other:
//
//	W = [diag(m_1) ... diag(m_S)]                m [S x d] -> W [d x S d]
//
// so that W vec(c) is the sum of the words c_s, each weighted by the mask of its place.
type Diagonals[T engine.Float] struct{}

func (*Diagonals[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	lines, err := engine.Fit(in, "S d -> S d")
	if err != nil {
		return nil, err
	}
	return engine.Shape{lines[1], lines[0] * lines[1]}, nil
}

func (*Diagonals[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d, width := in[0].Dim(1), len(in[0].Data)
	w := out.Resize(d, width)
	clear(w)
	for i, v := range in[0].Data {
		w[i%d*width+i] = v
	}
}

func (*Diagonals[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	d, width := in[0].Dim(1), len(in[0].Data)
	for i, dm := 0, din[0].Add(in[0].Dims()...); i < width; i++ {
		dm[i] += dout.Data[i%d*width+i]
	}
}
