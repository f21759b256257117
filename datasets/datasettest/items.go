package datasettest

import (
	"fmt"
	"math"

	"memobench/datasets"
)

// trainingSteps is how many training batches the statistical checks look at.
const trainingSteps = 60

// splitsShareNoItem compares the items of many batches, of different seeds, and
// of examinations.
func splitsShareNoItem(s Suite) error {
	if s.Items == nil {
		return nil
	}
	src, err := s.New()
	if err != nil {
		return err
	}
	owner := map[string]datasets.Split{}
	take := func(split datasets.Split, b *datasets.Batch) error {
		keys := s.Items(b)
		if len(keys) == 0 {
			return fmt.Errorf("no items in a batch of %v", split)
		}
		for _, k := range keys {
			if o, seen := owner[k]; seen && o != split {
				return fmt.Errorf("item %s is in both %v and %v", k, o, split)
			}
			owner[k] = split
		}
		return nil
	}
	var b datasets.Batch
	for _, split := range splits {
		for step := range trainingSteps {
			if err := src.Batch(&b, split, uint64(step%3), step, s.Size); err != nil {
				return err
			}
			if err := take(split, &b); err != nil {
				return err
			}
		}
		for b, err := range src.Examine(split, 1, s.PerKind, s.Size) {
			if err != nil {
				return err
			}
			if err := take(split, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// kindsHaveTheirShares accepts a count within five standard deviations of a
// binomial one: a right source fails once in 1.7 million counts, if its
// examples are drawn independently.
func kindsHaveTheirShares(s Suite) error {
	src, err := s.New()
	if err != nil {
		return err
	}
	kinds := src.Kinds()
	shares := s.Shares
	if shares == nil {
		for range kinds {
			shares = append(shares, 1/float64(len(kinds)))
		}
	}
	if len(shares) != len(kinds) {
		return fmt.Errorf("the suite has %d shares for %d kinds", len(shares), len(kinds))
	}
	counts := make([]int, len(kinds))
	var b datasets.Batch
	n := 0.0
	for step := range trainingSteps {
		if err := src.Batch(&b, datasets.Train, 9, step, s.Size); err != nil {
			return err
		}
		for _, k := range b.Kinds {
			counts[k]++
		}
		n += float64(b.Size())
	}
	for k, share := range shares {
		want, slack := n*share, 5*math.Sqrt(n*share*(1-share))
		if math.Abs(float64(counts[k])-want) > slack {
			return fmt.Errorf("%d of %.0f training examples are of kind %s, want %.0f within %.0f", counts[k], n, kinds[k], want, slack)
		}
	}
	return nil
}
