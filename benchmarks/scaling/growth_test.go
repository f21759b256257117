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

func TestLawsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for degree, law := range []string{"constant", "linear", "quadratic", "cubic", ""} {
		for range 20 {
			var c [5]int
			for k := range degree + 1 {
				c[k] = 1 + rng.IntN(1000)
			}
			var counts []int
			for x := 64; len(counts) < degree+2; x *= 2 {
				counts = append(counts, c[0]+x*(c[1]+x*(c[2]+x*(c[3]+x*c[4]))))
			}
			if got := lawOf(counts); got != law {
				t.Fatalf("%v: %q, want %q", c, got, law)
			}
			if got := lawOf(counts[1:]); got != "" {
				t.Errorf("%v: %q without a count that confirms it", c, got)
			}
			counts[1]++ // one operation more at one size
			if got := lawOf(counts); got != "" {
				t.Errorf("%v: %q with a count that differs", c, got)
			}
		}
	}
	if got := differences([]int{6*64*64 + 5, 6*128*128 + 5, 6*256*256 + 5}, 2)[0]; got != 6*6*64*64 {
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

// TestCountsGrowAsTheyShould is the gate: exactly linear, or what is quadratic
// and by how much.
func TestCountsGrowAsTheyShould(t *testing.T) {
	all := []Mode{infer, Train}
	for _, c := range []struct {
		name       string
		to         int
		modes      []Mode
		law, bytes string
		square     map[Mode]int // coefficient of I^2
	}{
		{"emn4", 1024, all, "linear", "linear", nil},
		{"memo-nowh", 1024, all, "linear", "linear", nil},
		// W_h: 2 I^2 for each hop and example; training thrice that, and 15
		// operations of the optimizer for each of its weights.
		{"memo", 1024, all, "quadratic", "linear", map[Mode]int{infer: 2 * 3 * 2, Train: 3*2*3*2 + 15}},
		{"ut", 512, all, "quadratic", "quadratic", nil},
		{"transformer", 512, all, "quadratic", "quadratic", nil},
		{"deltanet", 512, all, "linear", "linear", nil},
		{"lstm", 512, all, "linear", "linear", nil},
		{"dnc-fixed", 512, all, "linear", "linear", nil},
		// Larger memories of all steps would not be kept, but computed again.
		{"dnc", 1024, []Mode{infer}, "cubic", "quadratic", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := must.Get(Find(c.name))(t)
			for _, mode := range c.modes {
				var operations, bytes []int
				for _, rows := range doublings(MinRows, c.to) {
					m, b, err := s.Build(rows, 2)
					if err != nil {
						t.Fatal(err)
					}
					work := must.Get(mode.Count(m, b))(t)
					operations, bytes = append(operations, work.Operations()), append(bytes, work.Bytes)
				}
				if got := lawOf(bytes); got != c.bytes {
					t.Errorf("%s: bytes %v are %q, want %s", mode, bytes, got, c.bytes)
				}
				if got := lawOf(operations); got != c.law {
					t.Errorf("%s: operations %v are %q, want %s", mode, operations, got, c.law)
				}
				a, known := c.square[mode]
				if got, want := differences(operations, 2)[0], 6*a*MinRows*MinRows; (known || c.law == "linear") && got != want {
					t.Errorf("%s: second difference %d, want %d", mode, got, want)
				}
			}
		})
	}
}
