package stats

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
		got := welch(a, b)
		want := two / 2
		if got.Drop < 0 {
			want = 1 - want
		}
		near(t, "p", got.P, want, 1e-9)
	}
}

// rankSum against the definition: the share of all ways to choose A from the values in which A
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
		near(t, "p", rankSum(all[:n], all[n:]), float64(atLeast)/float64(len(choices)), 1e-9)
	}
}

// Which test is taken depends on the sizes, and every one says so.
func TestChoiceOfTest(t *testing.T) {
	a, b := []float64{99, 98, 97, 99.5, 98.5}, []float64{95, 94, 96, 93, 92}
	for what, c := range map[string]struct {
		got  Test
		want Method
	}{
		"five seeds, few cells":   {Samples(a, b, 0.05/12), RankSum},
		"five seeds, many cells":  {Samples(a, b, 0.05/13), WelchT},
		"three seeds":             {Samples(a[:3], b[:3], 0.05/2), WelchT},
		"one against five":        {Samples(a, b[:1], 0.05), OneAgainst},
		"five against one":        {Samples(a[:1], b, 0.05), OneAgainst},
		"one each":                {Samples(a[:1], b[:1], 0.05), None},
		"none":                    {Samples(a, nil, 0.05), None},
		"all the same":            {Samples([]float64{100, 100}, []float64{100, 100, 100}, 0.05), Identical},
		"no spread":               {Samples([]float64{99, 99, 99}, []float64{98, 98, 98}, 0.05), None},
		"no spread but rounding":  {Samples([]float64{0.1 + 0.2, 0.3}, []float64{0.2, 0.2}, 0.05), None},
		"one against no spread":   {Samples([]float64{99, 99, 99}, []float64{98}, 0.05), None},
		"pairs that are the same": {Pairs(a, a), Identical},
		"pairs with equal drops":  {Pairs([]float64{1, 2, 3}, []float64{0, 1, 2}), None},
	} {
		if c.got.Method != c.want || math.IsNaN(c.got.P) || (c.got.Method == None) != (c.got.Why != "") {
			t.Errorf("%s: %+v, want %s", what, c.got, c.want)
		}
		if c.want != Identical && what != "none" && c.got.Drop <= 0 {
			t.Errorf("%s: drop %v", what, c.got.Drop)
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
		"rank sum": func() float64 { return rankSum(draw(rng, 5, 90, 1), draw(rng, 5, 90, 1)) },
		"one run":  func() float64 { return oneRun(draw(rng, 5, 90, 1), draw(rng, 1, 90, 1)).P },
		"pairs":    func() float64 { return Pairs(draw(rng, 5, 90, 1), draw(rng, 5, 90, 1)).P },
		"proportions": func() float64 {
			return Proportions([]Count{{binomial(200, 0.97), 200}}, []Count{{binomial(200, 0.97), 200}}).P
		},
		"McNemar": func() float64 {
			n := binomial(200, 0.1)
			lost := binomial(n, 0.5)
			return Answers([]Discordant{{lost, n - lost, 200}}).P
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
	test := Test{Method: WelchT, SE: math.Sqrt(2.0 / 10), DF: 18} // of a known spread
	d, _ := test.Detectable(0.01, 0.8)
	hits := 0
	for range 2000 {
		if welch(draw(rng, 10, d, 1), draw(rng, 10, 0, 1)).P <= 0.01 {
			hits++
		}
	}
	near(t, "power", float64(hits)/2000, 0.8, 0.04)
	test.Method = RankSum
	u, _ := test.Detectable(0.01, 0.8)
	near(t, "U test", u/d, math.Sqrt(math.Pi/3), 1e-9)
	if _, ok := (&Test{Method: None}).Detectable(0.01, 0.8); ok {
		t.Error("a size without a spread")
	}
}

// Values by hand: 540 of 600 against 510 of 600.
func TestProportionsByHand(t *testing.T) {
	got := Proportions([]Count{{540, 600}}, []Count{{510, 600}})
	pa, pb := 541.0/602, 511.0/602
	se := math.Sqrt(pa*(1-pa)/602 + pb*(1-pb)/602)
	near(t, "drop", got.Drop, 5, 1e-9)
	near(t, "standard error", got.SE, 100*se, 1e-9)
	near(t, "p", got.P, 0.5*math.Erfc((pa-pb)/se/math.Sqrt2), 1e-12)
	low, high, _ := got.Interval(0.95)
	near(t, "low", low, 5-1.959964*100*se, 1e-4)
	near(t, "high", high, 5+1.959964*100*se, 1e-4)
}

// 9 of 10 coins or more: 11/1024.
func TestMcNemarByHand(t *testing.T) {
	got := Answers([]Discordant{{9, 1, 100}})
	near(t, "drop", got.Drop, 8, 1e-12)
	near(t, "p", got.P, 11.0/1024, 1e-12)
	near(t, "two-sided", Discordant{9, 1, 100}.TwoSided(), 22.0/1024, 1e-12)
	near(t, "the other way", Answers([]Discordant{{1, 9, 100}}).P, 1-1.0/1024, 1e-12)
	near(t, "no difference", Answers([]Discordant{{0, 0, 100}}).P, 1, 0)
	near(t, "two-sided of as many", Discordant{3, 3, 100}.TwoSided(), 1, 0)
}

// The example of Benjamini and Hochberg (1995), section 3.1: at 0.05 the four
// smallest are rejected.
func TestBenjaminiHochberg(t *testing.T) {
	p := []float64{0.0459, 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1}
	adjusted := Adjust(p)
	rejected := slices.DeleteFunc(slices.Clone(adjusted), func(q float64) bool { return q > 0.05 })
	if len(rejected) != 4 {
		t.Errorf("%v rejected, want 4", rejected)
	}
	near(t, "the smallest", adjusted[1], 0.0015, 1e-12)
}
