//go:build !race

// The race detector makes sync.Pool forget on purpose, so allocations are
// counted without it.

package shortestpath

import (
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

func BenchmarkBatch(b *testing.B) {
	for _, p := range paperSizes {
		for _, split := range []datasets.Split{datasets.Train, datasets.Test} {
			s := *Defaults(p[0], p[1], p[2])
			b.Run("task=sp"+s.sizes()+"/split="+split.String(), func(b *testing.B) {
				src := mustNew(b, s)
				var batch datasets.Batch
				b.ReportAllocs()
				for step := range b.N {
					must.Do(b, src.Batch(&batch, split, 1, step, 64))
				}
			})
		}
	}
}

func TestBatchAllocatesNothingInSteadyState(t *testing.T) {
	s := *Defaults(20, 5, 3)
	s.Labels, s.Targets, s.Edges = labelsRandom, targetsRandom, edgesUniform
	for _, s := range []Settings{*Defaults(20, 5, 3), s} {
		src := mustNew(t, s)
		var b datasets.Batch
		step := 0
		if n := testing.AllocsPerRun(50, func() {
			must.Do(t, src.Batch(&b, datasets.Train, 1, step, 64))
			step++
		}); n >= 1 {
			t.Errorf("%+v: %v allocations a batch", s, n)
		}
	}
}
