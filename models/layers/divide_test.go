package layers

import (
	"math/rand/v2"
	"slices"
	"testing"
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
		if got := divide(c.offsets, c.n); !slices.Equal(got, c.want) {
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
		cuts := divide(offsets, n)
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

// TestPartsDrawAnew: every part has noise of its own, and other noise at every
// step.
func TestPartsDrawAnew(t *testing.T) {
	m, err := newBag(&bagConfig{4}, bagShape, bagTraining, 1)
	if err != nil {
		t.Fatal(err)
	}
	m.Divide(3)
	for step := range 3 {
		if _, err := m.Train(bagBatch(6)); err != nil {
			t.Fatal(err)
		}
		seeds := map[uint64]bool{m.Noise.Seed: true}
		for i, h := range m.division.workers[1:] {
			if h.noise.Step != uint64(step) || seeds[h.noise.Seed] {
				t.Errorf("step %d, part %d: noise of seed %d, step %d", step, i+1, h.noise.Seed, h.noise.Step)
			}
			seeds[h.noise.Seed] = true
		}
	}
}

// TestUndividedAgain: a model whose batches are no longer divided learns as one whose
// batches never were.
func TestUndividedAgain(t *testing.T) {
	weights := func(divisions ...int) []float32 {
		m, err := newBag(&bagConfig{4}, bagShape, bagTraining, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range divisions {
			m.Divide(threads)
		}
		for range 3 {
			if _, err := m.Train(bagBatch(6)); err != nil {
				t.Fatal(err)
			}
		}
		return m.Params.Values
	}
	if !slices.Equal(weights(2, 1), weights()) {
		t.Error("divided among two and then one, the model learns other weights")
	}
}
