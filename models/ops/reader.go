package ops

import "memobench/models/engine"

// reader does the three products between an example's memory rows, per-head
// vectors and per-row weights that Scores and Read are made of.
type reader[T engine.Float] struct {
	seg    *Segments
	heads  int
	width  int // of one head's vector
	stride int // of a memory row
	step   int // from one head's part of a memory row to the next; 0 when shared
}

// newReader describes vectors of vec = heads x width elements and memory rows
// of as many, or of width when shared.
func newReader[T engine.Float](seg *Segments, heads int, shared bool, vec int) reader[T] {
	r := reader[T]{seg: seg, heads: heads, width: vec / heads, stride: vec, step: vec / heads}
	if shared {
		r.stride, r.step = r.width, 0
	}
	return r
}

// together reports whether one matrix product serves all heads of an example.
func (r *reader[T]) together() bool { return r.step == 0 && r.heads > 1 }

// part returns example b's rows of mem and w, its vectors in vec, and its
// number of rows.
func (r *reader[T]) part(b int, mem, vec, w []T) (m, v, s []T, n int) {
	lo, hi := r.seg.Offsets[b], r.seg.Offsets[b+1]
	first := r.seg.first(b)
	return mem[first*r.stride : (first+hi-lo)*r.stride], vec[b*r.heads*r.width : (b+1)*r.heads*r.width], w[lo*r.heads : hi*r.heads], hi - lo
}

// dot sets w[row, h] = beta w[row, h] + alpha <mem[row, h], vec[b, h]>.
func (r *reader[T]) dot(b int, alpha T, mem, vec []T, beta T, w []T) {
	m, v, s, n := r.part(b, mem, vec, w)
	if n == 0 {
		return
	}
	if r.together() {
		gemm(noTrans, trans, n, r.heads, r.width, alpha, m, r.stride, v, r.width, beta, s, r.heads)
		return
	}
	for h := range r.heads {
		gemv(noTrans, n, r.width, alpha, m[h*r.step:], r.stride, v[h*r.width:(h+1)*r.width], 1, beta, s[h:], r.heads)
	}
}

// sum sets vec[b, h] = beta vec[b, h] + alpha sum over rows of
// w[row, h] mem[row, h].
func (r *reader[T]) sum(b int, alpha T, mem, w []T, beta T, vec []T) {
	m, v, s, n := r.part(b, mem, vec, w)
	if n == 0 {
		if beta == 0 {
			clear(v)
		}
		return
	}
	if r.together() {
		gemm(trans, noTrans, r.heads, r.width, n, alpha, s, r.heads, m, r.stride, beta, v, r.width)
		return
	}
	for h := range r.heads {
		gemv(trans, n, r.width, alpha, m[h*r.step:], r.stride, s[h:], r.heads, beta, v[h*r.width:(h+1)*r.width], 1)
	}
}

// outer adds alpha w[row, h] vec[b, h] to mem[row, h].
func (r *reader[T]) outer(b int, alpha T, w, vec, mem []T) {
	m, v, s, n := r.part(b, mem, vec, w)
	if n == 0 {
		return
	}
	if r.together() {
		gemm(noTrans, noTrans, n, r.width, r.heads, alpha, s, r.heads, v, r.width, 1, m, r.stride)
		return
	}
	for h := range r.heads {
		ger(n, r.width, alpha, s[h:], r.heads, v[h*r.width:(h+1)*r.width], 1, m[h*r.step:], r.stride)
	}
}
