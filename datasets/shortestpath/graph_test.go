package shortestpath

import (
	"slices"
	"testing"

	"memobench/datasets"
)

// Edges must lead to the nearest nodes, found by sorting all nodes.
func TestEdgesLeadToTheNearest(t *testing.T) {
	for _, p := range [][2]int{{5, 1}, {10, 2}, {20, 5}, {50, 48}} {
		d := newSampler(*Defaults(p[0], p[1], 2))
		d.start("test", datasets.Train, 0, uint64(p[0]))
		for range 20 {
			d.sampleGraph()
			g := d.graph
			for u := range p[0] {
				// Floats are precise enough.
				length := func(v int32) float64 {
					dx, dy := float64(g.x[v]-g.x[u])/side, float64(g.y[v]-g.y[u])/side
					return dx*dx + dy*dy
				}
				var others []int32
				for v := range int32(p[0]) {
					if int(v) != u {
						others = append(others, v)
					}
				}
				slices.SortFunc(others, func(v, w int32) int {
					if length(v) < length(w) {
						return -1
					}
					return 1
				})
				if got := g.from(int32(u)); !slices.Equal(got, others[:p[1]]) {
					t.Fatalf("node %d has edges to %v, nearest are %v", u, got, others[:p[1]])
				}
			}
		}
	}
}

func TestEqualDistancesGoToTheLowerNumber(t *testing.T) {
	g := newGraph(5, 3)
	g.x, g.y = []int64{10, 10, 0, 20, 10}, []int64{0, 10, 10, 10, 20} // a cross around node 1
	g.connect(1, 3)
	if got := g.from(1); !slices.Equal(got, []int32{0, 2, 3}) {
		t.Errorf("edges to %v", got)
	}
	g.x, g.y = []int64{0, side - 1, 0, side - 1, side / 2}, []int64{0, side - 1, side - 1, 0, side / 2} // farthest apart
	g.connect(0, 3)
	if got := g.from(0); !slices.Equal(got, []int32{4, 2, 3}) {
		t.Errorf("edges to %v", got)
	}
}

// lattice is a graph with three shortest paths from 0 to 5: 0-1-3-5, 0-2-3-5 and 0-2-4-5. A search
// reaches 4 before 3, which is on more paths.
func lattice() *graph {
	g := newGraph(6, 2)
	for u, to := range [][]int32{{2, 1}, {3}, {4, 3}, {5}, {5}, {0}} {
		g.edges[u] = copy(g.to[2*u:], to)
	}
	return g
}

func TestSearchCountsPaths(t *testing.T) {
	s := newSearch(6)
	s.run(lattice(), 0, 6)
	if want := []int32{0, 1, 1, 2, 2, 3}; !slices.Equal(s.distance, want) {
		t.Errorf("distances %v, want %v", s.distance, want)
	}
	if want := []float64{1, 1, 1, 2, 1, 3}; !slices.Equal(s.paths, want) {
		t.Errorf("paths %v, want %v", s.paths, want)
	}
	if s.depth() != 3 || len(s.ends(2, false)) != 2 || !slices.Equal(s.ends(2, true), []int32{4}) || len(s.ends(3, true)) != 0 || len(s.ends(4, false)) != 0 {
		t.Errorf("levels %v of %v", s.layers, s.queue)
	}
	s.run(lattice(), 0, 1)
	if s.depth() != 1 || s.distance[3] != -1 {
		t.Errorf("a search of depth 1 reached %v", s.queue)
	}
}

func TestShortestPathsAreEquallyLikely(t *testing.T) {
	const draws = 3000
	g, s := lattice(), newSearch(6)
	s.run(g, 0, 3)
	d := newSampler(*Defaults(10, 2, 2))
	d.start("test", datasets.Train, 0, 0)
	counts := map[[2]int32]int{}
	for range draws {
		second := s.predecessor(g, 5, d.rng.Float64())
		counts[[2]int32{s.predecessor(g, second, d.rng.Float64()), second}]++
	}
	for _, path := range [][2]int32{{1, 3}, {2, 3}, {2, 4}} {
		near(t, "one path of three", counts[path], draws, 1./3)
	}
	if v := s.predecessor(g, 5, 1); v != 3 { // beyond what is drawn: rounding must not lose the last
		t.Errorf("before the end comes %d, want 3", v)
	}
}
