package ops

import (
	"fmt"

	"memobench/models/engine"
)

// AppendQuery puts each example's query behind its memory rows:
//
//	rows [R x d], query [B x d] -> tokens [(R+B) x d]
//
// so that example b's n_b + 1 tokens stand together, the query last. Segments
// are those of the rows; SetTokens gives those of the result.
type AppendQuery[T engine.Float] struct {
	Segments *Segments
}

// SetTokens sets s to the segments of rows with one more line an example.
func (s *Segments) SetTokens(rows *Segments) {
	s.Offsets = s.Offsets[:0]
	for b, o := range rows.Offsets {
		s.Offsets = append(s.Offsets, o+b)
	}
}

func (*AppendQuery[T]) String() string { return "AppendQuery" }

// Shape implements engine.Kernel.
func (*AppendQuery[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2, 2); err != nil {
		return nil, err
	}
	if in[0][1] != in[1][1] {
		return nil, fmt.Errorf("rows %v and queries %v differ in width", in[0], in[1])
	}
	return in[0], nil
}

// each calls f for every example with the elements of its rows, its query and
// its tokens as ranges.
func (a *AppendQuery[T]) each(d int, f func(rows, query, tokens [2]int)) {
	for b := range a.Segments.Len() {
		lo, hi := a.Segments.Offsets[b]*d, a.Segments.Offsets[b+1]*d
		f([2]int{lo, hi}, [2]int{b * d, (b + 1) * d}, [2]int{lo + b*d, hi + (b+1)*d})
	}
}

// Forward implements engine.Kernel.
func (a *AppendQuery[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d := in[0].Dim(1)
	y := out.Resize(in[0].Dim(0)+in[1].Dim(0), d)
	a.each(d, func(rows, query, tokens [2]int) {
		n := copy(y[tokens[0]:], in[0].Data[rows[0]:rows[1]])
		copy(y[tokens[0]+n:], in[1].Data[query[0]:query[1]])
	})
}

// Backward implements engine.Kernel.
func (a *AppendQuery[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	d := in[0].Dim(1)
	var drows, dquery []T
	if din[0] != nil {
		drows = din[0].Add(in[0].Dims()...)
	}
	if din[1] != nil {
		dquery = din[1].Add(in[1].Dims()...)
	}
	a.each(d, func(rows, query, tokens [2]int) {
		dy := dout.Data[tokens[0]:tokens[1]]
		if drows != nil {
			add(drows[rows[0]:rows[1]], dy)
		}
		if dquery != nil {
			add(dquery[query[0]:query[1]], dy[len(dy)-d:])
		}
	})
}
