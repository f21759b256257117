package scaling

import (
	"math/rand/v2"
	"testing"

	_ "memobench/datasets/babi" // a preset names every task
	"memobench/datasets/must"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	_ "memobench/models/deltanet"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	_ "memobench/models/lstm"
	_ "memobench/models/memo"
	_ "memobench/models/transformer"
	_ "memobench/models/ut"
)

func TestGrowthFindsPolynomialsExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for degree := range maxDegree + 1 {
		for range 20 {
			var c [maxDegree + 1]int
			for k := range degree + 1 {
				c[k] = rng.IntN(1000) - 500
			}
			if c[degree] == 0 {
				c[degree] = 1
			}
			f := func(x int) int { return c[0] + x*(c[1]+x*(c[2]+x*c[3])) }
			var sizes, counts []int
			for x := 64; len(sizes) < degree+2; x *= 2 {
				sizes, counts = append(sizes, x), append(counts, f(x))
			}
			g, ok := newGrowth(sizes, counts)
			if !ok || g.degree() != degree {
				t.Fatalf("%v: degree %d (%t), want %d", c, g.degree(), ok, degree)
			}
			for k, x := range g.Coefficients {
				if x != float64(c[k]) {
					t.Errorf("%v: coefficient %d is %g", c, k, x)
				}
			}
			counts[1]++ // one operation more at one size
			if g, ok := newGrowth(sizes, counts); ok && g.degree() == degree {
				t.Errorf("%v: the degree does not change with the counts", c)
			}
		}
	}
}

func TestGrowthNeedsAConfirmation(t *testing.T) {
	if g, ok := newGrowth([]int{64, 128}, []int{1, 5}); ok {
		t.Errorf("two counts make %v", g)
	}
	if _, ok := newGrowth([]int{1, 2, 4, 8, 16, 32}, []int{1, 16, 256, 4096, 65536, 1 << 20}); ok {
		t.Error("a fourth power passes")
	}
}

func TestGrowthInWords(t *testing.T) {
	g, _ := newGrowth([]int{64, 128, 256, 512}, []int{6*64*64 + 100*64 - 7, 6*128*128 + 100*128 - 7, 6*256*256 +
		100*256 - 7, 6*512*512 + 100*512 - 7})
	if got, want := g.String(), "6 I^2 + 100 I - 7"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if at := g.Exceeds; at == nil || *at != 100.0/6 {
		t.Errorf("the quadratic term exceeds the linear one from %v on", at)
	}
	if got := secondDifference(6*64*64, 6*128*128, 6*256*256); got != 6*6*64*64 {
		t.Errorf("second difference %d", got)
	}
}

// TestBatchHasTheSameWordsAtEverySize keeps counts from growing with the number
// of distinct words.
func TestBatchHasTheSameWordsAtEverySize(t *testing.T) {
	for _, rows := range []int{MinRows, 96, 128, 1024} {
		b := newBatch(2, rows)
		must.Do(t, b.Validate(shape(rows)))
		for place := range rowWidth {
			seen := map[int32]bool{}
			for i := place; i < len(b.Rows); i += rowWidth {
				seen[b.Rows[i]] = true
			}
			if len(seen) != words {
				t.Errorf("%d rows: %d words in place %d, want %d", rows, len(seen), place, words)
			}
		}
	}
}

// costs returns the operations and the bytes that a system takes with 2 examples
// at each size.
func costs(t *testing.T, name string, mode Mode, sizes []int) (operations, bytes []int) {
	t.Helper()
	s := must.Get(Find(name))(t)
	for _, rows := range sizes {
		m, b, err := s.Build(rows, 2)
		if err != nil {
			t.Fatal(err)
		}
		c := must.Get(mode.Cost(m, b))(t)
		operations, bytes = append(operations, c.Operations()), append(bytes, c.Bytes())
	}
	return operations, bytes
}

// TestCountsGrowAsTheyShould is the gate: exactly linear, or what is quadratic
// and by how much.
func TestCountsGrowAsTheyShould(t *testing.T) {
	all := []int{64, 128, 256, 512, 1024, 2048, 4096, 8192}
	few := all[:5] // W_h has I^2 weights
	for _, c := range []struct {
		name     string
		sizes    []int
		degree   map[Mode]int     // of the operations
		bytes    int              // degree of the bytes
		quadrate map[Mode]float64 // coefficient of I^2, if known
	}{
		{"emn4", all, map[Mode]int{Infer: 1, Train: 1}, 1, nil},
		{"memo-nowh", all, map[Mode]int{Infer: 1, Train: 1}, 1, nil},
		// W_h: 2 I^2 for each hop and example; training thrice that, and 15
		// operations of the optimizer for each of its weights.
		{"memo", few, map[Mode]int{Infer: 2, Train: 2}, 1, map[Mode]float64{Infer: 2 * 3 * 2, Train: 3*2*3*2 + 15}},
		{"ut", all, map[Mode]int{Infer: 2, Train: 2}, 2, nil},
		{"transformer", all, map[Mode]int{Infer: 2, Train: 2}, 2, nil},
		{"deltanet", all, map[Mode]int{Infer: 1, Train: 1}, 1, nil},
		{"lstm", all, map[Mode]int{Infer: 1, Train: 1}, 1, nil},
		{"dnc", all, map[Mode]int{Infer: 3}, 2, nil},
		{"dnc-fixed", all[:6], map[Mode]int{Infer: 1, Train: 1}, 1, nil},
	} {
		for mode, degree := range c.degree {
			n, bytes := costs(t, c.name, mode, c.sizes)
			if g, ok := newGrowth(c.sizes, bytes); !ok || g.degree() != c.bytes {
				t.Errorf("%s, %s: bytes %v are %v, want degree %d", c.name, mode, bytes, g, c.bytes)
			}
			g, ok := newGrowth(c.sizes, n)
			if !ok || g.degree() != degree {
				t.Errorf("%s, %s: counts %v are %v, want degree %d", c.name, mode, n, g, degree)
				continue
			}
			for i := range len(n) - 2 {
				if d := secondDifference(n[i], n[i+1], n[i+2]); (d == 0) != (degree == 1) || d < 0 {
					t.Errorf("%s, %s: second difference %d at I = %d", c.name, mode, d, c.sizes[i+2])
				}
			}
			if want, known := c.quadrate[mode]; known && g.Coefficients[2] != want {
				t.Errorf("%s, %s: %g I^2, want %g", c.name, mode, g.Coefficients[2], want)
			}
			t.Logf("%s, %s: %v", c.name, mode, g)
		}
	}
}

// TestDNCTrainsInCubicTime has sizes at which every step's memory is kept. Beyond
// them the backward pass computes some again, and the counts are no polynomial.
func TestDNCTrainsInCubicTime(t *testing.T) {
	sizes := []int{64, 128, 192, 256, 320}
	n, _ := costs(t, "dnc", Train, sizes)
	g, ok := newGrowth(sizes, n)
	if !ok || g.degree() != 3 {
		t.Errorf("growth %v (%t), want degree 3", g, ok)
	}
	sizes = append(sizes, 1024)
	n, _ = costs(t, "dnc", Train, sizes)
	if g, ok := newGrowth(sizes, n); ok {
		t.Errorf("growth %v where memories are computed again", g)
	}
}
