package ops

import (
	"fmt"

	"memobench/models/engine"
)

// PairScores compares each example's queries with its memory rows, like Scores,
// where a row is the sum of the vectors of its (slot, word) pairs:
//
//	s[r, h] = scale sum over pairs p of r of <q[b, h], k[p, h]>
//
// q [B x H d], k [P x H d] (EmbedProject with Distinct) -> s [R x H]. Where few
// words make up many rows, a query is compared with each pair once, and a row's
// score is a sum of few numbers.
type PairScores[T engine.Float] struct {
	Segments *Segments
	Pairs    *Pairs
	Heads    int
	Scale    float64

	table pairTable[T]
}

func (s *PairScores[T]) String() string {
	return fmt.Sprintf("PairScores(heads=%d, scale=%g)", s.Heads, s.Scale)
}

// Shape implements engine.Kernel.
func (s *PairScores[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2, 2); err != nil {
		return nil, err
	}
	if in[0][1] != in[1][1] || in[0][1]%s.Heads != 0 {
		return nil, fmt.Errorf("queries %v and pairs %v do not fit %d heads", in[0], in[1], s.Heads)
	}
	return engine.Shape{nominal, s.Heads}, nil
}

// Forward implements engine.Kernel.
func (s *PairScores[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	s.table.resize(s.Segments, s.Pairs, s.Heads)
	s.table.times(T(s.Scale), in[0].Data, in[1].Data, in[0].Dim(1))
	s.table.gather(0, out.Resize(s.Segments.Rows(), s.Heads))
}

// Backward implements engine.Kernel. The table becomes that of the gradient.
func (s *PairScores[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	s.table.scatter(dout.Data)
	if din[0] != nil {
		dq, beta := din[0].Overwrite(in[0].Dims()...)
		s.table.combine(T(s.Scale), in[1].Data, beta, dq, in[0].Dim(1))
	}
	if din[1] != nil {
		dk, beta := din[1].Overwrite(in[1].Dims()...)
		s.table.outer(T(s.Scale), in[0].Data, beta, dk, in[0].Dim(1))
	}
}

// PairRead returns each head's weighted sum of its example's memory rows, like
// Read, where a row is the sum of the vectors of its (slot, word) pairs:
//
//	y[b, h] = sum over rows r of b of w[r, h] sum over pairs p of r of v[p, h]
//
// w [R x H], v [P x H d] -> y [B x H d]. The attention on each pair is added up
// first.
type PairRead[T engine.Float] struct {
	Segments *Segments
	Pairs    *Pairs
	Heads    int

	attention, gradient pairTable[T]
}

func (r *PairRead[T]) String() string { return fmt.Sprintf("PairRead(heads=%d)", r.Heads) }

// Shape implements engine.Kernel.
func (r *PairRead[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2, 2); err != nil {
		return nil, err
	}
	if in[0][1] != r.Heads || in[1][1]%r.Heads != 0 {
		return nil, fmt.Errorf("weights %v and pairs %v do not fit %d heads", in[0], in[1], r.Heads)
	}
	return engine.Shape{nominal, in[1][1]}, nil
}

// Forward implements engine.Kernel.
func (r *PairRead[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	width := in[1].Dim(1)
	r.attention.resize(r.Segments, r.Pairs, r.Heads)
	r.attention.scatter(in[0].Data)
	r.attention.combine(1, in[1].Data, 0, out.Resize(r.Segments.Len(), width), width)
}

// Backward implements engine.Kernel.
func (r *PairRead[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	width := in[1].Dim(1)
	if din[0] != nil {
		r.gradient.resize(r.Segments, r.Pairs, r.Heads)
		r.gradient.times(1, dout.Data, in[1].Data, width)
		dw, beta := din[0].Overwrite(in[0].Dims()...)
		r.gradient.gather(beta, dw)
	}
	if din[1] != nil {
		dv, beta := din[1].Overwrite(in[1].Dims()...)
		r.attention.outer(1, dout.Data, beta, dv, width)
	}
}
