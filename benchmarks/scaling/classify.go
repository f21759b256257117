package scaling

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// TimeLaw is the law that times were found to follow.
type TimeLaw string

// The laws.
const (
	lawLinear       TimeLaw = "linear"
	lawLinearithmic TimeLaw = "n log n"
	lawQuadratic    TimeLaw = "quadratic"
	lawCubic        TimeLaw = "cubic"
	lawUndecided    TimeLaw = "undecided"
)

// regions are the exponents at the largest sizes that a law may show. The first
// is that of n and of n log n, whose exponent at 4096 is 1.12; below 1 is room
// for what does not grow.
var regions = []struct {
	low, high float64
	law       TimeLaw
}{
	{0.7, 1.35, lawLinear},
	{1.65, 2.35, lawQuadratic},
	{2.6, 3.4, lawCubic},
}

const (
	// leastSizes is how many sizes it needs to tell n from n log n, either with an
	// overhead.
	leastSizes = 5

	// leastError is the relative error that a median is taken to have at least:
	// caches that are too small from some size on are no law.
	leastError = 0.03

	// evidence is by how much one law's chi-squared must be below the other's: a
	// likelihood ratio of 100.
	evidence = 9.2

	// worstFit is the root mean squared relative residual above which neither fits:
	// half of that by which the better fit of one misses times of the other.
	worstFit = 0.05
)

// classify decides which law times follow; they are [sizes][rounds]. The interval
// of the log-log slope at the largest sizes must lie within a law's region.
// Whether it is n or n log n then show all sizes together, by the residuals of
// c + k n and c + k n log n, c and k at least 0: an overhead bends the other way
// than the logarithm. No single size may decide that, since a cache that becomes
// too small lifts the largest. why says what decided, or what was missing.
func classify(sizes []int, times [][]float64) (v TimeLaw, why string) {
	slope, ok := newSlope(sizes, times)
	if !ok || len(sizes) < slopeSizes {
		return lawUndecided, fmt.Sprintf("%d sizes are too few for a slope with an interval", len(sizes))
	}
	interval := fmt.Sprintf("slope %.2f to %.2f", slope.Low, slope.High)
	for _, r := range regions {
		if slope.Low < r.low || slope.High > r.high {
			continue
		}
		if r.law == lawLinear {
			v, why := logarithm(sizes, times)
			if v == lawLinearithmic && slope.High < 1 {
				return lawUndecided, fmt.Sprintf("%s; but %s, and that of n log n is above 1", why, interval)
			}
			return v, why
		}
		return r.law, interval
	}
	return lawUndecided, interval + " fits no law"
}

// logarithm tells n from n log n.
func logarithm(sizes []int, times [][]float64) (v TimeLaw, why string) {
	if len(sizes) < leastSizes {
		return lawUndecided, fmt.Sprintf("n or n log n: %d sizes, and telling them apart needs %d", len(sizes), leastSizes)
	}
	n, nlogn := make([]float64, len(sizes)), make([]float64, len(sizes))
	for i, size := range sizes {
		n[i] = float64(size)
		nlogn[i] = n[i] * math.Log(n[i])
	}
	t, sigma := medians(times)
	linear, linearithmic := residuals(n, t, sigma), residuals(nlogn, t, sigma)
	why = fmt.Sprintf("off by %.1f %% from c + k n, %.1f %% from c + k n log n", 100*linear.rms, 100*linearithmic.rms)
	v, best := lawLinear, linear
	if linearithmic.chi < linear.chi {
		v, best = lawLinearithmic, linearithmic
	}
	// Where even the better law misses by more than the errors, these are larger
	// than they were taken to be.
	scale := max(1, best.chi/float64(len(sizes)-2))
	if best.rms > worstFit || math.Abs(linear.chi-linearithmic.chi) < evidence*scale {
		return lawUndecided, why
	}
	for i := range sizes {
		without := func(x []float64) []float64 { return slices.Delete(slices.Clone(x), i, i+1) }
		a, b := residuals(without(n), without(t), without(sigma)), residuals(without(nlogn), without(t), without(sigma))
		if (a.chi < b.chi) != (v == lawLinear) {
			return lawUndecided, fmt.Sprintf("%s; without I = %d the other is nearer", why, sizes[i])
		}
	}
	return v, why
}

// medians returns the medians over the rounds and their relative errors.
func medians(times [][]float64) (t, sigma []float64) {
	for _, rounds := range times {
		m, e := median(rounds), leastError
		if len(rounds) > 2 {
			standard := math.Sqrt(math.Pi/2) * stat.StdDev(rounds, nil) / math.Sqrt(float64(len(rounds)))
			e = math.Hypot(leastError, standard/m)
		}
		t, sigma = append(t, m), append(sigma, e)
	}
	return t, sigma
}

// misfit is how far times are from a law.
type misfit struct {
	chi float64 // chi-squared
	rms float64 // root of the mean squared relative residual
}

// residuals fits t = c + k g by least squares of the relative residuals over
// sigma, with c and k at least 0.
func residuals(g, t, sigma []float64) misfit {
	var a11, a12, a22, b1, b2 float64
	for i := range t {
		w := 1 / (t[i] * t[i] * sigma[i] * sigma[i])
		a11 += w
		a12 += w * g[i]
		a22 += w * g[i] * g[i]
		b1 += w * t[i]
		b2 += w * t[i] * g[i]
	}
	c, k := 0.0, b2/a22
	if det := a11*a22 - a12*a12; det > 0 && a22*b1 > a12*b2 {
		c, k = (a22*b1-a12*b2)/det, (a11*b2-a12*b1)/det
	}
	if k < 0 {
		c, k = b1/a11, 0
	}
	var f misfit
	for i := range t {
		r := (t[i] - c - k*g[i]) / t[i]
		f.chi += r * r / (sigma[i] * sigma[i])
		f.rms += r * r / float64(len(t))
	}
	f.rms = math.Sqrt(f.rms)
	return f
}

// Slope is the exponent p of times that grow as I^p, with an interval.
type Slope struct {
	Value  float64 `json:"value"`
	Low    float64 `json:"low"`  // 95 % interval
	High   float64 `json:"high"` // likewise
	From   int     `json:"from"` // sizes that it was fitted to
	To     int     `json:"to"`   // likewise
	Rounds int     `json:"rounds"`
}

// slopeSizes is how many of the largest sizes a slope is fitted to: two
// doublings. What does not grow with I flattens the smaller ones.
const slopeSizes = 3

// confidence of the intervals.
const confidence = 0.95

// newSlope fits log time over log I at the largest sizes, by least squares for
// each round, whose runs were made one after another; times are [sizes][rounds].
// The value is the mean over the rounds and the interval Student's. It is false
// with fewer than two sizes or two rounds.
func newSlope(sizes []int, times [][]float64) (Slope, bool) {
	if len(sizes) < 2 {
		return Slope{}, false
	}
	first := max(0, len(sizes)-slopeSizes)
	sizes, times = sizes[first:], times[first:]
	rounds := len(times[0])
	if rounds < 2 {
		return Slope{}, false
	}
	x := make([]float64, len(sizes))
	for i, s := range sizes {
		x[i] = math.Log(float64(s))
	}
	slopes, y := make([]float64, rounds), make([]float64, len(sizes))
	for r := range rounds {
		for i := range sizes {
			y[i] = math.Log(times[i][r])
		}
		_, slopes[r] = stat.LinearRegression(x, y, nil, false)
	}
	mean, sd := stat.MeanStdDev(slopes, nil)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(rounds - 1)}.Quantile((1 + confidence) / 2)
	half := t * sd / math.Sqrt(float64(rounds))
	return Slope{Value: mean, Low: mean - half, High: mean + half, From: sizes[0], To: sizes[len(sizes)-1], Rounds: rounds}, true
}

// exponent returns the local exponent of a number between two sizes.
func exponent(size, larger int, f, g float64) float64 {
	return math.Log(g/f) / math.Log(float64(larger)/float64(size))
}

// median returns the middle of x, or the mean of the two in the middle.
func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}
