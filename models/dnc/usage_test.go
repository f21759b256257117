package dnc

import (
	"cmp"
	"math"
	"slices"
	"testing"
)

// TestUsage frees a slot that a head read with an open gate, keeps one whose
// gate is shut, and fills one that was written.
func TestUsage(t *testing.T) {
	u := usage[float64]{
		free: []float64{1, 0}, previous: []float64{0.5, 0.5, 0.5, 0}, write: []float64{0, 0, 0.5, 0},
		read:      []float64{1, 0, 0.25, 0 /* head 2: */, 0, 1, 0, 0},
		retention: make([]float64, 4), usage: make([]float64, 4),
	}
	u.forward()
	near(t, "retention", u.retention, []float64{0, 1, 0.75, 1})
	near(t, "usage", u.usage, []float64{0, 0.5, 0.75 * 0.75, 0})
}

func TestUsageGradient(t *testing.T) {
	rng := newRand()
	u := usage[float64]{
		free: random(rng, 3, 0, 1), previous: random(rng, 4, 0, 1), write: random(rng, 4, 0, 1), read: random(rng, 12, 0, 1),
		retention: make([]float64, 4), usage: make([]float64, 4),
	}
	u.free[0], u.read[2] = 1, 1 // retention of slot 2 is 0, and other heads' gates still get their gradient
	u.forward()
	d := random(rng, 4, -1, 1)
	results := []result{{u.usage, append([]float64(nil), d...)}}
	dfree, dwrite, dread := make([]float64, 3), make([]float64, 4), make([]float64, 12)
	u.backward(d, dfree, d, dwrite, dread, make([]float64, 20)) // the gradient of the previous usage takes the place of that of the usage
	checkGradients(t, u.forward, results, []operand{
		{"free gates", u.free, dfree}, {"previous usage", u.previous, d}, {"previous write weights", u.write, dwrite}, {"previous read weights", u.read, dread},
	})
}

func newAllocation(usage ...float64) *allocation[float64] {
	n := len(usage)
	a := &allocation[float64]{usage: usage, before: make([]int32, n), freeList: make([]int32, n), weights: make([]float64, n)}
	inOrder(a.before)
	return a
}

func TestAllocation(t *testing.T) {
	a := newAllocation(0.5, 0.25, 1, 0.2)
	a.forward()
	if want := []int32{3, 1, 0, 2}; !slices.Equal(a.freeList, want) {
		t.Errorf("free list %v, want %v", a.freeList, want)
	}
	near(t, "weights", a.weights, []float64{0.5 * 0.25 * 0.2, 0.75 * 0.2, 0, 0.8})

	a = newAllocation(0, 0, 0) // of equal slots the first comes first
	a.forward()
	near(t, "weights of an empty memory", a.weights, []float64{1, 0, 0})

	a = newAllocation(1, 1)
	a.forward()
	near(t, "weights of a full memory", a.weights, []float64{0, 0})
}

// TestFreeListFromAnyOrder: where the sort starts from does not matter.
func TestFreeListFromAnyOrder(t *testing.T) {
	rng := newRand()
	for range 100 {
		a := newAllocation(random(rng, 1+rng.IntN(20), 0, 1)...)
		for range rng.IntN(4) { // equal usages
			a.usage[rng.IntN(len(a.usage))] = 0.5
		}
		a.forward()
		want := slices.Clone(a.freeList)
		rng.Shuffle(len(a.before), func(i, j int) { a.before[i], a.before[j] = a.before[j], a.before[i] })
		a.forward()
		if !slices.Equal(a.freeList, want) {
			t.Fatalf("usage %v: free list %v when begun from %v, %v when begun in order", a.usage, a.freeList, a.before, want)
		}
		if !slices.IsSortedFunc(want, func(x, y int32) int {
			return cmp.Or(cmp.Compare(a.usage[x], a.usage[y]), cmp.Compare(x, y))
		}) {
			t.Fatalf("usage %v: free list %v", a.usage, want)
		}
	}
}

// TestAllocationSurvivesNaN: a diverged network must not crash the sort.
func TestAllocationSurvivesNaN(t *testing.T) {
	a := newAllocation(0.5, math.NaN(), 0.1, math.NaN(), 0.3)
	a.forward()
	order := slices.Clone(a.freeList)
	slices.Sort(order)
	if !slices.Equal(order, []int32{0, 1, 2, 3, 4}) {
		t.Errorf("free list %v", a.freeList)
	}
}

func TestAllocationGradient(t *testing.T) {
	rng := newRand()
	// The first has a slot of usage 0, whose gradient a division would lose;
	// -h keeps it first in the list.
	for _, a := range []*allocation[float64]{newAllocation(0.6, 0, 0.9, 0.3, 1), newAllocation(random(rng, 6, 0, 1)...)} {
		a.forward()
		n := len(a.usage)
		d, dusage := random(rng, n, -1, 1), make([]float64, n)
		a.backward(d, dusage, make([]float64, n))
		checkGradients(t, a.forward, []result{{a.weights, d}}, []operand{{"usage", a.usage, dusage}})
	}
}
