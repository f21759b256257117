package shortestpath

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

var update = flag.Bool("update", false, "write the golden files anew")

// crossing has the shortest paths 1-2-4-6, 1-3-4-6 and 1-3-5-6, a longer path through 7, and the
// unreachable node 8.
func crossing() *datasets.Batch {
	b := &datasets.Batch{}
	b.Reset(rowWidth, queryWidth, 2, 0)
	b.Rows = []int32{1, 2, 1, 3, 2, 4, 3, 4, 3, 5, 4, 6, 5, 6, 5, 7, 7, 6, 6, 1, 8, 6}
	b.Offsets = append(b.Offsets, len(b.Rows)/2)
	b.Queries, b.Targets, b.Kinds = []int32{1, 6}, []int32{3, 4}, []int32{0}
	return b
}

func TestAnyShortestPathIsAccepted(t *testing.T) {
	src := mustNew(t, *Defaults(20, 3, 3))
	for _, c := range []struct {
		answers []int32
		whole   bool
		each    []bool
	}{
		{[]int32{2, 4}, true, []bool{true, true}},
		{[]int32{3, 4}, true, []bool{true, true}},
		{[]int32{3, 5}, true, []bool{true, true}},
		{[]int32{2, 5}, false, []bool{true, true}}, // each on a path, but no edge between them
		{[]int32{4, 3}, false, []bool{false, false}},
		{[]int32{3, 7}, false, []bool{true, false}},
		{[]int32{8, 4}, false, []bool{false, true}},
		{[]int32{-1, 999}, false, []bool{false, false}},
		{[]int32{1, 6}, false, []bool{false, false}},
	} {
		each := []bool{true, false}
		if whole := src.Accepts(crossing(), 0, c.answers, each); whole != c.whole || !slices.Equal(each, c.each) {
			t.Errorf("%v: %v, %v; want %v, %v", c.answers, whole, each, c.whole, c.each)
		}
	}
	unreached := crossing()
	unreached.Queries[1] = 8
	each := make([]bool, 2)
	if src.Accepts(unreached, 0, []int32{3, 4}, each) || each[0] || each[1] {
		t.Errorf("a path to where none leads: %v", each)
	}
}

// Accepts must agree with an exhaustive search over walks.
func TestAcceptedIsWhatAllWalksSay(t *testing.T) {
	s := *Defaults(12, 4, 3)
	s.Targets, s.Vocabulary = targetsRandom, 12
	src := mustNew(t, s)
	var b datasets.Batch
	must.Do(t, src.Batch(&b, datasets.Test, 0, 0, 20))
	each := make([]bool, 2)
	for i := range b.Size() {
		all := walks(edgesOf(&b, i), b.Queries[2*i], b.Queries[2*i+1], 3)
		for first := range int32(12) {
			for second := range int32(12) {
				answers := []int32{first, second}
				has := func(right func(w []int32) bool) bool { return slices.ContainsFunc(all, right) }
				want := has(func(w []int32) bool { return slices.Equal(w, answers) })
				one := has(func(w []int32) bool { return w[0] == first })
				two := has(func(w []int32) bool { return w[1] == second })
				if got := src.Accepts(&b, i, answers, each); got != want || each[0] != one || each[1] != two {
					t.Fatalf("%v: %v %v, want %v [%v %v] of %v", answers, got, each, want, one, two, all)
				}
			}
		}
	}
}

// The golden file has a printed example of every split and variant. It changes if batches change;
// then increase version.
func TestPrintedExamples(t *testing.T) {
	var out bytes.Buffer
	small := *Defaults(8, 2, 3)
	small.Labels, small.Targets, small.Edges = labelsRandom, targetsRandom, edgesUniform
	for _, s := range []Settings{*Defaults(10, 2, 2), small} {
		src := mustNew(t, s)
		for split := range datasets.Test + 1 {
			var b datasets.Batch
			must.Do(t, src.Batch(&b, split, 7, 3, 2))
			out.WriteString("# " + src.Spec().Task + ", " + split.String() + "\n")
			must.Do(t, src.Print(&out, &b, 1))
		}
	}
	const golden = "testdata/examples.txt"
	if *update {
		must.Do(t, os.WriteFile(golden, out.Bytes(), 0o644))
	}
	want := must.Get(os.ReadFile(golden))(t)
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("printed examples differ from %s (see -update):\n%s", golden, &out)
	}
}
