package hypothesis

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// exactRanks is the maximum number of values for the exact U test.
const exactRanks = 50

// rankSum returns the one-sided p of the Mann-Whitney U test: the probability that the
// values of B have at most their rank sum if all assignments of the values to A and B are
// equally likely. Ties have their mean rank.
//
// For small samples benchmath's exact p is often too small with ties, which are common in
// accuracies: they are counted here. For larger ones benchmath's normal approximation is
// used.
func rankSum(a, b []float64) float64 {
	if len(a)+len(b) > exactRanks {
		return approximateRankSum(a, b)
	}
	return exactRankSum(a, b)
}

// exactRankSum counts all assignments.
func exactRankSum(a, b []float64) float64 {
	all := slices.Concat(a, b)
	slices.Sort(all)
	// Twice the mean rank, which is an integer: the values from first to last, counted
	// from 0, have ranks first+1 to last+1.
	rank := func(x float64) int {
		first, _ := slices.BinarySearch(all, x)
		last := first
		for last+1 < len(all) && all[last+1] == x {
			last++
		}
		return first + last + 2
	}
	sum := 0
	for _, x := range b {
		sum += rank(x)
	}
	// ways[k][s]: number of choices of k values with rank sum s.
	ways := make([][]float64, len(b)+1)
	for k := range ways {
		ways[k] = make([]float64, sum+1)
	}
	ways[0][0] = 1
	for _, x := range all {
		r := rank(x)
		for k := len(b); k > 0; k-- {
			for s := sum; s >= r; s-- {
				ways[k][s] += ways[k-1][s-r]
			}
		}
	}
	low := 0.0
	for _, n := range ways[len(b)] {
		low += n
	}
	return min(1, low*smallestP(len(a), len(b)))
}

// approximateRankSum halves the two-sided p of benchmath.
func approximateRankSum(a, b []float64) float64 {
	thresholds := benchmath.DefaultThresholds
	c := benchmath.AssumeNothing.Compare(benchmath.NewSample(slices.Clone(a), &thresholds), benchmath.NewSample(slices.Clone(b), &thresholds))
	lower, higher := 0, 0 // pairs in which B is
	ordered := slices.Sorted(slices.Values(a))
	for _, y := range b {
		first, _ := slices.BinarySearch(ordered, y)
		after, _ := slices.BinarySearch(ordered, math.Nextafter(y, math.Inf(1)))
		lower, higher = lower+len(a)-after, higher+first
	}
	switch {
	case lower > higher:
		return c.P / 2
	case lower < higher:
		return 1 - c.P/2
	}
	return 0.5
}
