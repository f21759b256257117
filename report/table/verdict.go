package table

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Two accuracies agree if the whole 95 % interval of their difference is within agreement
// points, or cannot be shown to be beyond it while it is at most maxHalfWidth wide. For
// errors, which may be far below a point, these are a share of the smaller error.
const (
	agreement      = 2.0  // points
	maxHalfWidth   = 10.0 // points
	errorAgreement = 0.25 // of the smaller error
)

// publishedRuns is the number of runs in the paper's means with a deviation: its five best
// settings.
const publishedRuns = 5

// verdictOf compares a measured number with a published one, in words, by the 95 % interval of the
// difference (Student's t over seeds and the binomial error of the test questions), which it
// prints clipped to what is possible. Higher or lower: the whole interval is beyond the margin.
// Agrees: it is not, and its half-width is at most widest. Undecided: all else.
func verdictOf(measured, published Cell) string {
	if measured.N == 1 {
		return fmt.Sprintf("one seed, %+.*f", measured.Decimals, measured.Mean-published.Mean)
	}
	d := measured.Mean - published.Mean
	half := math.Hypot(measured.halfWidth(), published.halfWidth())
	margin, widest := agreement, maxHalfWidth
	if measured.isError {
		smaller := min(measured.Mean, published.Mean)
		margin, widest = min(margin, errorAgreement*smaller), min(widest, smaller)
	}
	word := "agrees"
	switch {
	case d-half > margin:
		word = "higher"
	case d+half < -margin:
		word = "lower"
	case half > widest:
		word = "undecided"
	}
	low, high := max(d-half, -published.Mean), min(d+half, 100-published.Mean)
	return fmt.Sprintf("%s, %+.*f to %+.*f", word, measured.Decimals, low, measured.Decimals, high)
}

// halfWidth returns half the width of the 95 % interval of a mean; 0 for a published number
// without a deviation, which counts as exact.
func (c Cell) halfWidth() float64 {
	if !c.HasSD {
		return 0
	}
	n, sd := cmp.Or(c.N, publishedRuns), c.SD*cmp.Or(c.sdScale, 1)
	ofSeeds := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(0.975) * sd / math.Sqrt(float64(n))
	return math.Hypot(ofSeeds, c.halfWidthOfQuestions())
}

// halfWidthOfQuestions is half the width of the 95 % interval that the number of test
// questions alone gives (Agresti and Coull 1998), in points; all seeds answer the same ones.
func (c Cell) halfWidthOfQuestions() float64 {
	if c.questions == 0 {
		return 0
	}
	total := float64(c.questions) + 4
	p := (float64(c.questions)*c.Mean/100 + 2) / total
	return 100 * distuv.UnitNormal.Quantile(0.975) * math.Sqrt(p*(1-p)/total)
}
