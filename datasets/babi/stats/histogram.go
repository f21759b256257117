package stats

import (
	"maps"
	"math"
	"slices"
)

// Histogram says how often a number occurs.
type Histogram map[int]int

func (h Histogram) total() int {
	sum := 0
	for _, n := range h {
		sum += n
	}
	return sum
}

// Mean returns the mean number, 0 of an empty histogram.
func (h Histogram) Mean() float64 {
	sum := 0
	for x, n := range h {
		sum += x * n
	}
	return share(sum, h.total())
}

// Max returns the largest number, 0 of an empty histogram.
func (h Histogram) Max() int {
	most := 0
	for x := range h {
		most = max(most, x)
	}
	return most
}

// Kolmogorov returns the largest difference between the cumulative shares of two
// histograms, 0 to 1: the statistic of the Kolmogorov-Smirnov test.
func Kolmogorov(a, b Histogram) float64 {
	numbers := slices.Collect(maps.Keys(a))
	numbers = slices.AppendSeq(numbers, maps.Keys(b))
	slices.Sort(numbers)
	na, nb := a.total(), b.total()
	var sumA, sumB int
	most := 0.0
	for _, x := range slices.Compact(numbers) {
		sumA, sumB = sumA+a[x], sumB+b[x]
		most = max(most, math.Abs(share(sumA, na)-share(sumB, nb)))
	}
	return most
}

// Variation returns half the sum of the differences between the shares of two
// counts, 0 to 1: the total variation distance.
func Variation(a, b Counts) float64 {
	na, nb := a.total(), b.total()
	sum := 0.0
	keys := slices.Collect(maps.Keys(a))
	keys = slices.AppendSeq(keys, maps.Keys(b))
	slices.Sort(keys) // the sum does not depend on the order of a map
	for _, k := range slices.Compact(keys) {
		sum += math.Abs(share(a[k], na) - share(b[k], nb))
	}
	return sum / 2
}
