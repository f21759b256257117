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

// examineIsStable checks that the evaluation examples depend only on the arguments, not on the
// batch size.
func examineIsStable(s Suite, src datasets.Source) error {
	for _, split := range splits {
		want, err := examine(src, split, 3, s.PerKind, s.Size)
		if err != nil {
			return fmt.Errorf("%v: %w", split, err)
		}
		var b datasets.Batch
		if err := src.Batch(&b, split, 3, 0, s.Size); err != nil {
			return err
		}
		for _, size := range []int{s.Size, 1, 7, len(want.Kinds) + 1} {
			got, err := examine(src, split, 3, s.PerKind, size)
			if err != nil {
				return fmt.Errorf("%v: %w", split, err)
			}
			if !equal(&got, &want) {
				return fmt.Errorf("%v: other examples at the second call, in batches of %d", split, size)
			}
		}
	}
	return nil
}

// examineIsBalanced checks the counts and the order of kinds in the test split.
func examineIsBalanced(s Suite, src datasets.Source) error {
	got, err := examine(src, datasets.Test, 4, s.PerKind, s.Size)
	if err != nil {
		return err
	}
	if !slices.IsSorted(got.Kinds) {
		return fmt.Errorf("kinds are not in order")
	}
	counts := make([]int, len(src.Kinds()))
	for _, k := range got.Kinds {
		counts[k]++
	}
	for k, n := range counts {
		if n != s.PerKind {
			return fmt.Errorf("%d examples of kind %s, want %d", n, src.Kinds()[k], s.PerKind)
		}
	}
	if !s.Finite {
		if _, err := examine(src, datasets.Test, 4, 0, s.Size); !errors.Is(err, datasets.ErrEndless) {
			return fmt.Errorf("all examples of a generator: %v, want ErrEndless", err)
		}
		return nil
	}
	all, err := examine(src, datasets.Test, 4, 0, s.Size)
	if err != nil {
		return err
	}
	if again, err := examine(src, datasets.Test, 5, 0, s.Size); err != nil || !equal(&all, &again) {
		return fmt.Errorf("the whole test split depends on the seed (%v)", err)
	}
	return nil
}

// examineStops checks that the loop may end early: an iterator that continues then panics.
func examineStops(s Suite, src datasets.Source) error {
	for left := 1; left <= 3; left++ {
		seen := 0
		for _, err := range src.Examine(datasets.Test, 0, s.PerKind, 1) {
			if err != nil {
				return err
			}
			if seen++; seen == left {
				break
			}
		}
	}
	return nil
}
