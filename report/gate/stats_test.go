package gate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func draw(rng *rand.Rand, n int, mean, sd float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = mean + sd*rng.NormFloat64()
	}
	return x
}

// One half of the two-sided p of benchmath, on the side of the drop.
func TestWelchAgreesWithBenchmath(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		a, b := draw(rng, 2+rng.IntN(6), 90, 1), draw(rng, 2+rng.IntN(6), 89.5, 2)
		two := benchmath.AssumeNormal.Compare(benchmath.NewSample(slices.Clone(a), &benchmath.DefaultThresholds), benchmath.NewSample(slices.Clone(b), &benchmath.DefaultThresholds)).P
		got := testSamples(a, b, 0)
		want := two / 2
		if got.drop < 0 {
			want = 1 - want
		}
		near(t, "p", got.p, want, 1e-9)
	}
}

// rankSumP against the definition: the share of all ways to choose A from the values in which A
// wins at least as many pairs, ties counting half.
func TestRankSumAgainstAllOrders(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		n, m := 2+rng.IntN(4), 2+rng.IntN(4)
		all := make([]float64, n+m)
		for i := range all {
			all[i] = float64(rng.IntN(12)) // with ties
		}
		won := func(a []int) (u float64) {
			for _, i := range a {
				for j, y := range all {
					if !slices.Contains(a, j) {
						u += float64(cmp.Compare(all[i], y)+1) / 2
					}
				}
			}
			return u
		}
		choices := combin.Combinations(n+m, n)
		actual, atLeast := won(choices[0]), 0
		for _, a := range choices {
			if won(a) >= actual {
				atLeast++
			}
		}
		near(t, "p", rankSumP(all[:n], all[n:]), float64(atLeast)/float64(len(choices)), 1e-9)
	}
}

// Which test is taken depends on the sizes, and every one says so.
func TestChoiceOfTest(t *testing.T) {
	a, b := []float64{99, 98, 97, 99.5, 98.5}, []float64{95, 94, 96, 93, 92}
	for what, c := range map[string]struct {
		got  testResult
		want method
	}{
		"five seeds, few cells":   {testSamples(a, b, 0.05/12), rankSum},
		"five seeds, many cells":  {testSamples(a, b, 0.05/13), welchT},
		"three seeds":             {testSamples(a[:3], b[:3], 0.05/2), welchT},
		"one against five":        {testSamples(a, b[:1], 0.05), oneAgainst},
		"five against one":        {testSamples(a[:1], b, 0.05), oneAgainst},
		"one each":                {testSamples(a[:1], b[:1], 0.05), none},
		"none":                    {testSamples(a, nil, 0.05), none},
		"all the same":            {testSamples([]float64{100, 100}, []float64{100, 100, 100}, 0.05), identical},
		"no spread":               {testSamples([]float64{99, 99, 99}, []float64{98, 98, 98}, 0.05), none},
		"no spread but rounding":  {testSamples([]float64{0.1 + 0.2, 0.3}, []float64{0.2, 0.2}, 0.05), none},
		"one against no spread":   {testSamples([]float64{99, 99, 99}, []float64{98}, 0.05), none},
		"pairs that are the same": {testPairs(a, a), identical},
		"pairs with equal drops":  {testPairs([]float64{1, 2, 3}, []float64{0, 1, 2}), none},
	} {
		if c.got.method != c.want || math.IsNaN(c.got.p) || (c.got.method == none) != (c.got.why != "") {
			t.Errorf("%s: %+v, want %s", what, c.got, c.want)
		}
		if c.want != identical && what != "none" && c.got.drop <= 0 {
			t.Errorf("%s: drop %v", what, c.got.drop)
		}
	}
}

// Without a difference p is at most q in about a share q of all cases.
func TestLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const rounds, q = 4000, 0.05
	binomial := func(n int, p float64) int {
		return int(distuv.Binomial{N: float64(n), P: p, Src: rng}.Rand())
	}
	for what, p := range map[string]func() float64{
		"rank sum": func() float64 { return rankSumP(draw(rng, 5, 90, 1), draw(rng, 5, 90, 1)) },
		"one run":  func() float64 { return testSamples(draw(rng, 5, 90, 1), draw(rng, 1, 90, 1), 0).p },
		"pairs":    func() float64 { return testPairs(draw(rng, 5, 90, 1), draw(rng, 5, 90, 1)).p },
		"proportions": func() float64 {
			return testCounts([]count{{binomial(200, 0.97), 200}}, []count{{binomial(200, 0.97), 200}}).p
		},
		"McNemar": func() float64 {
			n := binomial(200, 0.1)
			lost := binomial(n, 0.5)
			return testAnswers([]discordant{{lost, n - lost, 200}}).p
		},
	} {
		hits := 0.0
		for range rounds {
			if p() <= q {
				hits++
			}
		}
		// Three standard errors above; exact tests stay below.
		if rate := hits / rounds; rate > q+3*math.Sqrt(q*(1-q)/rounds) || rate < 0.01 {
			t.Errorf("%s: p <= %v in a share of %v", what, q, rate)
		}
	}
}

// A drop of the detectable size is found as often as was asked. The U test needs pi/3 times the
// runs of a t test on normal samples.
func TestDetectable(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	test := testResult{method: welchT, se: math.Sqrt(2.0 / 10), df: 18} // of a known spread
	d, _ := test.detectable(0.01, 0.8)
	hits := 0
	for range 2000 {
		if testSamples(draw(rng, 10, d, 1), draw(rng, 10, 0, 1), 0).p <= 0.01 {
			hits++
		}
	}
	near(t, "power", float64(hits)/2000, 0.8, 0.04)
	test.method = rankSum
	u, _ := test.detectable(0.01, 0.8)
	near(t, "U test", u/d, math.Sqrt(math.Pi/3), 1e-9)
	if _, ok := (&testResult{method: none}).detectable(0.01, 0.8); ok {
		t.Error("a size without a spread")
	}
}

// Values by hand: 540 of 600 against 510 of 600.
func TestProportionsByHand(t *testing.T) {
	got := testCounts([]count{{540, 600}}, []count{{510, 600}})
	pa, pb := 541.0/602, 511.0/602
	se := math.Sqrt(pa*(1-pa)/602 + pb*(1-pb)/602)
	near(t, "drop", got.drop, 5, 1e-9)
	near(t, "standard error", got.se, 100*se, 1e-9)
	near(t, "p", got.p, 0.5*math.Erfc((pa-pb)/se/math.Sqrt2), 1e-12)
	low, high, _ := got.interval(0.95)
	near(t, "low", low, 5-1.959964*100*se, 1e-4)
	near(t, "high", high, 5+1.959964*100*se, 1e-4)
}

// 9 of 10 coins or more: 11/1024.
func TestMcNemarByHand(t *testing.T) {
	got := testAnswers([]discordant{{9, 1, 100}})
	near(t, "drop", got.drop, 8, 1e-12)
	near(t, "p", got.p, 11.0/1024, 1e-12)
	near(t, "two-sided", discordant{9, 1, 100}.twoSided(), 22.0/1024, 1e-12)
	near(t, "the other way", testAnswers([]discordant{{1, 9, 100}}).p, 1-1.0/1024, 1e-12)
	near(t, "no difference", testAnswers([]discordant{{0, 0, 100}}).p, 1, 0)
	near(t, "two-sided of as many", discordant{3, 3, 100}.twoSided(), 1, 0)
}

// The example of Benjamini and Hochberg (1995), section 3.1: at 0.05 the four
// smallest are rejected.
func TestBenjaminiHochberg(t *testing.T) {
	p := []float64{0.0459, 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1}
	adjusted := adjust(p)
	rejected := slices.DeleteFunc(slices.Clone(adjusted), func(q float64) bool { return q > 0.05 })
	if len(rejected) != 4 {
		t.Errorf("%v rejected, want 4", rejected)
	}
	near(t, "the smallest", adjusted[1], 0.0015, 1e-12)
}
