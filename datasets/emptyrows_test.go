package datasets

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// stories returns examples with n rows of the words (example, row).
func stories(examples, n int) *Batch {
	b := &Batch{}
	b.Reset(2, 1, 1, 0)
	for i := range examples {
		for r := range n {
			b.Rows = append(b.Rows, int32(i), int32(r))
		}
		b.Offsets = append(b.Offsets, len(b.Rows)/2)
		b.Queries, b.Targets, b.Kinds = append(b.Queries, 0), append(b.Targets, 0), append(b.Kinds, 0)
	}
	return b
}

func TestEmptyRowsAreInsertedAndNothingElseChanges(t *testing.T) {
	const examples, n, most = 400, 10, 12
	b := stories(examples, n)
	b.InsertEmptyRows(rand.New(rand.NewPCG(1, 2)), EmptyRows{Probability: 0.05, MaxRows: most})
	inserted := 0
	for i := range examples {
		rows := b.Rows[2*b.Offsets[i] : 2*b.Offsets[i+1]]
		if len(rows) > 2*most {
			t.Fatalf("example %d has %d rows, want at most %d", i, len(rows)/2, most)
		}
		inserted += len(rows)/2 - n
		kept := slices.DeleteFunc(slices.Clone(rows), func(id int32) bool { return id == NoWord })
		for r := range n {
			if kept[2*r] != int32(i) || kept[2*r+1] != int32(r) {
				t.Fatalf("example %d without its empty rows is %v", i, kept)
			}
		}
	}
	// 11 places of probability 0.05: 0.55 rows an example, less what would be a third.
	if inserted < 170 || inserted > 260 {
		t.Errorf("%d empty rows in %d examples", inserted, examples)
	}
	if err := b.Validate(Shape{Vocabulary: examples, MaxRows: most, RowWidth: 2, QueryWidth: 1, Answers: 1}); err != nil {
		t.Error(err)
	}
}
