package pai

import (
	"testing"

	"memobench/datasets"
)

func BenchmarkBatch(b *testing.B) {
	for _, task := range []string{"pai3", "pai4", "pai5"} {
		for _, split := range []datasets.Split{datasets.Train, datasets.Test} {
			b.Run("task="+task+"/split="+split.String(), func(b *testing.B) {
				src := mustNew(b, *Defaults(int(task[3] - '0')))
				var batch datasets.Batch
				b.ReportAllocs()
				for step := range b.N {
					if err := src.Batch(&batch, split, 1, step, 64); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkEmbeddings is a batch at the paper's sizes: 64 x 48 items of 1000
// features, 12 MB.
func BenchmarkEmbeddings(b *testing.B) {
	src := mustEmbed(b, *EmbeddingDefaults(3))
	var batch datasets.Batch
	b.ReportAllocs()
	for step := range b.N {
		if err := src.Batch(&batch, datasets.Train, 1, step, 64); err != nil {
			b.Fatal(err)
		}
	}
}
