package ops

import (
	"fmt"

	"memobench/models/engine"
)

// AppendQuery puts each example's query behind its memory rows:
//
//	rows [R x d], query [B x d] -> tokens [(R+B) x d]
//
// so that example b's n_b + 1 tokens are next to each other, the query last. Segments
// are those of the rows; SetTokens gives those of the result.
type AppendQuery[T engine.Float] struct {
	Segments *Segments
}

// SetTokens sets s to the segments of rows with one more line per example.
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

// Last picks the last line of each example: x [N x d] -> y [B x d].
type Last[T engine.Float] struct {
	Segments *Segments
}

func (*Last[T]) String() string { return "Last" }

// Shape implements engine.Kernel.
func (*Last[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2); err != nil {
		return nil, err
	}
	return engine.Shape{nominal, in[0][1]}, nil
}

// Forward implements engine.Kernel.
func (l *Last[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d := in[0].Dim(1)
	y := out.Resize(l.Segments.Len(), d)
	for b := range l.Segments.Len() {
		copy(y[b*d:(b+1)*d], in[0].Data[(l.Segments.Offsets[b+1]-1)*d:])
	}
}

// Backward implements engine.Kernel.
func (l *Last[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	if din[0] == nil {
		return
	}
	d := in[0].Dim(1)
	dx := din[0].Add(in[0].Dims()...)
	for b := range l.Segments.Len() {
		end := l.Segments.Offsets[b+1] * d
		add(dx[end-d:end], dout.Data[b*d:])
	}
}

// Mean averages the lines of each example: x [N x d] -> y [B x d].
type Mean[T engine.Float] struct {
	Segments *Segments
}

func (*Mean[T]) String() string { return "Mean" }

// Shape implements engine.Kernel.
func (*Mean[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return (*Last[T])(nil).Shape(in)
}

// Forward implements engine.Kernel.
func (m *Mean[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d := in[0].Dim(1)
	y := out.Resize(m.Segments.Len(), d)
	clear(y)
	for b := range m.Segments.Len() {
		line, lo, hi := y[b*d:(b+1)*d], m.Segments.Offsets[b], m.Segments.Offsets[b+1]
		for i := lo; i < hi; i++ {
			add(line, in[0].Data[i*d:])
		}
		for j := range line {
			line[j] /= T(hi - lo)
		}
	}
}

// Backward implements engine.Kernel.
func (m *Mean[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	if din[0] == nil {
		return
	}
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
