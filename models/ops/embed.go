package ops

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// Embed looks up the words of each row and concatenates their embeddings:
//
//	y[n] = vec(c_n),  c_n[s] = E[word(n, s)]       E [U x d_c] -> y [N x (S+X) d_c]
//
// (MEMO eq. 7 for one-hot words). An empty slot is zero. With Time, X = 1 slot follows the
// words and holds the code of the row's age in its example; otherwise X = 0.
type Embed[T engine.Float] struct {
	Words    *Words
	Time     []T       // code of each age, [I x d_c]; nil for none
	Segments *Segments // of the rows, for Time
}

func (e *Embed[T]) slots() int {
	if e.Time != nil {
		return e.Words.Width + 1
	}
	return e.Words.Width
}

func (e *Embed[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "O d -> N %d*d", e.slots())
}

func (e *Embed[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	table, dc, slots, n := in[0].Data, in[0].Dim(1), e.slots(), e.Words.Rows()
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
		eachAge(e.Segments, func(row, age int) {
			copy(y[(row*slots+slots-1)*dc:(row+1)*slots*dc], e.Time[age*dc:])
		})
	}
}

func (e *Embed[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	dc, slots, width := in[0].Dim(1), e.slots(), e.Words.Width
	de := din[0].Add(in[0].Dims()...)
	for i, id := range e.Words.IDs {
		if id >= 0 {
			at := (i/width*slots + i%width) * dc
			vector.Add(de[int(id)*dc:(int(id)+1)*dc], dout.Data[at:])
		}
	}
}

// EmbedSum sums the weighted embeddings of the words of each row:
//
//	y[n] = sum over filled slots s of l_s o E[word(n, s)] + a_s      E [O x d] -> y [N x d]
//
// (EMN, section 2.1 of the MEMO paper and Sukhbaatar et al. 2015). Encoding is the position
// encoding l; nil means ones, a bag of words. Added is a position code a (Vaswani et al.
// 2017); nil means zeros. An empty slot adds nothing.
type EmbedSum[T engine.Float] struct {
	Words    *Words
	Encoding []T // [S x d] or nil
	Added    []T // [S x d] or nil
}

func (e *EmbedSum[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "O d -> N d")
}

func (e *EmbedSum[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	table, d := in[0].Data, in[0].Dim(1)
	y := out.Resize(e.Words.Rows(), d)
	clear(y)
	e.each(d, func(row, word int, code []T) {
		e.addWeighted(y[row*d:(row+1)*d], table[word*d:], code)
	})
	if e.Added == nil {
		return
	}
	for i, id := range e.Words.IDs {
		if row, slot := i/e.Words.Width, i%e.Words.Width; id >= 0 {
			vector.Add(y[row*d:(row+1)*d], e.Added[slot*d:])
		}
	}
}

// Backward: dE[word] += l_s o dy.
func (e *EmbedSum[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	d := in[0].Dim(1)
	de := din[0].Add(in[0].Dims()...)
	e.each(d, func(row, word int, code []T) {
		e.addWeighted(de[word*d:(word+1)*d], dout.Data[row*d:], code)
	})
}

// each calls f for every word of every row with the encoding of its slot.
func (e *EmbedSum[T]) each(d int, f func(row, word int, code []T)) {
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
		vector.Add(dst, src)
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
