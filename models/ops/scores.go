package ops

import (
	"fmt"

	"memobench/models/engine"
)

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
