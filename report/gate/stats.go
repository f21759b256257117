package gate

import (
	"cmp"
	"math"
	"slices"

	mannwhitney "github.com/aclements/go-moremath/stats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

// method names a statistical test.
type method string

// The tests. Those of samples are about the training code; those of counts and answers are
// only about the trained networks, without the spread between seeds.
const (
	none           method = "none"            // nothing can be tested
	identical      method = "identical"       // equal values without spread
	rankSum        method = "Mann-Whitney U"  // two samples
	welchT         method = "Welch's t"       // two samples
	pairedT        method = "paired t"        // differences of pairs
	oneAgainst     method = "t of one run"    // one run against a sample
	twoProportions method = "two proportions" // counts of two runs
	mcNemar        method = "McNemar"         // answers of two runs to the same questions
)

// withoutSeeds reports whether the spread between seeds is not in the test.
func (m method) withoutSeeds() bool { return m == twoProportions || m == mcNemar }

// testResult is the result of a test of the hypothesis that B is not worse than A. No number
// is NaN or infinite: where nothing can be tested, method is none and why says what is missing.
type testResult struct {
	method method
	drop   float64 // mean of A less mean of B, higher being better
	se     float64 // standard error of the drop; 0 when unknown
	df     float64 // degrees of freedom of se; +Inf for a normal distribution
	p      float64 // probability of at least this drop under the null hypothesis; 1 without a test
	why    string  // nothing can be tested
}

func untestable(drop float64, why string) testResult {
	return testResult{method: none, drop: drop, p: 1, why: why}
}

// distribution returns that of drop / se under the null hypothesis.
func (t *testResult) distribution() interface {
	Quantile(p float64) float64
	Survival(x float64) float64
} {
	if math.IsInf(t.df, 1) {
		return distuv.UnitNormal
	}
	return distuv.StudentsT{Sigma: 1, Nu: t.df}
}

// bound returns the upper one-sided confidence bound of the drop; false where the spread is
// unknown.
func (t *testResult) bound(confidence float64) (float64, bool) {
	if t.method == identical {
		return t.drop, true
	}
	if t.se <= 0 {
		return 0, false
	}
	return t.drop + t.distribution().Quantile(confidence)*t.se, true
}

// interval returns the two-sided confidence interval of the drop; false where the spread is
// unknown.
func (t *testResult) interval(confidence float64) (low, high float64, ok bool) {
	high, ok = t.bound((1 + confidence) / 2)
	return 2*t.drop - high, high, ok
}

// detectable returns the smallest drop that a test at level alpha finds with the given power;
// false where the spread is unknown. It is the normal-theory value: quantiles of Student's t
// times the standard error. That of the U test is larger by the root of its asymptotic
// efficiency, 3/pi, on normal samples (Lehmann 1975, section 2.4).
func (t *testResult) detectable(alpha, power float64) (float64, bool) {
	if t.se <= 0 {
		return 0, false
	}
	d := (t.distribution().Quantile(1-alpha) + t.distribution().Quantile(power)) * t.se
	if t.method == rankSum {
		d *= math.Sqrt(math.Pi / 3)
	}
	return d, true
}

// adjust returns p-values adjusted by Benjamini and Hochberg (1995): rejecting those of at
// most alpha has a false discovery rate of at most alpha.
func adjust(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(p[j], p[i]) })
	adjusted := make([]float64, len(p))
	smallest := 1.0
	for i, at := range order {
		smallest = min(smallest, p[at]*float64(len(p))/float64(len(p)-i))
		adjusted[at] = smallest
	}
	return adjusted
}

// testSamples compares two samples by the test for which they are large enough: the U test,
// which makes no assumptions, if its smallest p for samples of these sizes is at most level;
// else Welch's t (Welch 1947), which assumes that means of the values are about normal. Only
// the sizes decide, so that the choice does not bias the result. A single value is compared
// with a sample by a t test with the variance of the sample.
func testSamples(a, b []float64, level float64) testResult {
	n, m := float64(len(a)), float64(len(b))
	switch {
	case n == 0 || m == 0:
		return untestable(0, "no runs on one side")
	case n == 1 && m == 1:
		return untestable(a[0]-b[0], "one run on each side")
	case n == 1:
		return tTest(oneAgainst, a, b, math.Sqrt(stat.Variance(b, nil)*(1+1/m)), m-1)
	case m == 1:
		return tTest(oneAgainst, a, b, math.Sqrt(stat.Variance(a, nil)*(1+1/n)), n-1)
	}
	qa, qb := stat.Variance(a, nil)/n, stat.Variance(b, nil)/m
	t := tTest(welchT, a, b, math.Sqrt(qa+qb), (qa+qb)*(qa+qb)/(qa*qa/(n-1)+qb*qb/(m-1)))
	if t.method == welchT && 1/orders(n, m) <= level {
		t.method, t.p = rankSum, rankSumP(a, b)
	}
	return t
}

// rankSumP returns the one-sided p of the Mann-Whitney U test, exact for up to 25 values on a
// side. It asks whether B is less: only that p of package moremath is exact with ties, which
// accuracies have.
func rankSumP(a, b []float64) float64 {
	u, err := mannwhitney.MannWhitneyUTest(b, a, mannwhitney.LocationLess)
	if err != nil { // all values are equal
		return 1
	}
	n := orders(float64(len(a)), float64(len(b)))
	return math.Round(u.P*n) / n // a whole number of all orders, without the rounding of their sum
}

// orders returns the number of ways to assign n + m values to two samples of these sizes.
func orders(n, m float64) float64 { return math.Round(combin.GeneralizedBinomial(n+m, n)) }

// testPairs compares two or more paired values of A and B, such as those of one seed, by the
// paired t test.
func testPairs(a, b []float64) testResult {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	n := float64(len(d))
	return tTest(pairedT, a, b, stat.StdDev(d, nil)/math.Sqrt(n), n-1)
}

// tTest returns the t test of the difference of the means, whose standard error is se.
func tTest(m method, a, b []float64, se, df float64) testResult {
	meanA, meanB := stat.Mean(a, nil), stat.Mean(b, nil)
	t := testResult{method: m, drop: meanA - meanB, se: se, df: df}
	switch {
	case math.IsInf(se, 0) || math.IsInf(t.drop, 0):
		return untestable(0, "the values are too large to compute their spread")
	case se > 1e-12*max(math.Abs(meanA), math.Abs(meanB)) && df > 0: // else it is zero up to rounding
		t.p = t.distribution().Survival(t.drop / se)
		return t
	case t.drop == 0:
		return testResult{method: identical, p: 1}
	}
	return untestable(t.drop, "no spread between runs")
}

// count has right answers and questions.
type count struct{ right, total int }

// testCounts compares the mean proportions, in per cent, of two runs; each has one count per
// kind of question. The variance is that of Agresti and Caffo (2000): one right and one wrong
// answer are added to each proportion, which keeps the level near 100 %.
func testCounts(a, b []count) testResult {
	k := float64(len(a))
	t := testResult{method: twoProportions, df: math.Inf(1)}
	shifted, variance := 0.0, 0.0
	for i := range a {
		for side, c := range []count{a[i], b[i]} {
			sign := float64(1 - 2*side)
			n := float64(c.total + 2)
			p := float64(c.right+1) / n
			t.drop += sign * 100 * float64(c.right) / float64(c.total) / k
			shifted += sign * 100 * p / k
			variance += 1e4 * p * (1 - p) / n / (k * k)
		}
	}
	t.se = math.Sqrt(variance)
	t.p = t.distribution().Survival(shifted / t.se)
	return t
}

// discordant counts the questions on which two runs differ.
type discordant struct {
	lost      int // right only in A
	won       int // right only in B
	questions int
}

// testAnswers compares the mean proportions, in per cent, of two runs on the same questions, of
// one or more kinds, by McNemar's exact test: under the null hypothesis a discordant question
// is lost or won with equal probability (McNemar 1947). The standard error is that of Agresti
// and Min (2005), which adds half a question to each of the four outcomes.
func testAnswers(kinds []discordant) testResult {
	k := float64(len(kinds))
	t := testResult{method: mcNemar, df: math.Inf(1)}
	variance := 0.0
	for _, d := range kinds {
		t.drop += 100 * float64(d.lost-d.won) / float64(d.questions) / k
		n, l, w := float64(d.questions)+2, float64(d.lost)+0.5, float64(d.won)+0.5
		variance += 1e4 * (l + w - (l-w)*(l-w)/n) / (n * n) / (k * k)
	}
	t.se, t.p = math.Sqrt(variance), sum(kinds).p()
	return t
}

// sum adds up the questions of all kinds.
func sum(kinds []discordant) (all discordant) {
	for _, d := range kinds {
		all.lost, all.won, all.questions = all.lost+d.lost, all.won+d.won, all.questions+d.questions
	}
	return all
}

// p returns the probability of lost or more heads in lost + won fair coin flips.
func (d discordant) p() float64 {
	if d.lost+d.won == 0 {
		return 1
	}
	return min(1, distuv.Binomial{N: float64(d.lost + d.won), P: 0.5}.CDF(float64(d.won)))
}

func (d discordant) twoSided() float64 {
	return min(1, 2*min(d.p(), discordant{lost: d.won, won: d.lost}.p()))
}
