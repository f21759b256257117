package datasets

import (
	"fmt"
	"strings"
)

// The most examples of a batch, and the most that are examined of each kind.
const (
	MaxBatch   = 1 << 16
	MaxPerKind = 10_000_000
)

// CheckBatchArgs reports the first argument of Source.Batch that no source can
// serve.
func CheckBatchArgs(split Split, step, size int) error {
	switch {
	case split < Train || split > Test:
		return fmt.Errorf("unknown split %v", split)
	case step < 0:
		return fmt.Errorf("step %d: want 0 or more", step)
	case size < 1 || size > MaxBatch:
		return fmt.Errorf("batch size %d: want 1 to %d", size, MaxBatch)
	}
	return nil
}

// CheckExamineArgs reports the first argument of Source.Examine that no source
// can serve.
func CheckExamineArgs(split Split, perKind, size int) error {
	if perKind < 0 || perKind > MaxPerKind {
		return fmt.Errorf("%d examples per kind: want 0 to %d", perKind, MaxPerKind)
	}
	return CheckBatchArgs(split, 0, size)
}

// CheckTrained reports in what a task's shape is not that of opts.Trained, for a
// task that takes no other.
func CheckTrained(shape Shape, opts Options) error {
	if opts.Trained == nil || opts.Trained.Shape == shape {
		return nil
	}
	trained := opts.Trained.Shape
	var have, want []string
	for _, c := range []struct {
		what          string
		here, trained any
	}{
		{"classes or words", shape.Vocabulary, trained.Vocabulary}, {"rows of a memory", shape.MaxRows, trained.MaxRows},
		{"words of a row", shape.RowWidth, trained.RowWidth}, {"words of a query", shape.QueryWidth, trained.QueryWidth},
		{"answers", shape.Answers, trained.Answers}, {"features of an item", shape.ItemDim, trained.ItemDim},
		{"query slot", shape.QuerySlot, trained.QuerySlot}, {"rows in time", shape.Temporal, trained.Temporal},
	} {
		if c.here != c.trained {
			have = append(have, fmt.Sprintf("%s %v", c.what, c.here))
			want = append(want, fmt.Sprintf("%s %v", c.what, c.trained))
		}
	}
	return fmt.Errorf("the data do not fit the model: %s, and it was trained on %s", strings.Join(have, ", "), strings.Join(want, ", "))
}
