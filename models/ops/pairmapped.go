package ops

import (
	"fmt"

	"memobench/models/engine"
)

// MapPairs multiplies the vectors of each head's (slot, word) pairs by the head's
// columns of one matrix:
//
//	u[h, p] = W[:, h] v[p, h]      v [P x H d], W [O x H d] -> u [(H P) x O]
//
// The lines of u are those of head 0, then those of head 1, and so on.
type MapPairs[T engine.Float] struct {
	Pairs *Pairs
	Heads int
}

func (m *MapPairs[T]) String() string { return fmt.Sprintf("MapPairs(heads=%d)", m.Heads) }

// Shape implements engine.Kernel.
func (m *MapPairs[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2, 2); err != nil {
		return nil, err
	}
	if in[0][1] != in[1][1] || in[0][1]%m.Heads != 0 {
		return nil, fmt.Errorf("pairs %v and W %v do not fit %d heads", in[0], in[1], m.Heads)
	}
	return engine.Shape{nominal, in[1][0]}, nil
}

// Forward implements engine.Kernel.
func (m *MapPairs[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	v, w := in[0], in[1]
	pairs, width, o := v.Dim(0), v.Dim(1), w.Dim(0)
	d, u := width/m.Heads, out.Resize(m.Heads*pairs, o)
	if pairs == 0 {
		return
	}
	for h := range m.Heads {
		Gemm(noTrans, trans, pairs, o, d, 1, v.Data[h*d:], width, w.Data[h*d:], width, 0, u[h*pairs*o:], o)
	}
}

// Backward implements engine.Kernel: dv[p, h] = W[:, h]^T du[h, p], dW[:, h] = sum over
// p of du[h, p] v[p, h]^T.
func (m *MapPairs[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	v, w, du := in[0], in[1], dout.Data
	pairs, width, o := v.Dim(0), v.Dim(1), w.Dim(0)
	d := width / m.Heads
	if pairs == 0 {
		for i, g := range din {
			if g != nil {
				g.Add(in[i].Dims()...)
			}
		}
		return
	}
	if din[0] != nil {
		dv, beta := din[0].Overwrite(v.Dims()...)
		for h := range m.Heads {
			Gemm(noTrans, noTrans, pairs, d, o, 1, du[h*pairs*o:], o, w.Data[h*d:], width, beta, dv[h*d:], width)
		}
	}
	if din[1] != nil {
		dw, beta := din[1].Overwrite(w.Dims()...)
		for h := range m.Heads {
			Gemm(trans, noTrans, o, d, pairs, 1, du[h*pairs*o:], o, v.Data[h*d:], width, beta, dw[h*d:], width)
		}
	}
}

// MappedRead reads like PairRead and multiplies what all heads have read by one matrix,
// which has been multiplied with the pairs before (MapPairs):
//
//	y[b] = sum over h and rows r of b of w[r, h] sum over pairs p of r of u[h, p]
//
// w [R x H], u [(H P) x O] -> y [B x O]. Where few words make up many rows and
// memories are read many times, that is far less than a product with the matrix at
// each reading.
type MappedRead[T engine.Float] struct {
	Segments *Segments
	Pairs    *Pairs
	Heads    int

	attention, gradient pairTable[T]
}

func (r *MappedRead[T]) String() string { return fmt.Sprintf("MappedRead(heads=%d)", r.Heads) }

// Shape implements engine.Kernel.
func (r *MappedRead[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2, 2); err != nil {
		return nil, err
	}
	if in[0][1] != r.Heads {
		return nil, fmt.Errorf("weights %v do not fit %d heads", in[0], r.Heads)
	}
	return engine.Shape{nominal, in[1][1]}, nil
}

// Forward implements engine.Kernel.
func (r *MappedRead[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	o, lines := in[1].Dim(1), r.Heads*len(r.Pairs.Words)
	r.attention.resize(r.Segments, r.Pairs, r.Heads)
	r.attention.scatter(in[0].Data)
	Gemm(noTrans, noTrans, r.Segments.Len(), o, lines, 1, r.attention.data, lines, in[1].Data, o, 0, out.Resize(r.Segments.Len(), o), o)
}

// Backward implements engine.Kernel.
func (r *MappedRead[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	o, lines, examples := in[1].Dim(1), r.Heads*len(r.Pairs.Words), r.Segments.Len()
	if din[0] != nil {
		r.gradient.resize(r.Segments, r.Pairs, r.Heads)
		Gemm(noTrans, trans, examples, lines, o, 1, dout.Data, o, in[1].Data, o, 0, r.gradient.data, lines)
		dw, beta := din[0].Overwrite(in[0].Dims()...)
		r.gradient.gather(beta, dw)
	}
	if din[1] != nil {
		du, beta := din[1].Overwrite(in[1].Dims()...)
		Gemm(trans, noTrans, lines, o, examples, 1, r.attention.data, lines, dout.Data, o, beta, du, o)
	}
}
