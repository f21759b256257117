package shortestpath

import (
	"math"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

// edgesOf returns the edges of example i.
func edgesOf(b *datasets.Batch, i int) map[int32][]int32 {
	to := map[int32][]int32{}
	for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
		to[b.Rows[2*r]] = append(to[b.Rows[2*r]], b.Rows[2*r+1])
	}
	return to
}

// distances is a breadth-first search over edges.
func distances(to map[int32][]int32, start int32) map[int32]int {
	distance, queue := map[int32]int{start: 0}, []int32{start}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		for _, v := range to[u] {
			if _, seen := distance[v]; !seen {
				distance[v] = distance[u] + 1
				queue = append(queue, v)
			}
		}
	}
	return distance
}

// walks lists all walks of n edges from u to v, without their ends, by exhaustive search.
func walks(to map[int32][]int32, u, v int32, n int) [][]int32 {
	back := map[int32][]int32{}
	for from, list := range to {
		for _, w := range list {
			back[w] = append(back[w], from)
		}
	}
	left := distances(back, v)
	var all [][]int32
	var walk func(path []int32, u int32)
	walk = func(path []int32, u int32) {
		if d, reaches := left[u]; !reaches || d > n-len(path) {
			return
		}
		if len(path) == n {
			all = append(all, slices.Clone(path[:n-1]))
			return
		}
		for _, w := range to[u] {
			walk(append(path, w), w)
		}
	}
	walk(nil, u)
	return all
}

func TestTargetsAreTheShortestPath(t *testing.T) {
	for name, s := range variants() {
		t.Run(name, func(t *testing.T) {
			src := mustNew(t, s)
			ties := 0
			for split := range datasets.Test + 1 {
				var b datasets.Batch
				for step := range 3 {
					must.Do(t, src.Batch(&b, split, 1, step, 20))
					for i := range b.Size() {
						ties += checkExample(t, src, &b, i)
					}
				}
			}
			if src.Ambiguous() && ties == 0 {
				t.Error("180 random pairs have one shortest path each")
			}
		})
	}
}

// checkExample compares query and targets of an example with its rows, and returns the number of
// other shortest paths.
func checkExample(t testing.TB, src *Source, b *datasets.Batch, i int) int {
	t.Helper()
	s, to := src.settings, edgesOf(b, i)

	words := map[int32]bool{}
	for u, list := range to {
		words[u] = true
		for j, v := range list {
			words[v] = true
			if u == v || slices.Contains(list[:j], v) {
				t.Fatalf("node %d has the edges %v", u, list)
			}
		}
		if n := len(list); n > s.Degree || s.Edges == edgesFixed && n != s.Degree {
			t.Fatalf("node %d has %d edges, settings %+v", u, n, s)
		}
	}
	if len(to) != s.Nodes || len(words) != s.Nodes { // every node has an edge, so labels are distinct
		t.Fatalf("%d words with edges, %d in all, want %d nodes", len(to), len(words), s.Nodes)
	}
	for w := range words {
		if limit := map[string]int{labelsIDs: s.Nodes, labelsRandom: s.Vocabulary}[s.Labels]; w < 0 || int(w) >= limit {
			t.Fatalf("word %d, settings %+v", w, s)
		}
	}

	source, destination, targets := b.Queries[2*i], b.Queries[2*i+1], b.Targets[i*b.Answers:(i+1)*b.Answers]
	if d, reached := distances(to, source)[destination]; !reached || d != s.Length {
		t.Fatalf("%d is %d edges from %d (%v), want %d", destination, d, source, reached, s.Length)
	}
	all := walks(to, source, destination, s.Length)
	if !slices.ContainsFunc(all, func(w []int32) bool { return slices.Equal(w, targets) }) {
		t.Fatalf("target %v is none of the shortest paths %v", targets, all)
	}
	if s.Targets == targetsUnique && len(all) != 1 {
		t.Fatalf("%d shortest paths: %v", len(all), all)
	}
	return len(all) - 1
}

// Counts below are binomial; five standard deviations are allowed.
func near(t *testing.T, what string, got, n int, share float64) {
	t.Helper()
	want, slack := float64(n)*share, 5*math.Sqrt(float64(n)*share*(1-share))
	if math.Abs(float64(got)-want) > slack {
		t.Errorf("%s: %d of %d, want %.0f within %.0f", what, got, n, want, slack)
	}
}

// The optimal answer for random targets is the node on most of the shortest paths. Its accuracy is
// the fraction of these paths if all paths are equally likely; it is the ceiling in the
// package documentation.
func TestRandomTargetsHaveTheStatedCeiling(t *testing.T) {
	const examples = 6000
	for sizes, stated := range map[[3]int][]float64{{10, 2, 2}: {.934}, {20, 3, 3}: {.898, .912}, {20, 5, 3}: {.755, .789}} {
		s := *Defaults(sizes[0], sizes[1], sizes[2])
		s.Targets = targetsRandom
		var b datasets.Batch
		must.Do(t, mustNew(t, s).Batch(&b, datasets.Train, 5, 0, examples))
		for a, ceiling := range stated {
			right, want, variance := 0, 0., 0.
			for i := range b.Size() {
				all := walks(edgesOf(&b, i), b.Queries[2*i], b.Queries[2*i+1], s.Length)
				counts, best := map[int32]int{}, int32(-1)
				for _, w := range all {
					if counts[w[a]]++; best < 0 || counts[w[a]] > counts[best] {
						best = w[a]
					}
				}
				share := float64(counts[best]) / float64(len(all))
				want, variance = want+share, variance+share*(1-share)
				if b.Targets[i*b.Answers+a] == best {
					right++
				}
			}
			if slack := 5 * math.Sqrt(variance); math.Abs(float64(right)-want) > slack {
				t.Errorf("%s, node %d: %d of %d targets are the most common node, want %.0f within %.0f", s.sizes(), a+1, right, examples, want, slack)
			}
			if share := want / examples; math.Abs(share-ceiling) > .012 { // 5 standard deviations over graphs
				t.Errorf("%s, node %d: ceiling %.3f, the doc states %.3f", s.sizes(), a+1, share, ceiling)
			}
		}
	}
}

// All words are equally often source, destination and target, and all rows
// equally often the one that leaves the source.
func TestWordsAndRowsAreBalanced(t *testing.T) {
	const examples = 6000
	for _, labels := range []string{labelsIDs, labelsRandom} {
		s := *Defaults(10, 2, 2)
		s.Labels, s.Vocabulary = labels, 25
		words := map[string]int{labelsIDs: 10, labelsRandom: 25}[labels]
		var b datasets.Batch
		must.Do(t, mustNew(t, s).Batch(&b, datasets.Train, 3, 0, examples))
		roles := map[string][]int{}
		for _, role := range []string{"source", "destination", "target"} {
			roles[role] = make([]int, words)
		}
		rows, first := make([]int, 20), make([]int, words)
		for i := range b.Size() {
			first[b.Rows[2*b.Offsets[i]]]++
			roles["source"][b.Queries[2*i]]++
			roles["destination"][b.Queries[2*i+1]]++
			roles["target"][b.Targets[i]]++
			for r := range rows {
				at := 2 * (b.Offsets[i] + r)
				if b.Rows[at] == b.Queries[2*i] && b.Rows[at+1] == b.Targets[i] {
					rows[r]++
				}
			}
		}
		for role, counts := range roles {
			for _, n := range counts {
				near(t, labels+": "+role, n, examples, 1/float64(words))
			}
		}
		for _, n := range rows {
			near(t, labels+": row of the path's first edge", n, examples, 1./20)
		}
		for _, n := range first {
			near(t, labels+": word that begins the first row", n, examples, 1/float64(words))
		}
	}
}

// The split of an example depends only on its set of rows.
func TestSplitIsThatOfTheRows(t *testing.T) {
	for name, s := range variants() {
		src := mustNew(t, s)
		for split := range datasets.Test + 1 {
			var b datasets.Batch
			must.Do(t, src.Batch(&b, split, 4, 0, 10))
			for i := range b.Size() {
				var sum uint64
				for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
					sum += edgeHash(b.Rows[2*r], b.Rows[2*r+1])
				}
				if got := datasets.SplitByHash(datasets.Mix(sum)); got != split {
					t.Fatalf("%s: a graph of the %v split came for %v", name, got, split)
				}
			}
		}
	}
}
