package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// CheckWeights reports what keeps weights from being those of so many kinds.
func CheckWeights(weights []float64, kinds int) error {
	if len(weights) != kinds {
		return fmt.Errorf("%d weights for %d kinds", len(weights), kinds)
	}
	sum := 0.0
	for k, w := range weights {
		if !(w >= 0) {
			return fmt.Errorf("weight %g of kind %d: want 0 or more", w, k)
		}
		sum += w
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return fmt.Errorf("weights of kinds add up to %g: want more than 0, finite", sum)
	}
	return nil
}

// DrawKind draws an index in proportion to weights, which CheckWeights accepts.
func DrawKind(rng *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	x, last := rng.Float64()*sum, 0
	for k, w := range weights {
		if w == 0 {
			continue
		}
		if last = k; x < w {
			break
		}
		x -= w
	}
	return last
}
