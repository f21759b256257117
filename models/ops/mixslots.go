package ops

import (
	"fmt"

	"memobench/models/engine"
)

// MixSlots mixes the logits of an example's memory slots:
//
//	y[i, h] = sum over j < n_b of W[i, j] x[j, h]       W [I x I], x [R x H] -> y [R x H]
//
// (W_h of MEMO eq. 11, the same for all heads and hops). Restricting W to the
// n_b slots in use is the padded product exactly: the key of an empty slot is
// zero, so it adds nothing, and its own logit is masked.
type MixSlots[T engine.Float] struct {
	Segments *Segments
}

func (m *MixSlots[T]) String() string { return "MixSlots" }

// Shape implements engine.Kernel.
func (m *MixSlots[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2, 2); err != nil {
		return nil, err
	}
	if in[0][0] != in[0][1] {
		return nil, fmt.Errorf("W %v is not square", in[0])
	}
	return in[1], nil
}

// batches reports whether one product serves the whole batch: with one head
// and equally many rows n per example, x is [B x n].
func (m *MixSlots[T]) batches(heads int) (n int, ok bool) {
	n = m.Segments.uniform()
	return n, heads == 1 && n > 0
}

// Forward implements engine.Kernel.
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

// Backward implements engine.Kernel: dW = dy x^T, dx = W^T dy, per example.
func (m *MixSlots[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	w, slots, x, heads, dy := in[0].Data, in[0].Dim(0), in[1].Data, in[1].Dim(1), dout.Data
	n, whole := m.batches(heads)
	if din[0] != nil {
		dw := din[0].Add(in[0].Dims()...)
		if whole {
			Gemm(trans, noTrans, n, n, m.Segments.Len(), 1, dy, n, x, n, 1, dw, slots)
		} else {
			m.each(func(lo, n int) {
				Gemm(noTrans, trans, n, n, heads, 1, dy[lo*heads:], heads, x[lo*heads:], heads, 1, dw, slots)
			})
		}
	}
	if din[1] != nil {
		dx, beta := din[1].Overwrite(in[1].Dims()...)
		if whole {
			Gemm(noTrans, noTrans, m.Segments.Len(), n, n, 1, dy, n, w, slots, beta, dx, n)
		} else {
			m.each(func(lo, n int) {
				Gemm(trans, noTrans, n, heads, n, 1, w, slots, dy[lo*heads:], heads, beta, dx[lo*heads:], heads)
			})
		}
	}
}

// each calls f with the first row and the number of rows of every example.
func (m *MixSlots[T]) each(f func(lo, n int)) {
	for b := range m.Segments.Len() {
		lo := m.Segments.Offsets[b]
		f(lo, m.Segments.Offsets[b+1]-lo)
	}
}
