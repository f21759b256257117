package pai

import (
	"math"
	"slices"

	"memobench/datasets"
)

// hashVector returns a hash of the bits of a vector.
func hashVector(x []float32) uint64 {
	h := uint64(len(x))
	for _, v := range x {
		h = datasets.Mix(h ^ uint64(math.Float32bits(v)))
	}
	return h
}

// vectors finds items of a table by what is in them.
type vectors map[uint64]int32

// add returns the line of a finite vector in the table; a new one is appended.
func (v vectors) add(t *datasets.Items, x []float32) int32 {
	for h := hashVector(x); ; h++ { // another vector of this hash stands at the next one
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
