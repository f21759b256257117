package modeltest

import (
	"math"
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

// Seeds of the model and the batches of packed and permuted.
const (
	packedModel   = 3
	packedBatch   = 5
	permutedBatch = 6
)

// packed compares a packed batch with its examples alone: padding or other
// examples must not leak into an answer.
func (c *contract) packed(t *testing.T) {
	m := c.model(t, packedModel)
	es := examples(c.shape, packedBatch, 6)
	together, _ := predict(t, m, pack(c.shape, es...))
	o := c.line()
	for i, e := range es {
		alone, _ := predict(t, m, pack(c.shape, e))
		for j, v := range alone {
			if !near(v, together[i*o+j]) {
				t.Fatalf("example %d, answer %d: score %g alone, %g in the batch", i, j, v, together[i*o+j])
			}
		}
	}
}

func (c *contract) permuted(t *testing.T) {
	m := c.model(t, packedModel)
	es := examples(c.shape, permutedBatch, 6)
	forward, loss := predict(t, m, pack(c.shape, es...))
	slices.Reverse(es)
	backward, reversed := predict(t, m, pack(c.shape, es...))
	if math.Abs(loss-reversed) > 1e-5*math.Abs(loss) {
		t.Errorf("loss %g, reversed batch %g", loss, reversed)
	}
	o := c.line()
	for i := range es {
		for j := range o {
			if a, b := forward[i*o+j], backward[(len(es)-1-i)*o+j]; !near(a, b) {
				t.Fatalf("example %d, answer %d: score %g, in the reversed batch %g", i, j, a, b)
			}
		}
	}
}

func near(a, b float32) bool {
	return math.Abs(float64(a-b)) <= 1e-4*math.Max(1, math.Abs(float64(a)))
}
