package modeltest

import (
	"slices"
	"testing"
)

// HopsDiffer checks that examples of the contract's batches take different
// numbers of hops, for every answer and in every task, and as many as each does
// alone. Where all take equally many, Run says nothing about halting.
func HopsDiffer(t *testing.T, build New) {
	for name, shape := range tasks() {
		t.Run(name, func(t *testing.T) {
			c := &contract{shape: shape, build: build}
			m := c.model(t, packedModel)
			hops := func(es ...example) []int {
				p, err := m.Predict(pack(shape, es...))
				if err != nil {
					t.Fatal(err)
				}
				return slices.Clone(p.Hops)
			}
			for _, seed := range []uint64{packedBatch, permutedBatch} {
				es := examples(shape, seed, 6)
				together := hops(es...)
				for a := range shape.Answers {
					var own []int
					for i := range es {
						own = append(own, together[i*shape.Answers+a])
					}
					if slices.Min(own) == slices.Max(own) {
						t.Errorf("batch %d: all examples take equally many hops for answer %d: %v", seed, a+1, own)
					}
				}
				for i, e := range es {
					if alone := hops(e); !slices.Equal(alone, together[i*shape.Answers:][:shape.Answers]) {
						t.Errorf("batch %d: example %d takes %v hops alone, in the batch %v", seed, i, alone, together)
					}
				}
			}
		})
	}
}
