package ops

import "memobench/models/engine"

// PairScores is Scores for rows that are sums of the vectors of their (slot, word) pairs:
//
//	s[r, h] = scale sum over pairs p of r of <q[b, h], k[p, h]>
//
// q [B x H d], k [P x H d] (EmbedProject with Distinct) -> s [R x H]. Each query is compared
// with each pair once, which is cheap if few pairs make up many rows.
type PairScores[T engine.Float] struct {
	Segments *Segments
	Pairs    *Pairs
	Heads    int
	Scale    float64

	table pairTable[T]
}

func (s *PairScores[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "B %d*d, P %[1]d*d -> R %[1]d", s.Heads)
}

func (s *PairScores[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	s.table.resize(s.Segments, s.Pairs, s.Heads, false)
	s.table.times(T(s.Scale), in[0].Data, in[1].Data, in[0].Dim(1))
	s.table.gather(0, out.Resize(s.Segments.Rows(), s.Heads))
}

// Backward overwrites the table by its gradient.
func (s *PairScores[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	s.table.scatter(dout.Data)
	dq, beta := din[0].Overwrite(in[0].Dims()...)
	s.table.combine(T(s.Scale), in[1].Data, beta, dq, in[0].Dim(1))
	dk, beta := din[1].Overwrite(in[1].Dims()...)
	s.table.outer(T(s.Scale), in[0].Data, beta, dk, in[0].Dim(1))
}

// PairRead is Read for rows that are sums of the vectors of their (slot, word) pairs:
//
//	y[b, h] = sum over rows r of b of w[r, h] sum over pairs p of r of v[p, h]
//
// w [R x H], v [P x H d] -> y [B x H d]. The weights are first summed by pair. With Mapped,
// the vectors are products with a matrix (MapPairs), and the heads are summed:
// y[b] = sum over h and r of w[r, h] sum over p of u[h, p], u [(H P) x O] -> y [B x O]. This
// saves a product with the matrix at each read.
type PairRead[T engine.Float] struct {
	Segments *Segments
	Pairs    *Pairs
	Heads    int
	Mapped   bool

	attention, gradient pairTable[T]
}

func (r *PairRead[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if r.Mapped {
		return engine.Fit(in, "R %d, U o -> B o", r.Heads)
	}
	return engine.Fit(in, "R %d, P %[1]d*d -> B %[1]d*d", r.Heads)
}

func (r *PairRead[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	width := in[1].Dim(1)
	r.attention.resize(r.Segments, r.Pairs, r.Heads, r.Mapped)
	r.attention.scatter(in[0].Data)
	r.attention.combine(1, in[1].Data, 0, out.Resize(r.Segments.Len(), width), width)
}

func (r *PairRead[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	width := in[1].Dim(1)
	r.gradient.resize(r.Segments, r.Pairs, r.Heads, r.Mapped)
	r.gradient.times(1, dout.Data, in[1].Data, width)
	dw, beta := din[0].Overwrite(in[0].Dims()...)
	r.gradient.gather(beta, dw)
	dv, beta := din[1].Overwrite(in[1].Dims()...)
	r.attention.outer(1, dout.Data, beta, dv, width)
}

// MapPairs multiplies each head's pair vectors by the head's columns of a matrix:
//
//	u[h, p] = W[:, h] v[p, h]      v [P x H d], W [O x H d] -> u [(H P) x O]
//
// The rows of u are ordered by head, then by pair.
type MapPairs[T engine.Float] struct {
	Pairs *Pairs
	Heads int
}

func (m *MapPairs[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "P %d*d, o %[1]d*d -> U o", m.Heads)
}

func (m *MapPairs[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	v, w := in[0], in[1]
	pairs, width, o := v.Dim(0), v.Dim(1), w.Dim(0)
	d, u := width/m.Heads, out.Resize(m.Heads*pairs, o)
	for h := range m.Heads {
		Gemm(noTrans, trans, pairs, o, d, 1, sliceFrom(v.Data, h*d), width, w.Data[h*d:], width, 0, u[h*pairs*o:], o)
	}
}

// Backward: dv[p, h] = W[:, h]^T du[h, p], dW[:, h] = sum over
// p of du[h, p] v[p, h]^T.
func (m *MapPairs[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	v, w, du := in[0], in[1], dout.Data
	pairs, width, o := v.Dim(0), v.Dim(1), w.Dim(0)
	d := width / m.Heads
	dv, betaV := din[0].Overwrite(v.Dims()...)
	dw, betaW := din[1].Overwrite(w.Dims()...)
	for h := range m.Heads {
		Gemm(noTrans, noTrans, pairs, d, o, 1, du[h*pairs*o:], o, w.Data[h*d:], width, betaV, sliceFrom(dv, h*d), width)
		Gemm(trans, noTrans, o, d, pairs, 1, du[h*pairs*o:], o, sliceFrom(v.Data, h*d), width, betaW, dw[h*d:], width)
	}
}
