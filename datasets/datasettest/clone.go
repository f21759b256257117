package datasettest

import (
	"slices"

	"memobench/datasets"
)

// clone returns a deep copy of b's examples, without spare capacity.
func clone(b *datasets.Batch) datasets.Batch {
	c := *b
	c.Rows, c.Offsets = slices.Clone(b.Rows), slices.Clone(b.Offsets)
	c.Queries, c.Targets = slices.Clone(b.Queries), slices.Clone(b.Targets)
	c.Kinds, c.Choices = slices.Clone(b.Kinds), slices.Clone(b.Choices)
	if b.Items != nil {
		c.Items = &datasets.Items{Dim: b.Items.Dim, Data: slices.Clone(b.Items.Data)}
	}
	return c
}

func equal(a, b *datasets.Batch) bool {
	if (a.Items == nil) != (b.Items == nil) {
		return false
	}
	if a.Items != nil && (a.Items.Dim != b.Items.Dim || !slices.Equal(a.Items.Data, b.Items.Data)) {
		return false
	}
	return a.RowWidth == b.RowWidth && a.QueryWidth == b.QueryWidth &&
		a.Answers == b.Answers && a.NumChoices == b.NumChoices &&
		slices.Equal(a.Rows, b.Rows) && slices.Equal(a.Offsets, b.Offsets) &&
		slices.Equal(a.Queries, b.Queries) && slices.Equal(a.Targets, b.Targets) &&
		slices.Equal(a.Kinds, b.Kinds) && slices.Equal(a.Choices, b.Choices)
}
