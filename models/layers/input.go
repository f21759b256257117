package layers

import (
	"errors"

	"memobench/datasets"
	"memobench/models/ops"
)

// Input is where a model's operations find the current batch. The operations
// keep pointers into it; Set changes what they point to.
type Input struct {
	Shape    datasets.Shape // of the task
	Rows     ops.Words      // memory rows of all examples
	Query    ops.Words      // one line an example
	Segments ops.Segments   // which rows belong to which example
	Labels   ops.Labels
	Pairs    ops.Pairs // distinct words of the rows by slot, from FindPairs
}

// NewInput returns an input for batches of the given shape.
func NewInput(shape datasets.Shape) *Input {
	return &Input{Shape: shape, Rows: ops.Words{Width: shape.RowWidth}, Query: ops.Words{Width: shape.QueryWidth}}
}

// Set makes b the current batch; it keeps references to b's slices until the
// next Set.
func (in *Input) Set(b *datasets.Batch) error {
	if b.Items != nil {
		return errors.New("batch holds an item table; this model takes symbolic words only")
	}
	in.Rows.IDs, in.Query.IDs, in.Segments.Offsets, in.Labels.IDs = b.Rows, b.Queries, b.Offsets, b.Targets
	return nil
}

// FindPairs fills Pairs from the current batch; with ages, one more slot holds
// the age of each row.
func (in *Input) FindPairs(ages bool) {
	in.Pairs.Find(&in.Rows, &in.Segments, in.Shape.Vocabulary, in.Shape.MaxRows, ages)
}
