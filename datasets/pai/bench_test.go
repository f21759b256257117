//go:build !race

package pai

import (
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

func BenchmarkBatch(b *testing.B) {
	for _, task := range []string{"pai3", "pai4", "pai5"} {
		for _, split := range []datasets.Split{datasets.Train, datasets.Test} {
			b.Run("task="+task+"/split="+split.String(), func(b *testing.B) {
				src := mustNew(b, *Defaults(int(task[3] - '0')))
				var batch datasets.Batch
				b.ReportAllocs()
				for step := range b.N {
					must.Do(b, src.Batch(&batch, split, 1, step, 64))
				}
			})
		}
	}
}

// BenchmarkEmbeddings is a batch at the paper's sizes: 64 x 48 items of 1000
// features, 12 MB.
func BenchmarkEmbeddings(b *testing.B) {
	src := mustEmbed(b, *embeddingDefaults(3))
	var batch datasets.Batch
	b.ReportAllocs()
	for step := range b.N {
		must.Do(b, src.Batch(&batch, datasets.Train, 1, step, 64))
	}
}

// The race detector makes sync.Pool drop objects.
func TestBatchAllocatesNothingInSteadyState(t *testing.T) {
	for name, src := range map[string]*Source{"symbols": mustNew(t, *Defaults(3)), "embeddings": mustEmbed(t, smallEmbeddings(3, itemsSequence, rowsShuffled))} {
		var b datasets.Batch
		step := 0
		next := func() {
			must.Do(t, src.Batch(&b, datasets.Train, 1, step, 64))
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
