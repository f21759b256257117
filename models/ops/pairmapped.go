package ops

import (
	"fmt"

	"memobench/models/engine"
	"memobench/models/vector"
)

// MapPairs multiplies the vectors of each head's (slot, word) pairs by the head's
// columns of one matrix:
//
//	u[h, p] = W[:, h] v[p, h]      v [P x H d], W [O x H d] -> u [(H P) x O]
//
// The lines of u are those of head 0, then those of head 1, and so on.
//
// The members of a crew, who all have the same v, take as many rows of W each: for all
// of them it multiplies v with these, and takes these rows' terms of the gradients.
type MapPairs[T engine.Float] struct {
	Pairs *Pairs
	Heads int

	du []T // [(H P) x own rows of W] sum over the crew
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
	d, crew := width/m.Heads, m.Pairs.Member
	lo, hi := 0, o
	if crew == nil || crew.Rank == 0 {
		out.Resize(m.Heads*pairs, o)
	}
	if crew != nil {
		// All have the first one's; the others always work in a crew.
		if first := crew.Exchange(out)[0].(*engine.Array[T]); first != out {
			*out = *first
		}
		lo, hi = crew.Share(o)
		defer crew.Wait()
	}
	u := out.Data
	if pairs == 0 {
		return
	}
	for h := range m.Heads {
		gemm(noTrans, trans, pairs, hi-lo, d, 1, v.Data[h*d:], width, w.Data[lo*width+h*d:], width, 0, u[h*pairs*o+lo:], o)
	}
}

// Backward implements engine.Kernel: dv[p, h] = W[:, h]^T du[h, p], dW[:, h] = sum over
// p of du[h, p] v[p, h]^T.
func (m *MapPairs[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	v, w, du := in[0], in[1], dout.Data
	pairs, width, out := v.Dim(0), v.Dim(1), w.Dim(0)
	d, first := width/m.Heads, 0
	if m.Pairs.Member != nil {
		first, out = m.total(dout)
		du = m.du
	}
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
			gemm(noTrans, noTrans, pairs, d, out, 1, du[h*pairs*out:], out, w.Data[first*width+h*d:], width, beta, dv[h*d:], width)
		}
	}
	if din[1] == nil {
		return
	}
	var dw weightGradient[T]
	if m.Pairs.Member == nil {
		dw = newWeightGradient(din[1], w.Dims())
	} else { // the other rows are others'
		dw = newPartialGradient(din[1], w.Dims())
	}
	for h := range m.Heads {
		o := engine.Outer[T]{Row: first, Col: h * d, M: out, N: d, K: pairs, Alpha: 1, A: du[h*pairs*out:], LDA: out, B: v.Data[h*d:], LDB: width}
		dw.add(&o)
	}
}

// total leaves the sum of all members' gradients of u in m.du, for the member's own rows
// of W (a reduce-scatter). It returns the first of them, and how many they are. Gradients
// are linear in du, and v is the same for all members: what each of them goes on with adds
// up to what du of the whole batch gives.
func (m *MapPairs[T]) total(dout *engine.Array[T]) (first, rows int) {
	crew, lines, o := m.Pairs.Member, dout.Dim(0), dout.Dim(1)
	lo, hi := crew.Share(o)
	m.du = vector.Grow(m.du, lines*(hi-lo))
	for i, post := range crew.Exchange(dout) {
		from, weight := post.(*engine.Array[T]).Data, T(crew.Weight(i))
		for l := range lines {
			src, dst := from[l*o+lo:l*o+hi], m.du[l*(hi-lo):(l+1)*(hi-lo)]
			if i == 0 {
				clear(dst)
			}
			vector.AddScaled(dst, weight, src)
		}
	}
	return lo, hi - lo
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
	gemm(noTrans, noTrans, r.Segments.Len(), o, lines, 1, r.attention.data, lines, in[1].Data, o, 0, out.Resize(r.Segments.Len(), o), o)
}

// Backward implements engine.Kernel.
func (r *MappedRead[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	o, lines, examples := in[1].Dim(1), r.Heads*len(r.Pairs.Words), r.Segments.Len()
	if din[0] != nil {
		r.gradient.resize(r.Segments, r.Pairs, r.Heads)
		gemm(noTrans, trans, examples, lines, o, 1, dout.Data, o, in[1].Data, o, 0, r.gradient.data, lines)
		dw, beta := din[0].Overwrite(in[0].Dims()...)
		r.gradient.gather(beta, dw)
	}
	if din[1] != nil {
		du, beta := din[1].Overwrite(in[1].Dims()...)
		gemm(trans, noTrans, lines, o, examples, 1, r.attention.data, lines, dout.Data, o, beta, du, o)
	}
}
