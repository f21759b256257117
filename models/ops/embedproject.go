package ops

import (
	"fmt"

	"memobench/models/engine"
	"memobench/models/vector"
)

// EmbedProject embeds the words of each memory row and projects the row, all
// heads at once:
//
//	y[r, h] = W^h vec(c_r)      E [O x d_c], W [H x d x S d_c] -> y [R x H d]
//
// (MEMO eq. 7 to 9); a W of two axes [d x S d_c] is a single head. The projection is linear
// in each word slot, so it is computed once per distinct (slot, word) pair of the batch, and
// a row is the sum of its pairs. This is exact and cheaper than a product over all rows.
type EmbedProject[T engine.Float] struct {
	Pairs *Pairs
	Time  []T // codes of the last slot, one per age, [I x d_c]; nil for none

	// Distinct omits the sums: y has one row per pair, [P x H d].
	Distinct bool

	x, y, dx, dy []T // one row per pair: embedding, projection and their gradients
}

func (e *EmbedProject[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if len(in) != 2 || len(in[0]) != 2 || len(in[1]) < 2 || len(in[1]) > 3 {
		return nil, fmt.Errorf("inputs %v, want E [O x d_c] and W [d x S d_c] or [H x d x S d_c]", in)
	}
	width, row := e.sizes(in[1])
	if row%in[0][1] != 0 {
		return nil, fmt.Errorf("W %v does not fit embeddings %v", in[1], in[0])
	}
	return engine.Fit(in[:1], "O d -> P %d", width)
}

// sizes returns the widths of a projected row, all heads together, and of vec(c), for a W of
// the given shape.
func (e *EmbedProject[T]) sizes(w []int) (width, row int) {
	if len(w) == 3 {
		return w[0] * w[1], w[2]
	}
	return w[0], w[1]
}

// timeSlot returns the slot that holds ages, or -1.
func (e *EmbedProject[T]) timeSlot() int {
	if e.Time == nil {
		return -1
	}
	return e.Pairs.Slots - 1
}

func (e *EmbedProject[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	table, dc, w := in[0].Data, in[0].Dim(1), in[1]
	p := e.Pairs
	width, ldw := e.sizes(w.Dims())
	e.x = vector.Grow(e.x, len(p.Words)*dc)
	if e.Distinct {
		e.y = out.Resize(len(p.Words), width)
	} else {
		e.y = vector.Grow(e.y, len(p.Words)*width)
	}
	for s := range p.Slots {
		lo, hi := p.Start[s], p.Start[s+1]
		for i := lo; i < hi; i++ {
			word, dst := int(p.Words[i]), e.x[i*dc:(i+1)*dc]
			if s == e.timeSlot() {
				copy(dst, e.Time[word*dc:])
			} else {
				copy(dst, table[word*dc:])
			}
		}
		Gemm(noTrans, trans, hi-lo, width, dc, 1, e.x[lo*dc:], dc, w.Data[s*dc:], ldw, 0, e.y[lo*width:], width)
	}
	if e.Distinct {
		return
	}
	y := out.Resize(p.Rows(), width)
	clear(y)
	addPairs(y, p, e.y, width)
}

func (e *EmbedProject[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	dc, w := in[0].Dim(1), in[1]
	p := e.Pairs
	width, ldw := e.sizes(w.Dims())
	if e.Distinct {
		e.dy = dout.Data
	} else {
		e.dy = vector.Grow(e.dy, len(p.Words)*width)
		clear(e.dy)
		addToPairs(e.dy, p, dout.Data, width)
	}
	de, dw := din[0].Add(in[0].Dims()...), din[1].Add(w.Dims()...)
	e.dx = vector.Grow(e.dx, len(p.Words)*dc)
	for s := range p.Slots {
		lo, hi := p.Start[s], p.Start[s+1]
		Gemm(trans, noTrans, width, dc, hi-lo, 1, e.dy[lo*width:], width, e.x[lo*dc:], dc, 1, dw[s*dc:], ldw)
		if s == e.timeSlot() {
			continue
		}
		Gemm(noTrans, noTrans, hi-lo, dc, width, 1, e.dy[lo*width:], width, w.Data[s*dc:], ldw, 0, e.dx[lo*dc:], dc)
		for i := lo; i < hi; i++ {
			vector.Add(de[int(p.Words[i])*dc:(int(p.Words[i])+1)*dc], e.dx[i*dc:])
		}
	}
}
