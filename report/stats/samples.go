package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"
)

// Samples compares two samples by the test for which they are large enough: the U test,
// which makes no assumptions, if its smallest p for samples of these sizes is at most
// level; else Welch's t, which assumes that means of the values are about normal. Only the
// sizes decide, so that the choice does not bias the result.
func Samples(a, b []float64, level float64) Test {
	switch {
	case len(a) == 0 || len(b) == 0:
		return untestable(0, "no runs on one side")
	case len(a) == 1 && len(b) == 1:
		return untestable(a[0]-b[0], "one run on each side")
	case len(a) == 1 || len(b) == 1:
		return oneRun(a, b)
	}
	t := welch(a, b)
	if t.Method == WelchT && len(a)+len(b) <= maxRanks && 1/orders(a, b) <= level {
		t.Method, t.P = RankSum, rankSum(a, b)
	}
	return t
}

// welch compares two samples of two values or more by Welch's t test (Welch 1947).
func welch(a, b []float64) Test {
	meanA, varA := stat.MeanVariance(a, nil)
	meanB, varB := stat.MeanVariance(b, nil)
	qa, qb := varA/float64(len(a)), varB/float64(len(b))
	df := (qa + qb) * (qa + qb) / (qa*qa/float64(len(a)-1) + qb*qb/float64(len(b)-1))
	return tTest(WelchT, meanA, meanB, math.Sqrt(qa+qb), df)
}

// oneRun compares samples of which one has a single value, by a t test with the variance of
// the other: it assumes equal variances.
func oneRun(a, b []float64) Test {
	many := a
	if len(a) == 1 {
		many = b
	}
	n := float64(len(many))
	return tTest(OneAgainst, stat.Mean(a, nil), stat.Mean(b, nil), math.Sqrt(stat.Variance(many, nil)*(1+1/n)), n-1)
}

// Pairs compares two or more paired values of A and B, such as those of one seed, by the
// paired t test.
func Pairs(a, b []float64) Test {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	n := float64(len(d))
	return tTest(PairedT, stat.Mean(a, nil), stat.Mean(b, nil), stat.StdDev(d, nil)/math.Sqrt(n), n-1)
}

// tTest returns the t test of a difference of two means with standard error se.
func tTest(m Method, meanA, meanB, se, df float64) Test {
	t := Test{Method: m, Drop: meanA - meanB, SE: se, DF: df}
	switch {
	case math.IsInf(se, 0) || math.IsInf(t.Drop, 0):
		return untestable(0, "the values are too large to compute their spread")
	case se > 1e-12*max(math.Abs(meanA), math.Abs(meanB)) && df > 0: // else it is zero up to rounding
		t.P = t.distribution().Survival(t.Drop / se)
		return t
	case t.Drop == 0:
		return Test{Method: Identical, P: 1}
	}
	return untestable(t.Drop, "no spread between runs")
}

// orders returns the number of ways to assign the values to two samples of these sizes.
func orders(a, b []float64) float64 {
	return math.Round(combin.GeneralizedBinomial(float64(len(a)+len(b)), float64(len(a))))
}

// maxRanks is the maximum number of values for the U test, whose time grows with their fourth
// power; means of so many values are normal enough for Welch's t.
const maxRanks = 60

// rankSum returns the one-sided p of the Mann-Whitney U test: the probability that the
// values of B have at most their rank sum if all assignments of the values to A and B are
// equally likely. Ties have their mean rank. All assignments are counted, because the exact
// p of golang.org/x/perf/benchmath is often too small with ties, which accuracies have.
func rankSum(a, b []float64) float64 {
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
	return min(1, low/orders(a, b))
}
