package deltanet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"memobench/datasets/must"
	"memobench/models/engine"
	"memobench/models/modeltest"
	"memobench/models/ops"
)

// testChunks has examples of one, three and two chunks of deltaRule, most of them whole.
var testChunks = &ops.Segments{Offsets: []int{0, 3, 2*deltaChunk + 4, 3*deltaChunk + 6}}

// TestDeltaRuleGradient compares gradients over several chunks with finite differences.
func TestDeltaRuleGradient(t *testing.T) {
	for _, last := range []bool{false, true} {
		const heads, width = 2, 4
		n, reads := testChunks.Rows(), testChunks.Rows()
		if last {
			reads = testChunks.Len()
		}
		params := engine.NewParams[float64]([]engine.Spec{
			{Name: "q", Shape: []int{reads, width}, Init: engine.Normal(0.5)}, {Name: "k", Shape: []int{n, width}, Init: engine.Normal(0.5)},
			{Name: "v", Shape: []int{n, width}, Init: engine.Normal(0.5)}, {Name: "b", Shape: []int{n, heads}, Init: engine.Normal(0.5)},
		}, 11)
		g := engine.NewGraph(params)
		y := g.Apply(&deltaRule[float64]{Segments: testChunks, Heads: heads, Last: last}, g.Param("q"), g.Param("k"), g.Param("v"), g.Param("b"))
		loss := g.Apply(&ops.CrossEntropy[float64]{Labels: &ops.Words{Width: 1, IDs: make([]int32, reads)}}, y)
		prog := must.Get(g.Compile(loss))(t)
		prog.Run()
		modeltest.Slopes(t, params, func() float64 {
			prog.Run()
			return prog.Array(loss).Data[0]
		})
	}
}

// TestDeltaRuleReplaces: with unit keys and a rate of 1 the memory has exactly the last value of
// each key, with a rate of 1/2 the mean of old and new; heads and examples have separate
// memories.
func TestDeltaRuleReplaces(t *testing.T) {
	const always, half = 60, 0 // sigmoid(60) rounds to 1
	seg := &ops.Segments{Offsets: []int{0, 4, 5}}
	key := []float64{1, 0, 0, 1, 1, 0, 0, 1, 1, 0}
	value := []float64{3, 4, 5, 6, 7, 8, 9, 10, 20, 30}
	rate := []float64{always, always, always, half, half}
	var out engine.Array[float64]
	read := func(query ...float64) []float64 {
		d := &deltaRule[float64]{Segments: seg, Heads: 1, Last: true}
		d.Forward([]*engine.Array[float64]{engine.NewArray(query, 2, 2), engine.NewArray(key, 5, 2), engine.NewArray(value, 5, 2), engine.NewArray(rate, 5, 1)}, &out)
		return out.Data
	}
	if got, want := read(1, 0, 1, 0), []float64{7, 8, 10, 15}; !slices.Equal(got, want) {
		t.Errorf("values of the first key: %v, want %v", got, want)
	}
	if got, want := read(0, 1, 0, 1), []float64{7, 8, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("values of the second key: %v, want %v", got, want)
	}
}

// TestDeltaRuleInChunks compares it with its recurrence, row by row.
func TestDeltaRuleInChunks(t *testing.T) {
	const heads, m, width = 2, 3, 6
	n, rng := testChunks.Rows(), rand.New(rand.NewPCG(1, 2))
	random := func(w int) []float64 {
		x := make([]float64, n*w)
		for i := range x {
			x[i] = rng.NormFloat64() / math.Sqrt(m)
		}
		return x
	}
	q, k, v, b := random(width), random(width), random(width), random(heads)
	var all, end engine.Array[float64]
	array := func(x []float64, w int) *engine.Array[float64] { return engine.NewArray(x, len(x)/w, w) }
	(&deltaRule[float64]{Segments: testChunks, Heads: heads}).Forward([]*engine.Array[float64]{
		array(q, width), array(k, width), array(v, width), array(b, heads)}, &all)
	var last []float64
	for e := range testChunks.Len() {
		last = append(last, q[(testChunks.Offsets[e+1]-1)*width:][:width]...)
	}
	(&deltaRule[float64]{Segments: testChunks, Heads: heads, Last: true}).Forward([]*engine.Array[float64]{
		array(last, width), array(k, width), array(v, width), array(b, heads)}, &end)
	compare := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-10*math.Max(1, math.Abs(want))) {
			t.Fatalf("%s: %.12g, want %.12g", what, got, want)
		}
	}
	for e := range testChunks.Len() {
		for h := range heads {
			var s [m][m]float64
			for line := testChunks.Offsets[e]; line < testChunks.Offsets[e+1]; line++ {
				at := line*width + h*m
				rate := 1 / (1 + math.Exp(-b[line*heads+h]))
				for i := range m {
					held, read := v[at+i], 0.0
					for j := range m {
						held -= s[i][j] * k[at+j]
					}
					for j := range m {
						s[i][j] += rate * held * k[at+j]
						read += s[i][j] * q[at+j]
					}
					compare(fmt.Sprintf("example %d, head %d, line %d", e, h, line), all.Data[at+i], read)
					if line == testChunks.Offsets[e+1]-1 {
						compare(fmt.Sprintf("example %d, head %d, read at the end", e, h), end.Data[e*width+h*m+i], read)
					}
				}
			}
		}
	}
}
