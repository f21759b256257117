package ops

import "memobench/models/engine"

// reader computes the products of an example's memory rows, per-head vectors and per-row
// weights of which Scores and Read consist.
type reader[T engine.Float] struct {
	seg    *Segments
	heads  int
	width  int // of one head's vector
	stride int // of a memory row
	step   int // from one head's part of a memory row to the next; 0 when shared
}

// newReader returns a reader for vectors of vec = heads x width elements and memory rows of
// vec elements, or of width elements if shared.
func newReader[T engine.Float](seg *Segments, heads int, shared bool, vec int) reader[T] {
	r := reader[T]{seg: seg, heads: heads, width: vec / heads, stride: vec, step: vec / heads}
	if shared {
		r.stride, r.step = r.width, 0
	}
	return r
}

// together reports whether one matrix product computes all heads of an example.
func (r *reader[T]) together() bool { return r.step == 0 && r.heads > 1 }

// each calls f for every example, with one head for all examples lo to hi-1 that share a memory.
func (r *reader[T]) each(f func(lo, hi int)) {
	for lo, hi := 0, 0; lo < r.seg.Len(); lo = hi {
		if hi = lo + 1; r.heads == 1 {
			hi = r.seg.sharing(lo)
		}
		f(lo, hi)
	}
}

// part returns the memory rows of the examples lo to hi-1, their vectors in vec, their rows of w
// and the number of rows of each.
func (r *reader[T]) part(lo, hi int, mem, vec, w []T) (m, v, s []T, n int) {
	from, n, first := r.seg.Offsets[lo], r.seg.Offsets[lo+1]-r.seg.Offsets[lo], r.seg.first(lo)
	return mem[first*r.stride : (first+n)*r.stride], vec[lo*r.heads*r.width : hi*r.heads*r.width], w[from*r.heads : (from+(hi-lo)*n)*r.heads], n
}

// dot sets w[row, h] = beta w[row, h] + alpha <mem[row, h], vec[b, h]>.
func (r *reader[T]) dot(lo, hi int, alpha T, mem, vec []T, beta T, w []T) {
	m, v, s, n := r.part(lo, hi, mem, vec, w)
	switch {
	case n == 0:
	case hi > lo+1:
		Gemm(noTrans, trans, hi-lo, n, r.width, alpha, v, r.width, m, r.stride, beta, s, n)
	case r.together():
		Gemm(noTrans, trans, n, r.heads, r.width, alpha, m, r.stride, v, r.width, beta, s, r.heads)
	default:
		for h := range r.heads {
			gemv(noTrans, n, r.width, alpha, m[h*r.step:], r.stride, v[h*r.width:(h+1)*r.width], 1, beta, s[h:], r.heads)
		}
	}
}

// sum sets vec[b, h] = beta vec[b, h] + alpha sum over rows of
// w[row, h] mem[row, h].
func (r *reader[T]) sum(lo, hi int, alpha T, mem, w []T, beta T, vec []T) {
	m, v, s, n := r.part(lo, hi, mem, vec, w)
	switch {
	case n == 0 && beta == 0:
		clear(v)
	case n == 0:
	case hi > lo+1:
		Gemm(noTrans, noTrans, hi-lo, r.width, n, alpha, s, n, m, r.stride, beta, v, r.width)
	case r.together():
		Gemm(trans, noTrans, r.heads, r.width, n, alpha, s, r.heads, m, r.stride, beta, v, r.width)
	default:
		for h := range r.heads {
			gemv(trans, n, r.width, alpha, m[h*r.step:], r.stride, s[h:], r.heads, beta, v[h*r.width:(h+1)*r.width], 1)
		}
	}
}

// outer adds alpha w[row, h] vec[b, h] to mem[row, h].
func (r *reader[T]) outer(lo, hi int, alpha T, w, vec, mem []T) {
	m, v, s, n := r.part(lo, hi, mem, vec, w)
	switch {
	case n == 0:
	case hi > lo+1:
		Gemm(trans, noTrans, n, r.width, hi-lo, alpha, s, n, v, r.width, 1, m, r.stride)
	case r.together():
		Gemm(noTrans, noTrans, n, r.width, r.heads, alpha, s, r.heads, v, r.width, 1, m, r.stride)
	default:
		for h := range r.heads {
			ger(n, r.width, alpha, s[h:], r.heads, v[h*r.width:(h+1)*r.width], 1, m[h*r.step:], r.stride)
		}
	}
}

// Scores compares each example's queries with its memory rows:
//
//	s[r, h] = scale <q[b, h], m[r, h]>      q [B x H m], m [R x H m] -> s [R x H]
//
// for every row r of example b. With Shared, all heads read the same memory
// m [R x m].
type Scores[T engine.Float] struct {
	Segments *Segments
	Heads    int
	Shared   bool
	Scale    float64
}

func (s *Scores[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "B %d*m, M %d*m -> R %[1]d", s.Heads, memoryHeads(s.Heads, s.Shared))
}

func (s *Scores[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	q, mem := in[0].Data, in[1].Data
	r := newReader[T](s.Segments, s.Heads, s.Shared, in[0].Dim(1))
	y := out.Resize(s.Segments.Rows(), s.Heads)
	r.each(func(lo, hi int) { r.dot(lo, hi, T(s.Scale), mem, q, 0, y) })
}

// Backward: dq = scale sum_r ds[r] m[r],
// dm[r] = scale ds[r] q.
func (s *Scores[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	q, mem := in[0].Data, in[1].Data
	r := newReader[T](s.Segments, s.Heads, s.Shared, in[0].Dim(1))
	dq, beta := din[0].Overwrite(in[0].Dims()...)
	dm := din[1].Add(in[1].Dims()...)
	r.each(func(lo, hi int) {
		r.sum(lo, hi, T(s.Scale), mem, dout.Data, beta, dq)
		r.outer(lo, hi, T(s.Scale), dout.Data, q, dm)
	})
}

// Read returns each head's weighted sum of its example's memory rows:
//
//	y[b, h] = sum over rows r of b of w[r, h] m[r, h]     w [R x H], m [R x H m] -> y [B x H m]
//
// (MEMO eq. 13). With Shared, all heads read the same memory m [R x m].
type Read[T engine.Float] struct {
	Segments *Segments
	Heads    int
	Shared   bool
}

// memoryHeads returns the number of heads' parts in a memory row.
func memoryHeads(heads int, shared bool) int {
	if shared {
		return 1
	}
	return heads
}

// vec returns the total width of all heads' vectors.
func (r *Read[T]) vec(row int) int { return row * r.Heads / memoryHeads(r.Heads, r.Shared) }

func (r *Read[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "R %d, M %d*m -> B %[1]d*m", r.Heads, memoryHeads(r.Heads, r.Shared))
}

func (r *Read[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	vec := r.vec(in[1].Dim(1))
	rd := newReader[T](r.Segments, r.Heads, r.Shared, vec)
	y := out.Resize(r.Segments.Len(), vec)
	rd.each(func(lo, hi int) { rd.sum(lo, hi, 1, in[1].Data, in[0].Data, 0, y) })
}

// Backward: dw[r] = <dy, m[r]>, dm[r] = w[r] dy.
func (r *Read[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	rd := newReader[T](r.Segments, r.Heads, r.Shared, dout.Dim(1))
	dw, beta := din[0].Overwrite(in[0].Dims()...)
	dm := din[1].Add(in[1].Dims()...)
	rd.each(func(lo, hi int) {
		rd.dot(lo, hi, 1, in[1].Data, dout.Data, beta, dw)
		rd.outer(lo, hi, 1, in[0].Data, dout.Data, dm)
	})
}

// MixSlots mixes the logits of an example's memory slots:
//
//	y[i, h] = sum over j < n_b of W[i, j] x[j, h]       W [I x I], x [R x H] -> y [R x H]
//
// (W_h of MEMO eq. 11, the same for all heads and hops). This equals the padded product: the
// key of an empty slot is zero, so it adds nothing, and its own logit is masked.
type MixSlots[T engine.Float] struct {
	Segments *Segments
}

func (m *MixSlots[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "i i, R H -> R H")
}

// batches reports whether one product computes the whole batch: with one head and n rows in
// every example, x is [B x n].
func (m *MixSlots[T]) batches(heads int) (n int, ok bool) {
	n = m.Segments.uniform()
	return n, heads == 1 && n > 0
}

func (m *MixSlots[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	w, slots, x, heads := in[0].Data, in[0].Dim(0), in[1].Data, in[1].Dim(1)
	y := out.Resize(in[1].Dims()...)
	if n, ok := m.batches(heads); ok {
		Gemm(noTrans, trans, m.Segments.Len(), n, n, 1, x, n, w, slots, 0, y, n)
		return
	}
	m.each(func(lo, n int) {
		Gemm(noTrans, noTrans, n, heads, n, 1, w, slots, x[lo*heads:], heads, 0, y[lo*heads:], heads)
	})
}

// Backward: dW = dy x^T, dx = W^T dy, per example.
func (m *MixSlots[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	w, slots, x, heads, dy := in[0].Data, in[0].Dim(0), in[1].Data, in[1].Dim(1), dout.Data
	dw := din[0].Add(in[0].Dims()...)
	dx, beta := din[1].Overwrite(in[1].Dims()...)
	if n, ok := m.batches(heads); ok {
		Gemm(trans, noTrans, n, n, m.Segments.Len(), 1, dy, n, x, n, 1, dw, slots)
		Gemm(noTrans, noTrans, m.Segments.Len(), n, n, 1, dy, n, w, slots, beta, dx, n)
		return
	}
	m.each(func(lo, n int) {
		Gemm(noTrans, trans, n, n, heads, 1, dy[lo*heads:], heads, x[lo*heads:], heads, 1, dw, slots)
		Gemm(trans, noTrans, n, heads, n, 1, w, slots, dy[lo*heads:], heads, beta, dx[lo*heads:], heads)
	})
}

// each calls f with the first row and the number of rows of every example.
func (m *MixSlots[T]) each(f func(lo, n int)) {
	for b := range m.Segments.Len() {
		lo := m.Segments.Offsets[b]
		f(lo, m.Segments.Offsets[b+1]-lo)
	}
}
