//go:build !race

// The race detector makes sync.Pool forget on purpose, so allocations are
// counted without it.

package shortestpath

import (
	"testing"

	"memobench/datasets"
)

func TestBatchAllocatesNothingInSteadyState(t *testing.T) {
	s := *Defaults(20, 5, 3)
	s.Labels, s.Targets, s.Edges = LabelsRandom, TargetsRandom, EdgesUniform
	for _, s := range []Settings{*Defaults(20, 5, 3), s} {
		src := mustNew(t, s)
		var b datasets.Batch
		step := 0
		if n := testing.AllocsPerRun(50, func() {
			if err := src.Batch(&b, datasets.Train, 1, step, 64); err != nil {
				t.Fatal(err)
			}
			step++
		}); n >= 1 {
			t.Errorf("%+v: %v allocations a batch", s, n)
		}
	}
}
