package table

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// within is the maximum difference, in points, of accuracies that agree; widest is the
// maximum half-width, in points, of an interval that decides this. For errors, which may be
// far below a point, within is errorShare of the smaller one if that is less, and widest the
// smaller one.
const (
	within     = 2.0
	widest     = 10.0
	errorShare = 0.25
)

// publishedRuns is the number of runs in the paper's means with a deviation: its five best
// settings.
const publishedRuns = 5

// intervalRule is the rule of the verdicts, in one sentence.
var intervalRule = fmt.Sprintf("higher or lower: the 95 %% interval of the difference from the paper's number, of the seeds' standard deviation (Student's t), the binomial error "+
	"of the test questions of one seed and the deviation of the paper's %d runs where it prints one, lies wholly beyond %g points, for errors beyond a quarter of the smaller one; "+
	"agrees: it does not, and is at most ± %g points wide, for errors at most ± the smaller one; undecided: it is wider, or there is one seed.", publishedRuns, within, widest)

// HalfWidth returns half the width of the 95 % interval of a number; false where it is
// unknown: for one seed, and for numbers of the paper without a deviation, which count as
// exact.
func (c Cell) HalfWidth() (float64, bool) {
	if c.State != Number || !c.HasSD {
		return 0, false
	}
	n, sd := cmp.Or(c.N, publishedRuns), c.SD
	if c.Fraction {
		sd *= 100
	}
	h := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(0.975) * sd / math.Sqrt(float64(n))
	return math.Hypot(h, c.ofQuestions()), true // the same questions for all seeds
}

// ofQuestions returns half the width of the 95 % interval of the test questions alone
// (Agresti and Coull 1998); 0 without questions.
func (c Cell) ofQuestions() float64 {
	if c.Questions == 0 {
		return 0
	}
	total := float64(c.Questions) + 4
	p := (float64(c.Questions)*c.Mean/100 + 2) / total
	return 100 * distuv.UnitNormal.Quantile(0.975) * math.Sqrt(p*(1-p)/total)
}

// compare compares two numbers, measured or published. It returns the verdict, the
// difference and half the width of its interval.
func compare(a, b Cell) (v Verdict, difference, half float64) {
	difference = a.Mean - b.Mean
	for _, c := range []Cell{a, b} {
		h, known := c.HalfWidth()
		if !known && c.N > 0 {
			return oneSeed, difference, 0
		}
		half = math.Hypot(half, h)
	}
	margin, limit := within, widest
	if a.isError() {
		smaller := min(a.Mean, b.Mean)
		margin, limit = min(margin, errorShare*smaller), min(limit, smaller)
	}
	switch {
	case difference-half > margin:
		return higher, difference, half
	case difference+half < -margin:
		return lower, difference, half
	case half > limit:
		return undecided, difference, half
	}
	return agrees, difference, half
}

// isError reports whether the cell is a measured mean error.
func (c Cell) isError() bool { return c.Full == 0 && c.Questions > 0 }
