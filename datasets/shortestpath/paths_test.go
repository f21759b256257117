package shortestpath

import (
	"math"
	"testing"

	"memobench/datasets"
)

// Paths agree with counting all walks of the path's length.
func TestPathsAreCounted(t *testing.T) {
	for name, s := range variants() {
		t.Run(name, func(t *testing.T) {
			src := mustNew(t, s)
			var b datasets.Batch
			if err := src.Batch(&b, datasets.Train, 2, 0, 60); err != nil {
				t.Fatal(err)
			}
			for i := range b.Size() {
				p, err := src.Paths(&b, i)
				if err != nil {
					t.Fatal(err)
				}
				all := walks(edgesOf(&b, i), b.Queries[2*i], b.Queries[2*i+1], s.Length)
				if p.Length != s.Length || p.Shortest != float64(len(all)) || p.Whole != 1/float64(len(all)) || len(p.Nodes) != b.Answers {
					t.Fatalf("example %d: %+v, want %d paths of %d edges", i, p, len(all), s.Length)
				}
				for a, got := range p.Nodes {
					counts, most := map[int32]int{}, 0
					for _, w := range all {
						counts[w[a]]++
						most = max(most, counts[w[a]])
					}
					if want := float64(most) / float64(len(all)); math.Abs(got-want) > 1e-12 {
						t.Errorf("example %d, node %d: %v, want %v", i, a+1, got, want)
					}
				}
			}
		})
	}
}

func TestPathsOfOddGraphs(t *testing.T) {
	src := mustNew(t, *Defaults(10, 2, 2))
	b := &datasets.Batch{RowWidth: 2, QueryWidth: 2, Answers: 1, Kinds: []int32{0, 0, 0},
		Rows: []int32{1, 2, 2, 3, 1, 2, 1, 2}, Offsets: []int{0, 2, 3, 4}, Queries: []int32{3, 1, 1, 2, 1, 1}, Targets: []int32{2, 2, 2}}
	for i, want := range []int{-1, 1, 0} {
		if p, err := src.Paths(b, i); err != nil || p.Length != want || len(p.Nodes) != 0 {
			t.Errorf("example %d: %+v, want a length of %d (%v)", i, p, want, err)
		}
	}
	if _, err := src.Paths(b, 3); err == nil {
		t.Error("example 3 of 3 is taken")
	}
}
