package hypothesis

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat"
)

// Samples compares two samples by the test for which they are large enough: the U test,
// which makes no assumptions, if its smallest p for samples of these sizes is at most
// level; else Welch's t, which assumes that means of the values are about normal. Only the
// sizes decide, so that the choice does not bias the result. A single value is compared
// with a sample by a t test.
func Samples(a, b []float64, level float64) Test {
	switch {
	case len(a) == 0 || len(b) == 0:
		return none(0, "no runs on one side")
	case len(a) == 1 && len(b) == 1:
		return none(a[0]-b[0], "one run on each side, and no counts of its answers")
	case len(a) == 1 || len(b) == 1:
		return oneRun(a, b)
	}
	t := welch(a, b)
	if t.Method != WelchT {
		return t
	}
	if smallestP(len(a), len(b)) <= level {
		t.Method, t.P = RankSum, rankSum(a, b)
	}
	return t
}

// welch compares two samples of two values or more by Welch's t test (Welch
// 1947).
func welch(a, b []float64) Test {
	meanA, varA := stat.MeanVariance(a, nil)
	meanB, varB := stat.MeanVariance(b, nil)
	qa, qb := varA/float64(len(a)), varB/float64(len(b))
	t := Test{Method: WelchT, Drop: meanA - meanB, SE: math.Sqrt(qa + qb)}
	if !finite((qa + qb) * (qa + qb)) {
		return tooLarge
	}
	t.DF = (qa + qb) * (qa + qb) / (qa*qa/float64(len(a)-1) + qb*qb/float64(len(b)-1))
	return t.withP(meanA, meanB, sameSeeds)
}

// oneRun compares samples of which one has a single value, by a t test with the variance of
// the other: it assumes equal variances.
func oneRun(a, b []float64) Test {
	many := a
	if len(a) == 1 {
		many = b
	}
	_, v := stat.MeanVariance(many, nil)
	t := Test{Method: OneAgainst, Drop: stat.Mean(a, nil) - stat.Mean(b, nil), DF: float64(len(many) - 1)}
	t.SE = math.Sqrt(v * (1 + 1/float64(len(many))))
	return t.withP(stat.Mean(a, nil), stat.Mean(b, nil), sameSeeds)
}

// sameSeeds says why samples without variance have no test.
const sameSeeds = "all runs of a side agree to the last digit: a fixed value, or the same seed again?"

// withP returns the t test with its p; without variance the drop is 0, or cannot be tested,
// for the given reason.
func (t Test) withP(meanA, meanB float64, why string) Test {
	switch {
	case !finite(t.Drop) || !finite(t.SE):
		return tooLarge
	case t.SE > 1e-12*max(math.Abs(meanA), math.Abs(meanB)): // else it is zero up to rounding
		t.P = t.tail(t.Drop / t.SE)
		return t
	case t.Drop == 0:
		return Test{Method: Identical, P: 1}
	}
	return none(t.Drop, why)
}

// tooLarge is the result of samples whose variance overflows.
var tooLarge = none(0, "the values are too large to compute their spread")

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Pairs compares paired values of A and B, such as those of one seed, by the paired t test.
func Pairs(a, b []float64) Test {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	if len(d) == 0 {
		return none(0, "no pairs")
	}
	mean := stat.Mean(d, nil)
	if len(d) == 1 {
		return none(mean, "one pair")
	}
	t := Test{Method: PairedT, Drop: mean, SE: stat.StdDev(d, nil) / math.Sqrt(float64(len(d))), DF: float64(len(d) - 1)}
	return t.withP(stat.Mean(a, nil), stat.Mean(b, nil), "all pairs differ by the same")
}

// smallestP returns the smallest one-sided p of the U test for samples of these sizes: one
// over the number of orders.
func smallestP(n, m int) float64 {
	p := 1.0
	for k := 1; k <= n; k++ {
		p *= float64(k) / float64(m+k)
	}
	return p
}

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
