package encoder

import "memobench/models/engine"

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
