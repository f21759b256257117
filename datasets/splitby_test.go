package datasets

import (
	"math"
	"testing"
)

func TestSplitByHashKeepsShares(t *testing.T) {
	const n = 100_000
	var counts [3]int
	for i := range uint64(n) {
		counts[SplitByHash(Mix(i))]++
	}
	for split, share := range []float64{.8, .1, .1} {
		want, slack := n*share, 5*math.Sqrt(n*share*(1-share))
		if math.Abs(float64(counts[split])-want) > slack {
			t.Errorf("%v owns %d of %d hashes, want %.0f within %.0f", Split(split), counts[split], n, want, slack)
		}
	}
}
