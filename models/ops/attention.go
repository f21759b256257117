package ops

import (
	"math"

	"memobench/models/engine"
	"memobench/models/vector"
)

// Attention is multi-head scaled dot-product attention within each example
// (Vaswani et al. 2017, section 3.2). For query i, key j and value j of one
// example, and head h of width m:
//
//	w[i, ., h] = softmax over j of <q[i, h], k[j, h]> / sqrt(m)
//	y[i, h] = sum over j of DropOut(w[i, j, h]) v[j, h]
//
// q, k, v [N x H m] -> y [N x H m], without padding. The last Linear heads have no softmax.
// For a single query per example see Scores and Read.
type Attention[T engine.Float] struct {
	Segments *Segments
	Heads    int
	Linear   int         // heads without softmax, 0 to Heads
	Dropout  *Dropout[T] // on the weights; nil for none

	w       []T // attention weights, [n_b x n_b] for each example and head in order
	dropped []T // w after dropout, of one example and head
	dw      []T // gradient of w, of one example and head
}

func (a *Attention[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "N %d*m, N %[1]d*m, N %[1]d*m -> N %[1]d*m", a.Heads)
}

// block is one example and head: its offset in the data, its number of rows, and its weights
// [n x n].
type block[T engine.Float] struct {
	at, n  int
	linear bool // no softmax
	w      []T
	mask   []T // of dropout; nil for none
}

// each calls f for every block of arrays with rows of width elements.
func (a *Attention[T]) each(width int, f func(b block[T])) {
	done := 0
	for e := range a.Segments.Len() {
		lo, n := a.Segments.Offsets[e], a.Segments.Offsets[e+1]-a.Segments.Offsets[e]
		for h := range a.Heads {
			b := block[T]{at: lo*width + h*width/a.Heads, n: n, linear: h >= a.Heads-a.Linear, w: a.w[done : done+n*n]}
			if a.Dropout != nil {
				b.mask = a.Dropout.mask[done : done+n*n]
			}
			done += n * n
			f(b)
		}
	}
}

// apply returns the block's weights after dropout.
func (a *Attention[T]) apply(b block[T]) []T {
	if b.mask == nil {
		return b.w
	}
	a.dropped = vector.Grow(a.dropped, len(b.w))
	copy(a.dropped, b.w)
	vector.Multiply(a.dropped, b.mask)
	return a.dropped
}

func (a *Attention[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	q, k, v := in[0].Data, in[1].Data, in[2].Data
	width := in[0].Dim(1)
	m, scale := width/a.Heads, a.scale(width)
	y := out.Resize(in[0].Dims()...)
	weights := 0
	for e := range a.Segments.Len() {
		n := a.Segments.Offsets[e+1] - a.Segments.Offsets[e]
		weights += a.Heads * n * n
	}
	a.w = vector.Grow(a.w, weights)
	if a.Dropout != nil {
		a.Dropout.draw(len(a.w))
	}
	a.each(width, func(b block[T]) {
		Gemm(noTrans, trans, b.n, b.n, m, scale, q[b.at:], width, k[b.at:], width, 0, b.w, b.n)
		for i := 0; i < len(b.w) && !b.linear; i += b.n {
			vector.Softmax(b.w[i : i+b.n])
		}
		Gemm(noTrans, noTrans, b.n, m, b.n, 1, a.apply(b), b.n, v[b.at:], width, 0, y[b.at:], width)
	})
}

func (a *Attention[T]) scale(width int) T { return T(1 / math.Sqrt(float64(width/a.Heads))) }

// Backward: with u = DropOut(w) and ds the gradient of the scaled products,
//
//	dv[j] = sum_i u[i, j] dy[i]        du[i, j] = <dy[i], v[j]>
//	ds[i] = w[i] (dw[i] - <w[i], dw[i]>), or dw[i] without softmax
//	dq[i] = scale sum_j ds[i, j] k[j]  dk[j] = scale sum_i ds[i, j] q[i]
func (a *Attention[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	q, k, v, dy := in[0].Data, in[1].Data, in[2].Data, dout.Data
	width := in[0].Dim(1)
	m, scale := width/a.Heads, a.scale(width)
	var d [3][]T
	var beta [3]T
	for i, g := range din {
		d[i], beta[i] = g.Overwrite(in[i].Dims()...)
	}
	a.each(width, func(b block[T]) {
		Gemm(trans, noTrans, b.n, m, b.n, 1, a.apply(b), b.n, dy[b.at:], width, beta[2], d[2][b.at:], width)
		a.dw = vector.Grow(a.dw, len(b.w))
		Gemm(noTrans, trans, b.n, b.n, m, 1, dy[b.at:], width, v[b.at:], width, 0, a.dw, b.n)
		if b.mask != nil {
			vector.Multiply(a.dw, b.mask)
		}
		for i := 0; i < len(b.w) && !b.linear; i += b.n {
			w, dw := b.w[i:i+b.n], a.dw[i:i+b.n]
			vector.AddConstant(dw, -vector.Dot(w, dw))
			vector.Multiply(dw, w)
		}
		Gemm(noTrans, noTrans, b.n, m, b.n, scale, a.dw, b.n, k[b.at:], width, beta[0], d[0][b.at:], width)
		Gemm(trans, noTrans, b.n, m, b.n, scale, a.dw, b.n, q[b.at:], width, beta[1], d[1][b.at:], width)
	})
}
