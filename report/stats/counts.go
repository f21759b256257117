package stats

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
	k := float64(len(a))
	t := Test{Method: TwoProportions, DF: math.Inf(1)}
	shifted, variance := 0.0, 0.0
	for i := range a {
		for side, c := range []Count{a[i], b[i]} {
			sign := float64(1 - 2*side)
			n := float64(c.Total + 2)
			p := float64(c.Right+1) / n
			t.Drop += sign * 100 * float64(c.Right) / float64(c.Total) / k
			shifted += sign * 100 * p / k
			variance += 1e4 * p * (1 - p) / n / (k * k)
		}
	}
	t.SE = math.Sqrt(variance)
	t.P = t.distribution().Survival(shifted / t.SE)
	return t
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
	k := float64(len(kinds))
	t := Test{Method: McNemar, DF: math.Inf(1)}
	sum, variance := Discordant{}, 0.0
	for _, d := range kinds {
		sum.Lost, sum.Won = sum.Lost+d.Lost, sum.Won+d.Won
		t.Drop += 100 * float64(d.Lost-d.Won) / float64(d.Questions) / k
		n, l, w := float64(d.Questions)+2, float64(d.Lost)+0.5, float64(d.Won)+0.5
		variance += 1e4 * (l + w - (l-w)*(l-w)/n) / (n * n) / (k * k)
	}
	t.SE = math.Sqrt(variance)
	t.P = sum.p()
	return t
}

// p returns the probability of Lost or more heads in Lost + Won fair coin flips.
func (d Discordant) p() float64 {
	if d.Lost+d.Won == 0 {
		return 1
	}
	return min(1, distuv.Binomial{N: float64(d.Lost + d.Won), P: 0.5}.CDF(float64(d.Won)))
}

// TwoSided returns McNemar's exact two-sided p.
func (d Discordant) TwoSided() float64 {
	return min(1, 2*min(d.p(), Discordant{Lost: d.Won, Won: d.Lost}.p()))
}
