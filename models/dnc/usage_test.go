package dnc

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFreeListFromAnyOrder: where the sort starts from does not matter, and the usages
// of a diverged network do not crash it.
func TestFreeListFromAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		usage := make([]float64, 1+rng.IntN(20))
		for i := range usage {
			usage[i] = float64(rng.IntN(8)) / 8 // some are equal
		}
		freeList := make([]int32, len(usage))
		for i, slot := range rng.Perm(len(usage)) {
			freeList[i] = int32(slot)
		}
		sortByUsage(freeList, usage)
		if !slices.IsSortedFunc(freeList, func(x, y int32) int {
			return cmp.Or(cmp.Compare(usage[x], usage[y]), cmp.Compare(x, y))
		}) {
			t.Fatalf("usage %v: free list %v", usage, freeList)
		}
	}
	diverged := []int32{0, 1, 2, 3, 4}
	sortByUsage(diverged, []float64{0.5, math.NaN(), 0.1, math.NaN(), 0.3})
	slices.Sort(diverged)
	if !slices.Equal(diverged, []int32{0, 1, 2, 3, 4}) {
		t.Errorf("free list %v", diverged)
	}
}
