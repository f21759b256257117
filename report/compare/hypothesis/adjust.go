package hypothesis

import (
	"cmp"
	"slices"
)

// Adjust returns the p-values adjusted by Benjamini and Hochberg (1995): those at
// most alpha belong to rejections with a false discovery rate of at most alpha.
// If nothing differs at all, the chance of any rejection is at most alpha too.
// Of the tests, ones that are not in p gave 1.
func Adjust(p []float64, tests int) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(p[j], p[i]) })
	adjusted := make([]float64, len(p))
	smallest := 1.0
	for i, at := range order {
		rank := float64(len(p) - i)
		smallest = min(smallest, p[at]*(float64(tests)/rank))
		adjusted[at] = smallest
	}
	return adjusted
}
