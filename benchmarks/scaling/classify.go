package scaling

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Verdict is the law that times were found to follow.
type Verdict string

// The verdicts.
const (
	Linear       Verdict = "linear"
	Linearithmic Verdict = "n log n"
	Quadratic    Verdict = "quadratic"
	Cubic        Verdict = "cubic"
	Undecided    Verdict = "undecided"
)

// laws are the candidates, in order of growth.
var laws = []struct {
	verdict Verdict
	law     func(n float64) float64
}{
	{Linear, func(n float64) float64 { return n }},
	{Linearithmic, func(n float64) float64 { return n * math.Log(n) }},
	{Quadratic, func(n float64) float64 { return n * n }},
	{Cubic, func(n float64) float64 { return n * n * n }},
}

const (
	// leastSizes is how many sizes a verdict needs: one more than n log n with an
	// overhead and a margin have freedom.
	leastSizes = 5

	// leastError is the relative error that a median is taken to have at least:
	// a cache that is too small from some size on is no law.
	leastError = 0.03

	// evidence is by how much the best law's chi-squared must be below the next
	// one's: a likelihood ratio of 100.
	evidence = 9.2

	// worstFit is the mean relative residual above which no law fits.
	worstFit = 0.15
)

// Classify decides which law c + k g(n) times follow, c and k at least 0 and g(n)
// one of n, n log n, n^2 and n^3; times are [sizes][rounds]. The overhead c is
// what slopes suffer from. Residuals are relative. Why is the reason where it is
// Undecided, else how the law compares with the next.
func Classify(sizes []int, times [][]float64) (v Verdict, why string) {
	if len(sizes) < leastSizes {
		return Undecided, fmt.Sprintf("%d sizes; a verdict needs %d", len(sizes), leastSizes)
	}
	t, sigma := make([]float64, len(sizes)), make([]float64, len(sizes))
	for i, rounds := range times {
		t[i], sigma[i] = median(rounds), leastError
		if len(rounds) > 2 {
			// The standard error of a median, relative.
			spread := stat.StdDev(rounds, nil) / t[i]
			sigma[i] = math.Hypot(leastError, math.Sqrt(math.Pi/2)*spread/math.Sqrt(float64(len(rounds))))
		}
	}
	type fit struct {
		verdict  Verdict
		chi, rms float64
	}
	var fits []fit
	for _, l := range laws {
		g := make([]float64, len(sizes))
		for i, n := range sizes {
			g[i] = l.law(float64(n))
		}
		c, k := overhead(g, t, sigma)
		f := fit{verdict: l.verdict}
		for i := range t {
			residual := (t[i] - c - k*g[i]) / t[i]
			f.chi += residual * residual / (sigma[i] * sigma[i])
			f.rms += residual * residual / float64(len(t))
		}
		f.rms = math.Sqrt(f.rms)
		fits = append(fits, f)
	}
	slices.SortStableFunc(fits, func(a, b fit) int {
		switch {
		case a.chi < b.chi:
			return -1
		case a.chi > b.chi:
			return 1
		}
		return 0
	})
	best, next := fits[0], fits[1]
	switch {
	case !(best.rms <= worstFit):
		return Undecided, fmt.Sprintf("the nearest law, %s, is off by %.0f %%", best.verdict, 100*best.rms)
	case next.chi-best.chi < evidence:
		return Undecided, fmt.Sprintf("%s (off by %.1f %%) or %s (%.1f %%)", best.verdict, 100*best.rms, next.verdict, 100*next.rms)
	}
	return best.verdict, fmt.Sprintf("off by %.1f %%; %s by %.1f %%", 100*best.rms, next.verdict, 100*next.rms)
}

// overhead fits t = c + k g by least squares of the relative residuals over
// sigma, with c and k at least 0.
func overhead(g, t, sigma []float64) (c, k float64) {
	var a11, a12, a22, b1, b2 float64
	for i := range t {
		w := 1 / (t[i] * t[i] * sigma[i] * sigma[i])
		a11 += w
		a12 += w * g[i]
		a22 += w * g[i] * g[i]
		b1 += w * t[i]
		b2 += w * t[i] * g[i]
	}
	if det := a11*a22 - a12*a12; det > 0 {
		c, k = (a22*b1-a12*b2)/det, (a11*b2-a12*b1)/det
	}
	switch {
	case c < 0 || k == 0:
		return 0, b2 / a22
	case k < 0:
		return b1 / a11, 0
	}
	return c, k
}

// median returns the middle of x, or the mean of the two in the middle.
func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}
