package ops

import (
	"fmt"

	"memobench/models/engine"
)

// Items points an operation at the distinct items of a batch, which word ids
// index.
type Items struct {
	Dim  int
	Data []float32 // [U x Dim]
}

// Len returns U.
func (t *Items) Len() int { return len(t.Data) / t.Dim }

// EmbedItems embeds each distinct item once:
//
//	y = X W        items X [U x D], W [D x d] -> y [U x d]
//
// Line u of the result is what line u of W is where words are one-hot, so that
// what looks words up need not know which kind they are.
type EmbedItems[T engine.Float] struct {
	Items *Items

	x []T // the items
}

func (e *EmbedItems[T]) String() string { return fmt.Sprintf("EmbedItems(features=%d)", e.Items.Dim) }

// Shape implements engine.Kernel.
func (e *EmbedItems[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2); err != nil {
		return nil, err
	}
	if in[0][0] != e.Items.Dim {
		return nil, fmt.Errorf("W %v does not fit items of %d features", in[0], e.Items.Dim)
	}
	return engine.Shape{nominal, in[0][1]}, nil
}

// Forward implements engine.Kernel.
func (e *EmbedItems[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	if x, same := any(e.Items.Data).([]T); same {
		e.x = x
	} else {
		e.x = e.x[:0]
		for _, v := range e.Items.Data {
			e.x = append(e.x, T(v))
		}
	}
	n, d, w := e.Items.Len(), e.Items.Dim, in[0].Dim(1)
	Gemm(noTrans, noTrans, n, w, d, 1, e.x, d, in[0].Data, w, 0, out.Resize(n, w), w)
}

// Backward implements engine.Kernel: dW = X^T dy.
func (e *EmbedItems[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	if din[0] == nil {
		return
	}
	n, d, w := e.Items.Len(), e.Items.Dim, in[0].Dim(1)
	dw, beta := din[0].Overwrite(in[0].Dims()...)
	Gemm(trans, noTrans, d, w, n, 1, e.x, d, dout.Data, w, beta, dw, w)
}
