package pai

import (
	"slices"

	"memobench/datasets"
)

// resetBatch empties a batch and sets its widths. With dim above 0 it starts an
// item table, in the storage of the batch's last one.
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

// addItem appends an item to the table and returns it, to be filled.
func addItem(t *datasets.Items) []float32 {
	n := len(t.Data)
	t.Data = slices.Grow(t.Data, t.Dim)[:n+t.Dim]
	return t.Data[n:]
}
