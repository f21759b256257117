//go:build !race

package pai

import (
	"testing"

	"memobench/datasets"
)

// The race detector makes sync.Pool forget what it holds.
func TestBatchAllocatesNothingInSteadyState(t *testing.T) {
	for name, src := range map[string]*Source{"symbols": mustNew(t, *Defaults(3)), "embeddings": mustEmbed(t, smallEmbeddings(3, itemsSequence, rowsShuffled))} {
		var b datasets.Batch
		step := 0
		next := func() {
			if err := src.Batch(&b, datasets.Train, 1, step, 64); err != nil {
				t.Fatal(err)
			}
			step++
		}
		for range 10 { // until the item table has its size
			next()
		}
		if n := testing.AllocsPerRun(50, next); n >= 1 {
			t.Errorf("%s: %v allocations a batch", name, n)
		}
	}
}
