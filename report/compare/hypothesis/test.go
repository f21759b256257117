// Package hypothesis holds the statistical tests behind comparisons of results.
//
// What comes in: the values of two samples A and B, one value per run, oriented so that
// higher is better; or the counts or the single answers of two runs. What goes out: a Test
// with the drop from A to B, its standard error, and the one-sided p-value. What always
// holds:
//
//   - Every test names its method. Tests of samples are about the training code, tests
//     of counts and answers only about the two trained networks.
//   - No result is NaN or infinite. If nothing can be tested, Method is None and Why
//     says what is missing.
//
// Mann-Whitney's U is that of benchstat except for ties (see rankSum).
package hypothesis

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Method names a test.
type Method string

// The tests.
const (
	None           Method = "none"            // nothing can be tested; Why says why
	Identical      Method = "identical"       // the same values: nothing to test
	Exact          Method = "exact"           // numbers that do not vary between runs
	RankSum        Method = "Mann-Whitney U"  // of two samples
	WelchT         Method = "Welch's t"       // of two samples
	PairedT        Method = "paired t"        // of the differences of pairs
	OneAgainst     Method = "t of one run"    // one run against a sample
	TwoProportions Method = "two proportions" // counts of one run each
	McNemar        Method = "McNemar"         // answers of one run each to the same questions
)

// Test is a test of the hypothesis that B is not worse than A.
type Test struct {
	Method Method
	Drop   float64 // mean of A less mean of B, higher being better
	SE     float64 // standard error of Drop; 0 when unknown
	DF     float64 // degrees of freedom of SE; +Inf for a normal distribution
	P      float64 // probability of at least this drop under the null hypothesis; 1 without a test
	Why    string  // of None
}

// OfTwoRuns reports whether the test is only about two trained networks, without the
// variation between seeds.
func (m Method) OfTwoRuns() bool { return m == TwoProportions || m == McNemar }

// quantile returns the q quantile of Student's t, or of the normal distribution.
func (t *Test) quantile(q float64) float64 {
	if math.IsInf(t.DF, 1) {
		return distuv.UnitNormal.Quantile(q)
	}
	return distuv.StudentsT{Sigma: 1, Nu: t.DF}.Quantile(q)
}

// tail returns the probability of more than x standard errors.
func (t *Test) tail(x float64) float64 {
	if math.IsInf(t.DF, 1) {
		return distuv.UnitNormal.Survival(x)
	}
	return distuv.StudentsT{Sigma: 1, Nu: t.DF}.Survival(x)
}

// Bound returns the upper one-sided confidence bound of the drop, and false when the spread
// is unknown.
func (t *Test) Bound(confidence float64) (float64, bool) {
	if t.Method == Identical || t.Method == Exact {
		return t.Drop, true
	}
	if t.SE <= 0 {
		return 0, false
	}
	return t.Drop + t.quantile(confidence)*t.SE, true
}

// Interval returns the two-sided confidence interval of the drop, and false when the spread
// is unknown.
func (t *Test) Interval(confidence float64) (low, high float64, ok bool) {
	high, ok = t.Bound((1 + confidence) / 2)
	return 2*t.Drop - high, high, ok
}

// Detectable returns the smallest drop that a test at level alpha finds with the
// given power, and false when the spread is unknown. It is the normal-theory
// value (Student's t quantiles times the standard error); that of the U test is
// larger by the root of its asymptotic efficiency, 3/pi, on normal samples
// (Lehmann 1975, section 2.4).
func (t *Test) Detectable(alpha, power float64) (float64, bool) {
	if t.Method == Exact {
		return 0, true
	}
	if t.SE <= 0 || alpha <= 0 || alpha >= 1 {
		return 0, false
	}
	d := (t.quantile(1-alpha) + t.quantile(power)) * t.SE
	if t.Method == RankSum {
		d *= math.Sqrt(math.Pi / 3)
	}
	return d, true
}

// none is the result if nothing can be tested.
func none(drop float64, why string) Test {
	return Test{Method: None, Drop: drop, P: 1, Why: why}
}

// Adjust returns p-values adjusted by Benjamini and Hochberg (1995): rejecting those of at
// most alpha has a false discovery rate of at most alpha. If all null hypotheses are true,
// the probability of any rejection is at most alpha, too. tests is the number of all tests;
// those that are not in p have p = 1.
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
