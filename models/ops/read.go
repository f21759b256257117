package ops

import (
	"fmt"

	"memobench/models/engine"
)

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
