package ops

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// pairTable holds a number per example, head and distinct (slot, word) pair of the batch,
// [B x H x P]. gather and scatter convert between it and values per memory row.
type pairTable[T engine.Float] struct {
	seg   *Segments
	pairs *Pairs
	heads int
	data  []T

	// Layout of the vectors: one row per pair with all heads' parts, or if stacked one row
	// per head and pair, which products treat as one head with H P pairs.
	parts, rows int
}

// resize sets the sizes. The values are unspecified.
func (t *pairTable[T]) resize(seg *Segments, pairs *Pairs, heads int, stacked bool) {
	t.seg, t.pairs, t.heads, t.parts, t.rows = seg, pairs, heads, heads, len(pairs.Words)
	if stacked {
		t.parts, t.rows = 1, t.stride()
	}
	t.data = vector.Grow(t.data, seg.Len()*heads*len(pairs.Words))
}

// stride returns the number of elements of an example.
func (t *pairTable[T]) stride() int { return t.heads * len(t.pairs.Words) }

// times sets the table, head by head, to the products of x with the pairs' vectors:
//
//	t[b, h, p] = scale <x[b, h], v[p, h]>      x [B x H d], v [P x H d]
func (t *pairTable[T]) times(scale T, x, v []T, width int) {
	p, d := t.rows, width/t.parts
	for h := range t.parts {
		Gemm(noTrans, trans, t.seg.Len(), p, d, scale, sliceFrom(x, h*d), width, sliceFrom(v, h*d), width, 0, sliceFrom(t.data, h*p), t.stride())
	}
}

// combine sums the pairs' vectors, weighted by the table, head by head:
//
//	y[b, h] = beta y[b, h] + scale sum over p of t[b, h, p] v[p, h]
func (t *pairTable[T]) combine(scale T, v []T, beta T, y []T, width int) {
	p, d := t.rows, width/t.parts
	for h := range t.parts {
		Gemm(noTrans, noTrans, t.seg.Len(), d, p, scale, sliceFrom(t.data, h*p), t.stride(), sliceFrom(v, h*d), width, beta, sliceFrom(y, h*d), width)
	}
}

// outer sums products of the table and x over examples, head by head:
//
//	dv[p, h] = beta dv[p, h] + scale sum over b of t[b, h, p] x[b, h]
func (t *pairTable[T]) outer(scale T, x []T, beta T, dv []T, width int) {
	p, d := t.rows, width/t.parts
	for h := range t.parts {
		Gemm(trans, noTrans, p, d, t.seg.Len(), scale, sliceFrom(t.data, h*p), t.stride(), sliceFrom(x, h*d), width, beta, sliceFrom(dv, h*d), width)
	}
}

// gather sets y[r, h] to beta y[r, h] plus the sum of the table over row r's pairs, y [R x H].
func (t *pairTable[T]) gather(beta T, y []T) {
	p := len(t.pairs.Words)
	t.each(func(b, row int, pairs []int32) {
		sums := y[row*t.heads : (row+1)*t.heads]
		table := t.data[b*t.stride():]
		for h := range sums {
			sum := T(0)
			for _, pair := range pairs {
				if pair >= 0 {
					sum += table[int(pair)]
				}
			}
			if beta != 0 {
				sum += sums[h]
			}
			sums[h] = sum
			table = table[p:]
		}
	})
}

// scatter sets the table to the sum of x [R x H] over the rows that contain each pair.
func (t *pairTable[T]) scatter(x []T) {
	p := len(t.pairs.Words)
	clear(t.data)
	t.each(func(b, row int, pairs []int32) {
		table := t.data[b*t.stride():]
		for _, v := range x[row*t.heads : (row+1)*t.heads] {
			for _, pair := range pairs {
				if pair >= 0 {
					table[int(pair)] += v
				}
			}
			table = table[p:]
		}
	})
}

// each calls f for every row with its example and its pairs.
func (t *pairTable[T]) each(f func(b, row int, pairs []int32)) {
	slots := t.pairs.Slots
	for b := range t.seg.Len() {
		lo, hi := t.seg.Offsets[b], t.seg.Offsets[b+1]
		at := t.seg.first(b) * slots
		for row := lo; row < hi; row++ {
			f(b, row, t.pairs.Index[at:at+slots])
			at += slots
		}
	}
}
