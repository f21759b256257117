//go:build !race

// The race detector makes sync.Pool forget on purpose, so allocations are
// counted without it.

package pai

import (
	"testing"

	"memobench/datasets"
)

func TestBatchAllocatesNothingInSteadyState(t *testing.T) {
	src := mustNew(t, *Defaults(3))
	var b datasets.Batch
	step := 0
	if n := testing.AllocsPerRun(50, func() {
		if err := src.Batch(&b, datasets.Train, 1, step, 64); err != nil {
			t.Fatal(err)
		}
		step++
	}); n >= 1 {
		t.Errorf("%v allocations a batch", n)
	}
}
