package layers

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"memobench/datasets/must"
	"memobench/models/gemm"
)

func TestCuts(t *testing.T) {
	for _, c := range []struct {
		offsets []int
		n       int
		want    []int
	}{
		{[]int{0, 5}, 2, []int{0, 1}},                         // one example
		{[]int{0, 2, 4, 6, 8}, 2, []int{0, 2, 4}},             // equal ones
		{[]int{0, 1, 2, 3, 9}, 2, []int{0, 3, 4}},             // the last one long
		{[]int{0, 9, 10, 11}, 3, []int{0, 1, 2, 3}},           // the first one long
		{[]int{0, 0, 0, 0}, 3, []int{0, 1, 2, 3}},             // no rows at all
		{[]int{0, 1, 2, 3, 4, 5, 6}, 4, []int{0, 1, 3, 4, 6}}, // more than can be equal
	} {
		if got := splitRows(nil, c.offsets, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%v among %d: cut at %v, want %v", c.offsets, c.n, got, c.want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		offsets := []int{0}
		for range 1 + rng.IntN(9) {
			offsets = append(offsets, offsets[len(offsets)-1]+rng.IntN(20))
		}
		n := 1 + rng.IntN(6)
		cuts := splitRows(nil, offsets, n)
		if len(cuts)-1 != min(n, len(offsets)-1) || cuts[0] != 0 || cuts[len(cuts)-1] != len(offsets)-1 {
			t.Fatalf("%v among %d: cut at %v", offsets, n, cuts)
		}
		for i := 1; i < len(cuts); i++ {
			if cuts[i] <= cuts[i-1] {
				t.Fatalf("%v among %d: cut at %v", offsets, n, cuts)
			}
		}
	}
}

// TestDividedGradients: over several steps and batch sizes, several threads compute the gradient
// of one thread.
func TestDividedGradients(t *testing.T) {
	shell := func(threads int) *Model[float64, *bag[float64]] {
		s := must.Get(newModel(bagDesign[float64](&bagConfig{4}, bagShape), bagShape, bagTraining, 1))(t)
		s.SetThreads(threads)
		return s
	}
	whole, divided := shell(1), shell(3)
	for _, size := range []int{6, 1, 7, 6} {
		want, err := whole.Gradient(bagBatch(size))
		if err != nil {
			t.Fatal(err)
		}
		got, err := divided.Gradient(bagBatch(size))
		if err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%d examples: loss %g, want %g, error %v", size, got, want, err)
		}
		for i, v := range whole.Params.Grads {
			if g := divided.Params.Grads[i]; math.Abs(g-v) > 1e-12 {
				t.Fatalf("%d examples: gradient %d is %g, want %g", size, i, g, v)
			}
		}
	}
}

// TestDividedStepsAllocateLittle: a step allocates only for its goroutines.
func TestDividedStepsAllocateLittle(t *testing.T) {
	m := must.Get(newBag(&bagConfig{4}, bagShape, bagTraining, 1))(t)
	m.SetThreads(3)
	b := bagBatch(6)
	step := func() {
		_, err := m.Train(b)
		must.Do(t, err)
	}
	step()
	if n := testing.AllocsPerRun(50, step); n > 16 && gemm.Fast() { // gonum's products allocate
		t.Errorf("%g allocations in a step, want at most 16", n)
	}
}
