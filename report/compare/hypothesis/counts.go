package hypothesis

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Count has right answers and questions.
type Count struct{ Right, Total int }

// Proportions compares the mean proportions, in per cent, of two runs; each has one count
// per kind of question. The variance is that of Agresti and Caffo (2000): one right and one
// wrong answer are added to each proportion, which keeps the level near 100 %.
func Proportions(a, b []Count) Test {
	if len(a) == 0 || len(a) != len(b) {
		return none(0, "no counts")
	}
	k := float64(len(a))
	t := Test{Method: TwoProportions, DF: math.Inf(1)}
	shifted, variance := 0.0, 0.0
	for i := range a {
		t.Drop += 100 * (proportion(a[i]) - proportion(b[i])) / k
		for side, c := range []Count{a[i], b[i]} {
			n := float64(c.Total + 2)
			p := float64(c.Right+1) / n
			shifted += float64(1-2*side) * 100 * p / k
			variance += 1e4 * p * (1 - p) / n / (k * k)
		}
	}
	t.SE = math.Sqrt(variance)
	t.P = t.tail(shifted / t.SE)
	return t
}

func proportion(c Count) float64 {
	if c.Total == 0 {
		return 0
	}
	return float64(c.Right) / float64(c.Total)
}

// Discordant counts the questions on which two runs differ.
type Discordant struct {
	Lost      int // right only in A
	Won       int // right only in B
	Questions int
}

// Answers compares the mean proportions, in per cent, of two runs on the same questions, of
// one or more kinds, by McNemar's exact test: under the null hypothesis a discordant
// question is lost or won with equal probability (McNemar 1947). The standard error is that
// of Agresti and Min (2005), which adds half a question to each of the four outcomes.
func Answers(kinds []Discordant) Test {
	if len(kinds) == 0 {
		return none(0, "no questions")
	}
	k := float64(len(kinds))
	t := Test{Method: McNemar, DF: math.Inf(1)}
	lost, won, variance := 0, 0, 0.0
	for _, d := range kinds {
		if d.Questions == 0 {
			return none(0, "a kind without questions")
		}
		lost, won = lost+d.Lost, won+d.Won
		t.Drop += 100 * float64(d.Lost-d.Won) / float64(d.Questions) / k
		n, l, w := float64(d.Questions)+2, float64(d.Lost)+0.5, float64(d.Won)+0.5
		variance += 1e4 * (l + w - (l-w)*(l-w)/n) / (n * n) / (k * k)
	}
	t.SE = math.Sqrt(variance)
	t.P = signTest(lost, won)
	return t
}

// signTest returns the probability of lost or more heads in lost + won fair coin flips.
func signTest(lost, won int) float64 {
	if lost+won == 0 {
		return 1
	}
	return min(1, distuv.Binomial{N: float64(lost + won), P: 0.5}.CDF(float64(won)))
}

// TwoSided returns McNemar's exact two-sided p.
func (d Discordant) TwoSided() float64 {
	return min(1, 2*min(signTest(d.Lost, d.Won), signTest(d.Won, d.Lost)))
}
