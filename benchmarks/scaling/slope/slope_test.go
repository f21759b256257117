package slope

import (
	"math"
	"math/rand/v2"
	"testing"
)

// synthetic returns times c + g(n) with relative noise, [sizes][rounds].
func synthetic(rng *rand.Rand, sizes []int, rounds int, c, noise float64, g func(n float64) float64) [][]float64 {
	times := make([][]float64, len(sizes))
	for i, n := range sizes {
		for range rounds {
			times[i] = append(times[i], (c+g(float64(n)))*math.Exp(noise*rng.NormFloat64()))
		}
	}
	return times
}

var ladder = []int{64, 128, 256, 512, 1024, 2048, 4096, 8192}

// TestSlopeIntervals checks that the interval covers the exponent about as often
// as it says, and how wide it is.
func TestSlopeIntervals(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, p := range []float64{1, 1.5, 2} {
		covered, width := 0, 0.0
		const samples = 400
		for range samples {
			s, ok := Fit(ladder, synthetic(rng, ladder, 5, 0, 0.03,
				func(n float64) float64 { return math.Pow(n, p) }))
			if !ok {
				t.Fatal("no slope")
			}
			if s.Low <= p && p <= s.High {
				covered++
			}
			width += (s.High - s.Low) / samples
		}
		// 95 % of 400 are 380, with a standard deviation of 4.4.
		if covered < 365 || covered > 395 {
			t.Errorf("exponent %g: covered by %d of %d intervals, want about 380", p, covered, samples)
		}
		if width > 0.1 {
			t.Errorf("exponent %g: intervals are %g wide", p, width)
		}
	}
	if _, ok := Fit(ladder[:1], [][]float64{{1, 2}}); ok {
		t.Error("a slope of one size")
	}
	if _, ok := Fit(ladder[:2], [][]float64{{1}, {2}}); ok {
		t.Error("an interval of one round")
	}
}

func TestMedian(t *testing.T) {
	for want, list := range map[float64][]float64{2: {3, 1, 2}, 2.5: {4, 1, 3, 2}, 7: {7}} {
		if got := Median(list); got != want {
			t.Errorf("median of %v: %v", list, got)
		}
	}
}
