// Package stats has the tests and intervals behind comparisons of results.
//
// What comes in: the values of two samples A and B, one value per run, oriented so that
// higher is better; or the counts or single answers of two runs. What goes out: a Test with
// the drop from A to B, its standard error and the one-sided p. No number is NaN or infinite:
// where nothing can be tested, Method is None and Why says what is missing.
package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Method names a test.
type Method string

// The tests. Those of samples are about the training code; those of counts and answers are
// only about the trained networks, without the spread between seeds.
const (
	None           Method = "none"            // nothing can be tested
	Identical      Method = "identical"       // equal values without spread
	RankSum        Method = "Mann-Whitney U"  // two samples
	WelchT         Method = "Welch's t"       // two samples
	PairedT        Method = "paired t"        // differences of pairs
	OneAgainst     Method = "t of one run"    // one run against a sample
	TwoProportions Method = "two proportions" // counts of two runs
	McNemar        Method = "McNemar"         // answers of two runs to the same questions
)

// WithoutSeeds reports whether the spread between seeds is not in the test.
func (m Method) WithoutSeeds() bool { return m == TwoProportions || m == McNemar }

// Test is a test of the hypothesis that B is not worse than A.
type Test struct {
	Method Method
	Drop   float64 // mean of A less mean of B, higher being better
	SE     float64 // standard error of Drop; 0 when unknown
	DF     float64 // degrees of freedom of SE; +Inf for a normal distribution
	P      float64 // probability of at least this drop under the null hypothesis; 1 without a test
	Why    string  // nothing can be tested
}

func untestable(drop float64, why string) Test {
	return Test{Method: None, Drop: drop, P: 1, Why: why}
}

// distribution returns that of Drop / SE under the null hypothesis.
func (t *Test) distribution() interface {
	Quantile(p float64) float64
	Survival(x float64) float64
} {
	if math.IsInf(t.DF, 1) {
		return distuv.UnitNormal
	}
	return distuv.StudentsT{Sigma: 1, Nu: t.DF}
}

// Bound returns the upper one-sided confidence bound of the drop; false where the spread is
// unknown.
func (t *Test) Bound(confidence float64) (float64, bool) {
	if t.Method == Identical {
		return t.Drop, true
	}
	if t.SE <= 0 {
		return 0, false
	}
	return t.Drop + t.distribution().Quantile(confidence)*t.SE, true
}

// Interval returns the two-sided confidence interval of the drop; false where the spread is
// unknown.
func (t *Test) Interval(confidence float64) (low, high float64, ok bool) {
	high, ok = t.Bound((1 + confidence) / 2)
	return 2*t.Drop - high, high, ok
}

// Detectable returns the smallest drop that a test at level alpha finds with the given power;
// false where the spread is unknown. It is the normal-theory value: quantiles of Student's t
// times the standard error. That of the U test is larger by the root of its asymptotic
// efficiency, 3/pi, on normal samples (Lehmann 1975, section 2.4).
func (t *Test) Detectable(alpha, power float64) (float64, bool) {
	if t.SE <= 0 {
		return 0, false
	}
	d := (t.distribution().Quantile(1-alpha) + t.distribution().Quantile(power)) * t.SE
	if t.Method == RankSum {
		d *= math.Sqrt(math.Pi / 3)
	}
	return d, true
}

// Adjust returns p-values adjusted by Benjamini and Hochberg (1995): rejecting those of at
// most alpha has a false discovery rate of at most alpha.
func Adjust(p []float64) []float64 {
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
