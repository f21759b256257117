package pai

import (
	"math"
	"slices"

	"memobench/datasets"
)

// resetBatch empties a batch and sets its widths. With dim above 0 it also empties the item
// table, reusing its storage.
func resetBatch(b *datasets.Batch, choices, dim int) {
	items := b.Items
	b.Reset(rowWidth, queryWidth, answers, choices)
	if dim == 0 {
		return
	}
	if items == nil {
		items = new(datasets.Items)
	}
	items.Dim, items.Data = dim, items.Data[:0]
	b.Items = items
}

// addItem appends an item to the table and returns its features for writing.
func addItem(t *datasets.Items) []float32 {
	n := len(t.Data)
	t.Data = slices.Grow(t.Data, t.Dim)[:n+t.Dim]
	return t.Data[n:]
}

// hashVector returns a hash of the bits of a vector.
func hashVector(x []float32) uint64 {
	h := uint64(len(x))
	for _, v := range x {
		h = datasets.Mix(h ^ uint64(math.Float32bits(v)))
	}
	return h
}

// vectorIndex maps vectors to rows of an item table.
type vectorIndex map[uint64]int32

// add returns the row of a finite vector in the table, appending it if it is new.
func (v vectorIndex) add(t *datasets.Items, x []float32) int32 {
	for h := hashVector(x); ; h++ { // linear probing
		id, known := v[h]
		if !known {
			id = int32(t.Len())
			v[h] = id
			copy(addItem(t), x)
			return id
		}
		if slices.Equal(t.Row(id), x) {
			return id
		}
	}
}

// firstNotFinite returns the index of the first NaN or infinity, or -1.
func firstNotFinite(x []float32) int {
	for j, v := range x {
		if math.Float32bits(v)&0x7f800000 == 0x7f800000 { // all bits of the exponent, IEEE 754
			return j
		}
	}
	return -1
}

// scaleToUnit scales x, which is finite, to Euclidean length 1, unless it is
// zero.
func scaleToUnit(x []float32) bool {
	sum := 0.0
	for _, v := range x {
		sum += float64(float64(v) * float64(v)) // the conversion prevents a fused multiply-add
	}
	if sum == 0 {
		return false
	}
	factor := 1 / math.Sqrt(sum)
	for j, v := range x {
		x[j] = float32(float64(v) * factor)
	}
	return true
}
