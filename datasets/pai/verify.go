package pai

import (
	"fmt"

	"memobench/datasets"
)

// Verify checks the answer of example i of b, which may come from any source of
// pairs with choices, by the rows alone: they link the cue to one of the two
// items shown, and that one is the target.
func (src *Source) Verify(b *datasets.Batch, i int) error {
	if i < 0 || i >= b.Size() || b.RowWidth != rowWidth || b.QueryWidth != queryWidth || b.NumChoices != choices || b.Answers != answers {
		return fmt.Errorf("pai: no example %d of pairs in the batch", i)
	}
	query := b.Queries[i*queryWidth : (i+1)*queryWidth]
	side, ok := linked(b.Rows[b.Offsets[i]*rowWidth:b.Offsets[i+1]*rowWidth], query)
	if !ok {
		return fmt.Errorf("the rows link the cue to both items shown, or to none")
	}
	if got, want := b.Targets[i], b.Choices[i*choices+int(side)]; got != want {
		return fmt.Errorf("target %d, but the rows link the cue to %d", got, want)
	}
	return nil
}
