package datasets

import (
	"math"
	"slices"
)

// Items is a dense table of the distinct items (images) of a batch. Ids are valid only within
// the batch.
type Items struct {
	Dim  int       // features of an item, Shape.ItemDim
	Data []float32 // [U x Dim], row-major
}

// Len returns U, the number of items.
func (t *Items) Len() int { return len(t.Data) / max(t.Dim, 1) }

// Row returns item i, [Dim].
func (t *Items) Row(i int32) []float32 {
	at := int(i) * t.Dim
	return t.Data[at : at+t.Dim : at+t.Dim]
}

// Append appends an item to the table and returns its features for writing.
func (t *Items) Append() []float32 {
	n := len(t.Data)
	t.Data = slices.Grow(t.Data, t.Dim)[:n+t.Dim]
	return t.Data[n:]
}

// hashVector returns a hash of the bits of a vector.
func hashVector(x []float32) uint64 {
	h := uint64(len(x))
	for _, v := range x {
		h = Mix(h ^ uint64(math.Float32bits(v)))
	}
	return h
}

// VectorIndex maps vectors to rows of an item table, to find equal items.
type VectorIndex map[uint64]int32

// Add returns the row of a finite vector in the table, appending it if it is new.
func (v VectorIndex) Add(t *Items, x []float32) int32 {
	for h := hashVector(x); ; h++ { // linear probing
		id, known := v[h]
		if !known {
			id = int32(t.Len())
			v[h] = id
			copy(t.Append(), x)
			return id
		}
		if slices.Equal(t.Row(id), x) {
			return id
		}
	}
}
