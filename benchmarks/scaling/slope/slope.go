// Package slope has the statistics that tables and figures of scaling share: the exponent
// with which a cost grows, and the median.
//
// What comes in: a cost at several sizes, measured in rounds. What goes out: the slope
// of the straight line through its logarithms at the largest sizes, with an interval.
// What always holds: a table and a figure of the same measurements have the same slope.
package slope

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Slope is the exponent p of times that grow as I^p, with an interval.
type Slope struct {
	Value  float64 `json:"value"`
	Low    float64 `json:"low"`  // 95 % interval
	High   float64 `json:"high"` // likewise
	From   int     `json:"from"` // sizes that it was fitted to
	To     int     `json:"to"`   // likewise
	Rounds int     `json:"rounds"`
}

// Sizes is the number of largest sizes to which a slope is fitted: two doublings. At
// smaller sizes constant costs flatten the slope.
const Sizes = 3

// confidence of the intervals.
const confidence = 0.95

// Fit fits log time over log I at the largest sizes by least squares, for each round;
// times, above 0, are [sizes][rounds]. The value is the mean over the rounds, the interval
// Student's. It is false with fewer than two sizes or two rounds.
func Fit(sizes []int, times [][]float64) (Slope, bool) {
	if len(sizes) < 2 || len(times[0]) < 2 {
		return Slope{}, false
	}
	first, rounds := max(0, len(sizes)-Sizes), len(times[0])
	sizes, times = sizes[first:], times[first:]
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
	return Slope{Value: mean, Low: mean - half, High: mean + half, From: sizes[0], To: sizes[len(sizes)-1],
		Rounds: rounds}, true
}

// Median returns the middle of x, or the mean of the two in the middle. Gonum's interpolated
// quantile at one half differs: it is 1.5 for 1, 2, 3.
func Median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}
