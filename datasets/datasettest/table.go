package datasettest

import (
	"encoding/binary"
	"fmt"
	"math"

	"memobench/datasets"
)

// keyOf returns the bits of an item as a map key.
func keyOf(item []float32) string {
	var bits []byte
	for _, x := range item {
		bits = binary.LittleEndian.AppendUint32(bits, math.Float32bits(x))
	}
	return string(bits)
}

// itemsAreDistinct checks that a batch's item table holds each item once, none
// that no word names, and finite values only.
func itemsAreDistinct(b *datasets.Batch) error {
	if b.Items == nil {
		return nil
	}
	first := map[string]int{}
	for i := range b.Items.Len() {
		row := b.Items.Row(int32(i))
		for j, x := range row {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("item %d: feature %d is %v", i, j, x)
			}
		}
		key := keyOf(row)
		if other, twice := first[key]; twice {
			return fmt.Errorf("items %d and %d are equal", other, i)
		}
		first[key] = i
	}
	used := make([]bool, b.Items.Len())
	for _, words := range [][]int32{b.Rows, b.Queries} {
		for _, w := range words {
			if w != datasets.NoWord {
				used[w] = true
			}
		}
	}
	for i := range used {
		if !used[i] {
			return fmt.Errorf("item %d of %d is in no row and no query", i, len(used))
		}
	}
	return nil
}

// interned numbers items in the order of their use, so that batches with item
// tables of their own can be compared.
type interned struct {
	ids   map[string]int32
	table *datasets.Items
}

// add appends words, numbered anew if they are of an item table, to dst.
func (n interned) add(dst []int32, items *datasets.Items, words []int32) []int32 {
	if items == nil {
		return append(dst, words...)
	}
	for _, w := range words {
		if w != datasets.NoWord {
			row := items.Row(w)
			key := keyOf(row)
			id, known := n.ids[key]
			if !known {
				id = int32(len(n.ids))
				n.ids[key] = id
				n.table.Data = append(n.table.Data, row...)
			}
			w = id
		}
		dst = append(dst, w)
	}
	return dst
}
