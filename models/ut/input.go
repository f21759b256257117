package ut

import (
	"memobench/datasets"
	"memobench/models/layers"
	"memobench/models/ops"
)

// input is the current batch as UT's operations see it.
type input struct {
	*layers.Input
	pairs  *ops.Pairs   // distinct (slot, word) pairs of the rows
	tokens ops.Segments // n_b rows and the query of each example
	shape  datasets.Shape
}

func newInput(shape datasets.Shape) *input {
	return &input{Input: layers.NewInput(shape), pairs: new(ops.Pairs), shape: shape}
}

// set makes b the current batch.
func (in *input) set(b *datasets.Batch) error {
	if err := in.Set(b); err != nil {
		return err
	}
	in.pairs.Find(&in.Rows, &in.Segments, in.shape.Vocabulary, in.shape.MaxRows, false)
	in.tokens.SetTokens(&in.Segments)
	return nil
}
