package ops

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// AppendQuery appends each example's query to its memory rows:
//
//	rows [M x d], query [B x d] -> tokens [(R+B) x d]
//
// so that example b's n_b + 1 tokens are contiguous, the query last. M is R or, with Rows, the number
// of distinct rows. Segments are those of the R rows; for those of the result see SetTokens.
type AppendQuery[T engine.Float] struct {
	Segments *Segments
	Rows     *DistinctRows // or nil
}

// SetTokens sets s to the segments of rows with one more row per example.
func (s *Segments) SetTokens(rows *Segments) {
	s.Offsets = s.Offsets[:0]
	for b, o := range rows.Offsets {
		s.Offsets = append(s.Offsets, o+b)
	}
}

// SetSingles sets s to the segments of one row for each of b examples.
func (s *Segments) SetSingles(b int) {
	s.Offsets = s.Offsets[:0]
	for i := range b + 1 {
		s.Offsets = append(s.Offsets, i)
	}
}

func (*AppendQuery[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "M d, B d -> N d")
}

// each calls f for every token with its input, 0 for rows and 1 for queries, and its row there.
func (a *AppendQuery[T]) each(f func(token, input, row int)) {
	for b := range a.Segments.Len() {
		hi := a.Segments.Offsets[b+1]
		for r := a.Segments.Offsets[b]; r < hi; r++ {
			row := r
			if a.Rows != nil {
				row = int(a.Rows.Index[r])
			}
			f(r+b, 0, row)
		}
		f(hi+b, 1, b)
	}
}

func (a *AppendQuery[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d := in[0].Dim(1)
	y := out.Resize(a.Segments.Rows()+a.Segments.Len(), d)
	a.each(func(token, input, row int) { copy(y[token*d:(token+1)*d], in[input].Data[row*d:]) })
}

func (a *AppendQuery[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	d := in[0].Dim(1)
	dx := [2][]T{din[0].Add(in[0].Dims()...), din[1].Add(in[1].Dims()...)}
	a.each(func(token, input, row int) { vector.Add(dx[input][row*d:(row+1)*d], dout.Data[token*d:]) })
}

// Mean averages the rows of each example: x [N x d] -> y [B x d].
type Mean[T engine.Float] struct {
	Segments *Segments
}

func (*Mean[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "N d -> B d")
}

func (m *Mean[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d := in[0].Dim(1)
	y := out.Resize(m.Segments.Len(), d)
	clear(y)
	for b := range m.Segments.Len() {
		mean, lo, hi := y[b*d:(b+1)*d], m.Segments.Offsets[b], m.Segments.Offsets[b+1]
		for i := lo; i < hi; i++ {
			vector.Add(mean, in[0].Data[i*d:])
		}
		for j := range mean {
			mean[j] /= T(hi - lo)
		}
	}
}

func (m *Mean[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	d := in[0].Dim(1)
	dx := din[0].Add(in[0].Dims()...)
	for b := range m.Segments.Len() {
		dy, lo, hi := dout.Data[b*d:(b+1)*d], m.Segments.Offsets[b], m.Segments.Offsets[b+1]
		for at := lo * d; at < hi*d; at += d {
			for j, g := range dy {
				dx[at+j] += g / T(hi-lo)
			}
		}
	}
}

// Gather selects rows: y[i] = x[Row(i)] for i < Len(), x [N x d] -> y [B x d].
type Gather[T engine.Float] struct {
	Len func() int
	Row func(i int) int
}

// GatherLast returns the operation that selects the last row of each example.
func GatherLast[T engine.Float](s *Segments) *Gather[T] {
	return &Gather[T]{Len: s.Len, Row: func(b int) int { return s.Offsets[b+1] - 1 }}
}

func (*Gather[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "N d -> B d")
}

func (g *Gather[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	n, d := g.Len(), in[0].Dim(1)
	y := out.Resize(n, d)
	for i := range n {
		copy(y[i*d:(i+1)*d], in[0].Data[g.Row(i)*d:])
	}
}

func (g *Gather[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	d, dx := in[0].Dim(1), din[0].Add(in[0].Dims()...)
	for i := range g.Len() {
		at := g.Row(i) * d
		vector.Add(dx[at:at+d], dout.Data[i*d:])
	}
}

// Argmax returns the index of the largest element, the first one of equal elements.
func Argmax[T engine.Float](x []T) int {
	best := 0
	for i, v := range x {
		if v > x[best] {
			best = i
		}
	}
	return best
}
