package pai

import (
	"math"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

// chainsOf derives the chains of example i from its rows: rows that share an item are linked. A
// chain is returned with its smaller end first.
func chainsOf(t testing.TB, b *datasets.Batch, i int) [][]int32 {
	t.Helper()
	near := map[int32][]int32{}
	for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
		x, y := b.Rows[2*r], b.Rows[2*r+1]
		near[x], near[y] = append(near[x], y), append(near[y], x)
	}
	var chains [][]int32
	for end, others := range near {
		if len(others) != 1 {
			continue
		}
		chain := []int32{end}
		for prev, at := end, others[0]; ; {
			chain = append(chain, at)
			next := near[at]
			if len(next) == 1 {
				break
			}
			if len(next) != 2 {
				t.Fatalf("example %d: item %d is in %d rows", i, at, len(next))
			}
			step := next[0]
			if step == prev {
				step = next[1]
			}
			prev, at = at, step
		}
		if chain[0] < chain[len(chain)-1] {
			chains = append(chains, chain)
		}
	}
	return chains
}

// find returns the chain and position of an item.
func find(chains [][]int32, item int32) (chain, position int) {
	for c := range chains {
		if p := slices.Index(chains[c], item); p >= 0 {
			return c, p
		}
	}
	return -1, -1
}

func TestQueriesAreAnsweredByTheChainAlone(t *testing.T) {
	for name, s := range variants() {
		t.Run(name, func(t *testing.T) {
			src := mustNew(t, s)
			var b datasets.Batch
			for step := range 10 {
				must.Do(t, src.Batch(&b, datasets.Train, 1, step, 32))
				for i := range b.Size() {
					checkExample(t, src.settings, src.kinds[b.Kinds[i]], &b, i)
				}
			}
		})
	}
}

// checkExample checks an example. The position of a lure is known only up to the direction of its
// chain.
func checkExample(t *testing.T, s Settings, k kind, b *datasets.Batch, i int) {
	t.Helper()
	chains := chainsOf(t, b, i)
	seen := map[int32]bool{}
	for _, c := range chains {
		if len(c) != s.Length {
			t.Fatalf("chain %v, want %d items", c, s.Length)
		}
		for _, item := range c {
			if seen[item] {
				t.Fatalf("word %d twice in a memory", item)
			}
			seen[item] = true
		}
	}
	if len(chains) != s.Sequences {
		t.Fatalf("%d chains, want %d", len(chains), s.Sequences)
	}

	at := slices.Index(b.Choices[2*i:2*i+2], b.Targets[i])
	if at != 0 && at != 1 {
		t.Fatalf("query %v, choices %v, target %d", b.Queries[3*i:3*i+3], b.Choices, b.Targets[i])
	}
	cue, match, lure := b.Queries[3*i], b.Queries[3*i+1+at], b.Queries[3*i+2-at]
	if b.Items == nil && (match != b.Targets[i] || !slices.Equal(b.Choices[2*i:2*i+2], b.Queries[3*i+1:3*i+3])) {
		t.Fatalf("query %v, choices %v, target %d", b.Queries[3*i:3*i+3], b.Choices[2*i:2*i+2], b.Targets[i])
	}
	if match == lure {
		t.Fatalf("match and lure are both %d", match)
	}
	cueChain, cueAt := find(chains, cue)
	matchChain, matchPos := find(chains, match)
	lureChain, lureAt := find(chains, lure)
	if cueChain != matchChain || cueChain == lureChain || lureChain < 0 {
		t.Fatalf("cue, match, lure in chains %d, %d, %d", cueChain, matchChain, lureChain)
	}

	// From rows alone a chain is known up to its direction.
	mirror := func(p int) int { return s.Length - 1 - p }
	if !(cueAt == k.cue && matchPos == k.match) && !(cueAt == mirror(k.cue) && matchPos == mirror(k.match)) {
		t.Fatalf("cue and match at %d and %d, want kind %v", cueAt, matchPos, k)
	}
	if lureAt != k.match && lureAt != mirror(k.match) {
		t.Fatalf("lure at %d, want the match's position of kind %v", lureAt, k)
	}

	together := func(x, y int32) bool {
		for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
			row := b.Rows[2*r : 2*r+2]
			if slices.Contains(row, x) && slices.Contains(row, y) {
				return true
			}
		}
		return false
	}
	if direct := k.match-k.cue == 1; together(cue, match) != direct {
		t.Fatalf("kind %v: cue and match share a row: %v", k, !direct)
	}
	if together(cue, lure) {
		t.Fatal("cue and lure share a row")
	}
}

// With items in sequence order, positions are known: the lure's must be the
// match's exactly, and every row's first item is the earlier.
func TestItemsInSequenceOrderKeepPositions(t *testing.T) {
	for _, length := range []int{3, 5} {
		src := mustNew(t, small(length, itemsSequence, rowsShuffled))
		var b datasets.Batch
		must.Do(t, src.Batch(&b, datasets.Train, 2, 0, 256))
		for i := range b.Size() {
			before := map[int32]int32{}
			for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
				if _, dup := before[b.Rows[2*r+1]]; dup {
					t.Fatal("an item follows two others")
				}
				before[b.Rows[2*r+1]] = b.Rows[2*r]
			}
			position := func(item int32) int {
				p := 0
				for prev, ok := before[item]; ok; prev, ok = before[prev] {
					p++
				}
				return p
			}
			k := src.kinds[b.Kinds[i]]
			got := []int{position(b.Queries[3*i]), position(b.Queries[3*i+1]), position(b.Queries[3*i+2])}
			if want := []int{k.cue, k.match, k.match}; !slices.Equal(got, want) {
				t.Fatalf("kind %v: cue and choices at %v, want %v", k, got, want)
			}
		}
	}
}

// Counts below are binomial; five standard deviations are allowed.
func TestOrdersAreWhatTheSettingsSay(t *testing.T) {
	const examples = 4000
	for name, s := range variants() {
		t.Run(name, func(t *testing.T) {
			src := mustNew(t, s)
			var b datasets.Batch
			must.Do(t, src.Batch(&b, datasets.Train, 3, 0, examples))
			matchFirst, linked, turned, neighbours := 0, 0, 0, 0
			for i := range b.Size() {
				if b.Queries[3*i+1] == b.Targets[i] {
					matchFirst++
				}
				// In generation order row 1 continues row 0.
				first, second := b.Rows[2*b.Offsets[i]:][:2], b.Rows[2*b.Offsets[i]+2:][:2]
				shared := slices.Contains(second, first[0]) || slices.Contains(second, first[1])
				if shared {
					neighbours++
					if second[0] == first[1] {
						linked++
					}
				}
				if shared && (second[1] == first[0] || second[1] == first[1]) {
					turned++
				}
			}
			near := func(what string, got, n int, share float64) {
				t.Helper()
				want, slack := float64(n)*share, 5*math.Sqrt(float64(n)*share*(1-share))
				if d := float64(got) - want; d > slack || -d > slack {
					t.Errorf("%s: %d of %d, want about %.0f", what, got, n, want)
				}
			}
			near("match shown first", matchFirst, examples, .5)
			rows, pairs := s.Sequences*(s.Length-1), s.Sequences*(s.Length-2)
			if s.Rows == rowsGeneration {
				near("row 1 continues row 0", neighbours, examples, 1)
			} else {
				near("row 1 touches row 0", neighbours, examples, float64(2*pairs)/float64(rows*(rows-1)))
			}
			switch {
			case s.Items == itemsRandom:
				near("shared item is second in row 1", turned, neighbours, .5)
			case s.Rows == rowsGeneration:
				near("row 0 ends where row 1 starts", linked, neighbours, 1)
			default: // rows in either order
				near("row 0 ends where row 1 starts", linked, neighbours, .5)
			}
		})
	}
}

func TestSplitsHaveTheirShareOfChains(t *testing.T) {
	var counts [3]int
	n := 0
	for a := range int32(40) {
		for b := range int32(40) {
			for c := range int32(40) {
				if a == b || b == c || a == c {
					continue
				}
				split := splitOf([]int32{a, b, c})
				if back := splitOf([]int32{c, b, a}); back != split {
					t.Fatalf("chain %d %d %d is in %v, its reversal in %v", a, b, c, split, back)
				}
				counts[split]++
				n++
			}
		}
	}
	for split, share := range []float64{.8, .1, .1} {
		if got := float64(counts[split]) / float64(n); got < share-.01 || got > share+.01 {
			t.Errorf("%v has %.3f of all chains, want %.1f", datasets.Split(split), got, share)
		}
	}
}

// A batch of odd size has one more direct or indirect example, in turn.
func TestHalvesAreBalancedForOddSizes(t *testing.T) {
	src := mustNew(t, small(3, itemsSequence, rowsShuffled))
	var b datasets.Batch
	direct := 0
	for step := range 10 {
		must.Do(t, src.Batch(&b, datasets.Train, 0, step, 7))
		for _, k := range b.Kinds {
			if k < 2 {
				direct++
			}
		}
	}
	if direct != 35 {
		t.Errorf("%d of 70 examples are direct, want 35", direct)
	}
}
