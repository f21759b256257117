package ops

import (
	"fmt"

	"memobench/models/engine"
)

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
		Gemm(noTrans, trans, n, r.heads, r.width, alpha, m, r.stride, v, r.width, beta, s, r.heads)
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
		Gemm(trans, noTrans, r.heads, r.width, n, alpha, s, r.heads, m, r.stride, beta, v, r.width)
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
		Gemm(noTrans, noTrans, n, r.width, r.heads, alpha, s, r.heads, v, r.width, 1, m, r.stride)
		return
	}
	for h := range r.heads {
		ger(n, r.width, alpha, s[h:], r.heads, v[h*r.width:(h+1)*r.width], 1, m[h*r.step:], r.stride)
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

func (s *Scores[T]) String() string {
	return fmt.Sprintf("Scores(heads=%d, shared=%t, scale=%g)", s.Heads, s.Shared, s.Scale)
}

// Shape implements engine.Kernel.
func (s *Scores[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2, 2); err != nil {
		return nil, err
	}
	want := in[0][1]
	if s.Shared {
		want /= s.Heads
	}
	if in[0][1]%s.Heads != 0 || in[1][1] != want {
		return nil, fmt.Errorf("queries %v and memory %v do not fit", in[0], in[1])
	}
	return engine.Shape{nominal, s.Heads}, nil
}

// Forward implements engine.Kernel.
func (s *Scores[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	q, mem := in[0].Data, in[1].Data
	r := newReader[T](s.Segments, s.Heads, s.Shared, in[0].Dim(1))
	y := out.Resize(s.Segments.Rows(), s.Heads)
	for b := range s.Segments.Len() {
		r.dot(b, T(s.Scale), mem, q, 0, y)
	}
}

// Backward implements engine.Kernel: dq = scale sum_r ds[r] m[r],
// dm[r] = scale ds[r] q.
func (s *Scores[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	q, mem := in[0].Data, in[1].Data
	r := newReader[T](s.Segments, s.Heads, s.Shared, in[0].Dim(1))
	if din[0] != nil {
		dq, beta := din[0].Overwrite(in[0].Dims()...)
		for b := range s.Segments.Len() {
			r.sum(b, T(s.Scale), mem, dout.Data, beta, dq)
		}
	}
	if din[1] != nil {
		dm := din[1].Add(in[1].Dims()...)
		for b := range s.Segments.Len() {
			r.outer(b, T(s.Scale), dout.Data, q, dm)
		}
	}
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

func (r *Read[T]) String() string { return fmt.Sprintf("Read(heads=%d, shared=%t)", r.Heads, r.Shared) }

// vec returns the width of all heads' vectors together.
func (r *Read[T]) vec(row int) int {
	if r.Shared {
		return r.Heads * row
	}
	return row
}

// Shape implements engine.Kernel.
func (r *Read[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2, 2); err != nil {
		return nil, err
	}
	if in[0][1] != r.Heads || r.vec(in[1][1])%r.Heads != 0 {
		return nil, fmt.Errorf("weights %v and memory %v do not fit %d heads", in[0], in[1], r.Heads)
	}
	return engine.Shape{nominal, r.vec(in[1][1])}, nil
}

// Forward implements engine.Kernel.
func (r *Read[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	vec := r.vec(in[1].Dim(1))
	rd := newReader[T](r.Segments, r.Heads, r.Shared, vec)
	y := out.Resize(r.Segments.Len(), vec)
	for b := range r.Segments.Len() {
		rd.sum(b, 1, in[1].Data, in[0].Data, 0, y)
	}
}

// Backward implements engine.Kernel: dw[r] = <dy, m[r]>, dm[r] = w[r] dy.
func (r *Read[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	rd := newReader[T](r.Segments, r.Heads, r.Shared, dout.Dim(1))
	if din[0] != nil {
		dw, beta := din[0].Overwrite(in[0].Dims()...)
		for b := range r.Segments.Len() {
			rd.dot(b, 1, in[1].Data, dout.Data, beta, dw)
		}
	}
	if din[1] != nil {
		dm := din[1].Add(in[1].Dims()...)
		for b := range r.Segments.Len() {
			rd.outer(b, 1, in[0].Data, dout.Data, dm)
		}
	}
}
