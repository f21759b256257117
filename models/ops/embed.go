package ops

import (
	"fmt"

	"memobench/models/engine"
)

// Embed looks up the words of each line and concatenates them, word-major:
//
//	y[n] = vec(c_n),  c_n[s] = E[word(n, s)]       E [U x d_c] -> y [N x (S+X) d_c]
//
// (MEMO eq. 7 for one-hot words). An empty slot is zero. With Time, X = 1 slot
// follows the words and holds the fixed code of the line's age within its
// example; otherwise X = 0.
type Embed[T engine.Float] struct {
	Words *Words
	Time  *TimeCode[T] // nil for none
}

func (e *Embed[T]) String() string { return fmt.Sprintf("Embed(width=%d)", e.Words.Width) }

func (e *Embed[T]) slots() int {
	if e.Time != nil {
		return e.Words.Width + 1
	}
	return e.Words.Width
}

// Shape implements engine.Kernel.
func (e *Embed[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2); err != nil {
		return nil, err
	}
	return engine.Shape{nominal, e.slots() * in[0][1]}, nil
}

// Forward implements engine.Kernel.
func (e *Embed[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	table, dc, slots, n := in[0].Data, in[0].Dim(1), e.slots(), e.Words.Lines()
	y := out.Resize(n, slots*dc)
	at := 0
	for i, id := range e.Words.IDs {
		dst := y[at : at+dc]
		if id < 0 {
			clear(dst)
		} else {
			copy(dst, table[int(id)*dc:])
		}
		at += dc
		if e.Time != nil && (i+1)%e.Words.Width == 0 {
			at += dc
		}
	}
	if e.Time != nil {
		eachAge(e.Time.Segments, func(row, age int) {
			copy(y[(row*slots+slots-1)*dc:(row+1)*slots*dc], e.Time.Code(age))
		})
	}
}

// Backward implements engine.Kernel.
func (e *Embed[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	if din[0] == nil {
		return
	}
	dc, slots, width := in[0].Dim(1), e.slots(), e.Words.Width
	de := din[0].Add(in[0].Dims()...)
	for i, id := range e.Words.IDs {
		if id >= 0 {
			at := (i/width*slots + i%width) * dc
			add(de[int(id)*dc:(int(id)+1)*dc], dout.Data[at:])
		}
	}
}
