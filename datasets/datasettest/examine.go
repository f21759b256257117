package datasettest

import (
	"errors"
	"fmt"
	"slices"

	"memobench/datasets"
)

// examine returns all evaluation examples as one batch, whose items are numbered in the order
// of their use.
func examine(src datasets.Source, split datasets.Split, seed uint64, perKind, size int) (datasets.Batch, error) {
	var all datasets.Batch
	first := true
	var known interned
	for b, err := range src.Examine(split, seed, perKind, size) {
		if err != nil {
			return all, err
		}
		if err := validate(src, b); err != nil {
			return all, err
		}
		if b.Size() > size {
			return all, fmt.Errorf("a batch of %d examples, want at most %d", b.Size(), size)
		}
		if first {
			first = false
			all.Reset(b.RowWidth, b.QueryWidth, b.Answers, b.NumChoices)
			if b.Items != nil {
				all.Items = &datasets.Items{Dim: b.Items.Dim}
				known = interned{datasets.VectorIndex{}, all.Items}
			}
		}
		start := all.NumRows()
		for i, end := range b.Offsets[1:] {
			all.Offsets = append(all.Offsets, start+end)
			all.Rows = known.add(all.Rows, b.Items, b.Rows[b.Offsets[i]*b.RowWidth:end*b.RowWidth])
			all.Queries = known.add(all.Queries, b.Items, b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth])
		}
		all.Targets = append(all.Targets, b.Targets...)
		all.Kinds = append(all.Kinds, b.Kinds...)
		all.Choices = append(all.Choices, b.Choices...)
	}
	if first {
		return all, fmt.Errorf("no examples")
	}
	return all, nil
}

// examine returns the evaluation examples of a split, PerKind of each kind.
func (t *trial) examine(split datasets.Split, seed uint64, perKind, size int) *datasets.Batch {
	b, err := examine(t.src, split, seed, perKind, size)
	if err != nil {
		t.fail("%v: %w", split, err)
	}
	return &b
}

// examineIsStable checks that the evaluation examples depend only on the arguments, not on the
// batch size.
func examineIsStable(t *trial) {
	for _, split := range splits {
		want := t.examine(split, 3, t.PerKind, t.Size)
		t.batch(split, 3, 0, t.Size)
		for _, size := range []int{t.Size, 1, 7, len(want.Kinds) + 1} {
			if !equal(t.examine(split, 3, t.PerKind, size), want) {
				t.fail("%v: other examples at the second call, in batches of %d", split, size)
			}
		}
	}
}

// examineIsBalanced checks the counts and the order of kinds in the test split.
func examineIsBalanced(t *trial) {
	got := t.examine(datasets.Test, 4, t.PerKind, t.Size)
	var want []int32
	for k := range t.src.Kinds() {
		want = append(want, slices.Repeat([]int32{int32(k)}, t.PerKind)...)
	}
	if !slices.Equal(got.Kinds, want) {
		t.fail("examples of the kinds %v, want %d of each of %q, in order", got.Kinds, t.PerKind, t.src.Kinds())
	}
	if !t.Finite {
		if _, err := examine(t.src, datasets.Test, 4, 0, t.Size); !errors.Is(err, datasets.ErrEndless) {
			t.fail("all examples of a generator: %v, want ErrEndless", err)
		}
	} else if !equal(t.examine(datasets.Test, 4, 0, t.Size), t.examine(datasets.Test, 5, 0, t.Size)) {
		t.fail("the whole test split depends on the seed")
	}
}

// examineStops checks that the loop may end early: an iterator that continues then panics.
func examineStops(t *trial) {
	for left := 1; left <= 3; left++ {
		seen := 0
		for _, err := range t.src.Examine(datasets.Test, 0, t.PerKind, 1) {
			t.need(err)
			if seen++; seen == left {
				break
			}
		}
	}
}
