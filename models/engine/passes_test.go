package engine

import (
	"math"
	"slices"
	"testing"
)

// TestPassesDoNotDependOnThreads compares bits, for fewer weights than a block
// holds and for many blocks, the last one not full.
func TestPassesDoNotDependOnThreads(t *testing.T) {
	for _, n := range []int{3, passBlock + 1, 9*passBlock + 77} {
		after := func(threads int, clip float64) (norm float64, p *Params[float32]) {
			p = NewParams[float32]([]Spec{{"x", []int{n}, Normal(1)}}, 7)
			p.Threads = threads
			for i, v := range p.Values {
				p.Grads[i] = v/3 + float32(i%7) - 3
			}
			o, err := NewOptimizer[float32]("adam", n)
			if err != nil {
				t.Fatal(err)
			}
			return o.Step(p, 0.1, clip), p
		}
		norm, one := after(1, 1)
		sum := 0.0
		for i, v := range NewParams[float32]([]Spec{{"x", []int{n}, Normal(1)}}, 7).Values {
			g := v/3 + float32(i%7) - 3
			sum += float64(g) * float64(g)
		}
		if math.Abs(norm-math.Sqrt(sum)) > 1e-6*norm {
			t.Errorf("norm %g, want %g", norm, math.Sqrt(sum))
		}
		_, unclipped := after(1, 0)
		for _, threads := range []int{2, 5} {
			for clip, one := range map[float64]*Params[float32]{0: unclipped, 1: one} {
				if got, p := after(threads, clip); got != norm || !slices.Equal(p.Values, one.Values) || !slices.Equal(p.Grads, one.Grads) {
					t.Errorf("%d weights, clip %g: %d threads give other bits than one (norm %g, %g)", n, clip, threads, got, norm)
				}
			}
		}
	}
}
