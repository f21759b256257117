package datasettest

import (
	"fmt"
	"math"
	"slices"

	"memobench/datasets"
)

// trainingSteps is the number of training batches of the statistical checks.
const trainingSteps = 60

// splitsShareNoItem compares the items of many batches with different seeds, and of evaluation
// examples.
func splitsShareNoItem(t *trial) {
	if t.Items == nil {
		return
	}
	owner := map[string]datasets.Split{}
	take := func(split datasets.Split, b *datasets.Batch) {
		keys := t.Items(b)
		if len(keys) == 0 {
			t.fail("no items in a batch of %v", split)
		}
		for _, k := range keys {
			if o, seen := owner[k]; seen && o != split {
				t.fail("item %s is in both %v and %v", k, o, split)
			}
			owner[k] = split
		}
	}
	for _, split := range splits {
		for step := range trainingSteps {
			take(split, t.batch(split, uint64(step%3), step, t.Size))
		}
		for b, err := range t.src.Examine(split, 1, t.PerKind, t.Size) {
			t.need(err)
			take(split, b)
		}
	}
}

// kindsHaveTheirShares counts the kinds of training examples.
func kindsHaveTheirShares(t *trial) {
	counts := make([]int, len(t.src.Kinds()))
	for step := range trainingSteps {
		for _, k := range t.batch(datasets.Train, 9, step, t.Size).Kinds {
			counts[k]++
		}
	}
	weights := t.Shares
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(counts))
	}
	t.need(haveShares(counts, weights))
}

// haveShares accepts counts within five standard deviations of the binomial distribution: a
// correct source with independent examples fails once in 1.7 million counts.
func haveShares(counts []int, weights []float64) error {
	if len(counts) != len(weights) {
		return fmt.Errorf("%d shares for %d kinds", len(weights), len(counts))
	}
	n, sum := 0.0, 0.0
	for k, w := range weights {
		n, sum = n+float64(counts[k]), sum+w
	}
	for k, w := range weights {
		want, slack := n*w/sum, 5*math.Sqrt(n*w/sum*(1-w/sum))
		if math.Abs(float64(counts[k])-want) > slack {
			return fmt.Errorf("%d of %.0f training examples are of kind %d, want %.0f within %.0f", counts[k], n, k, want, slack)
		}
	}
	return nil
}

// itemsAreDistinct checks that the items of a batch are distinct, finite and used.
func itemsAreDistinct(b *datasets.Batch) error {
	if b.Items == nil {
		return nil
	}
	distinct := datasets.Items{Dim: b.Items.Dim}
	for i := range b.Items.Len() {
		row := b.Items.Row(int32(i))
		for j, x := range row {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("item %d: feature %d is %v", i, j, x)
			}
		}
		if other := distinct.Add(row); int(other) != i {
			return fmt.Errorf("items %d and %d are equal", other, i)
		}
	}
	used := make([]bool, b.Items.Len())
	for _, words := range [][]int32{b.Rows, b.Queries} {
		for _, w := range words {
			if w != datasets.NoWord {
				used[w] = true
			}
		}
	}
	for i := range used {
		if !used[i] {
			return fmt.Errorf("item %d of %d is in no row and no query", i, len(used))
		}
	}
	return nil
}
