package ops

import (
	"fmt"

	"memobench/models/engine"
	"memobench/models/vector"
)

// EmbedSum sums the weighted embeddings of the words of each line:
//
//	y[n] = sum over filled slots s of l_s o E[word(n, s)] + a_s      E [O x d] -> y [N x d]
//
// (EMN, section 2.1 of the MEMO paper and Sukhbaatar et al. 2015). Encoding is
// the position encoding l [S x d]; nil means ones, a bag of words. Added
// is a code a [S x d] added to the words (Vaswani et al. 2017); nil means
// zeros. An empty slot adds nothing.
type EmbedSum[T engine.Float] struct {
	Words    *Words
	Encoding []T // [S x d] or nil
	Added    []T // [S x d] or nil
}

func (e *EmbedSum[T]) String() string {
	return fmt.Sprintf("EmbedSum(encoding=%t)", e.Encoding != nil)
}

// Shape implements engine.Kernel.
func (e *EmbedSum[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2); err != nil {
		return nil, err
	}
	for _, code := range [][]T{e.Encoding, e.Added} {
		if code != nil && len(code) != e.Words.Width*in[0][1] {
			return nil, fmt.Errorf("encoding of %d values for %d slots of width %d", len(code), e.Words.Width, in[0][1])
		}
	}
	return engine.Shape{nominal, in[0][1]}, nil
}

// Forward implements engine.Kernel.
func (e *EmbedSum[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	table, d := in[0].Data, in[0].Dim(1)
	y := out.Resize(e.Words.Lines(), d)
	clear(y)
	e.each(d, func(line, word int, code []T) {
		e.addWeighted(y[line*d:(line+1)*d], table[word*d:], code)
	})
	if e.Added == nil {
		return
	}
	for i, id := range e.Words.IDs {
		if line, slot := i/e.Words.Width, i%e.Words.Width; id >= 0 {
			add(y[line*d:(line+1)*d], e.Added[slot*d:])
		}
	}
}

// Backward implements engine.Kernel: dE[word] += l_s o dy.
func (e *EmbedSum[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	if din[0] == nil {
		return
	}
	d := in[0].Dim(1)
	de := din[0].Add(in[0].Dims()...)
	e.each(d, func(line, word int, code []T) {
		e.addWeighted(de[word*d:(word+1)*d], dout.Data[line*d:], code)
	})
}

// each calls f for every word of every line with the encoding of its slot.
func (e *EmbedSum[T]) each(d int, f func(line, word int, code []T)) {
	for i, id := range e.Words.IDs {
		if id < 0 {
			continue
		}
		var code []T
		if e.Encoding != nil {
			slot := i % e.Words.Width
			code = e.Encoding[slot*d : (slot+1)*d]
		}
		f(i/e.Words.Width, int(id), code)
	}
}

func (e *EmbedSum[T]) addWeighted(dst, src, code []T) {
	if code == nil {
		add(dst, src)
		return
	}
	vector.AddProduct(dst, code, src)
}

// PositionEncoding returns l [S x d] of Sukhbaatar et al. (2015), section 4.1:
// l_sj = (1 - s/S) - (j/d)(1 - 2s/S), s and j counted from 1.
func PositionEncoding[T engine.Float](slots, d int) []T {
	l := vector.Make[T](slots * d)
	for s := range slots {
		p := float64(s+1) / float64(slots)
		for j := range d {
			l[s*d+j] = T((1 - p) - float64(j+1)/float64(d)*(1-2*p))
		}
	}
	return l
}
