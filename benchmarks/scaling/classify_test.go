package scaling

import (
	"fmt"
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

// laws are those that are drawn from.
var laws = []struct {
	name TimeLaw
	law  func(n float64) float64
}{
	{lawLinear, func(n float64) float64 { return n }},
	{lawLinearithmic, func(n float64) float64 { return n * math.Log(n) }},
	{lawQuadratic, func(n float64) float64 { return n * n }},
	{lawCubic, func(n float64) float64 { return n * n * n }},
}

var ladder = []int{64, 128, 256, 512, 1024, 2048, 4096, 8192}

// TestLawsOfSyntheticTimes draws many samples of each law, with and without
// an overhead as large as the law's part at 512: the law must be found,
// never another one, and undecided rarely.
func TestLawsOfSyntheticTimes(t *testing.T) {
	for _, l := range laws {
		for _, share := range []float64{0, 1} {
			for _, noise := range []float64{0.01, 0.03, 0.05} {
				t.Run(fmt.Sprintf("%s, overhead %g, noise %g", l.name, share, noise), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(3, 4))
					const samples = 200
					got := map[TimeLaw]int{}
					for range samples {
						times := synthetic(rng, ladder, 5, share*l.law(512), noise, l.law)
						v, _ := classify(ladder, times)
						got[v]++
					}
					right, undecided := got[l.name], got[lawUndecided]
					if right+undecided < samples {
						t.Errorf("laws %v: another law was found", got)
					}
					if right < samples*3/4 {
						t.Errorf("laws %v: the law was found in fewer than 3 of 4 samples", got)
					}
				})
			}
		}
	}
}

func TestNoVerdictWithoutEvidence(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	linear := func(n float64) float64 { return n }
	for name, c := range map[string]struct {
		sizes []int
		times [][]float64
	}{
		"few sizes":    {ladder[:4], synthetic(rng, ladder[:4], 5, 0, 0.01, linear)},
		"two sizes":    {ladder[:2], synthetic(rng, ladder[:2], 5, 0, 0.01, linear)},
		"one round":    {ladder, synthetic(rng, ladder, 1, 0, 0.01, linear)},
		"much noise":   {ladder[:5], synthetic(rng, ladder[:5], 3, 0, 0.6, linear)},
		"between laws": {ladder, synthetic(rng, ladder, 5, 0, 0.02, func(n float64) float64 { return math.Pow(n, 1.5) })},
		"one step of a cache": {ladder, synthetic(rng, ladder, 5, 100, 0.01, func(n float64) float64 {
			if n == 8192 {
				return 1.4 * n
			}
			return n
		})},
		// Microseconds of MEMO without W_h, where fixed costs and a cache made n log n
		// the nearer law for a slope of 0.89 to 0.96.
		"n log n of a slope below 1": {[]int{64, 128, 256, 512, 1024, 2048, 4096, 8192}, [][]float64{
			{387, 457, 427, 393, 380},
			{421, 429, 477, 467, 388},
			{409, 423, 517, 418, 441},
			{483, 539, 582, 597, 488},
			{658, 670, 733, 694, 677},
			{1139, 1091, 1322, 1160, 1019},
			{1716, 1749, 1849, 1934, 1895},
			{4006, 4082, 4556, 4113, 3887},
		}},
		"overhead only": {ladder, synthetic(rng, ladder, 5, 1e9, 0.02, linear)},
	} {
		if v, why := classify(c.sizes, c.times); v != lawUndecided {
			t.Errorf("%s: %s (%s), want undecided", name, v, why)
		}
	}
}

// TestSlopeIntervals checks that the interval covers the exponent about as often
// as it says, and how wide it is.
func TestSlopeIntervals(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, p := range []float64{1, 1.5, 2} {
		covered, width := 0, 0.0
		const samples = 400
		for range samples {
			s, ok := newSlope(ladder, synthetic(rng, ladder, 5, 0, 0.03, func(n float64) float64 { return math.Pow(n, p) }))
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
	if _, ok := newSlope(ladder[:1], [][]float64{{1, 2}}); ok {
		t.Error("a slope of one size")
	}
	if _, ok := newSlope(ladder[:2], [][]float64{{1}, {2}}); ok {
		t.Error("an interval of one round")
	}
}
