package pai

import (
	"math"

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
