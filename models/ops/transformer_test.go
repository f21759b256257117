package ops

import (
	"math"
	"slices"
	"testing"

	"memobench/models/engine"
)

// testTokens has one row more per example than testSegments.
var testTokens = &Segments{Offsets: []int{0, 4, 6, 11}}

// transformerCases are the operations of encoders.
func transformerCases[T engine.Float]() []gradientCase[T] {
	k := func(k engine.Kernel[T]) func() engine.Kernel[T] { return func() engine.Kernel[T] { return k } }
	dropout := &Dropout[T]{Rate: 0.3, Noise: &Noise{Seed: 5, Step: 7}}
	return []gradientCase[T]{
		{"attention", k(&Attention[T]{Segments: testTokens, Heads: 1}), [][]int{{11, 3}, {11, 3}, {11, 3}}, false},
		{"attention heads", k(&Attention[T]{Segments: testTokens, Heads: 2}), [][]int{{11, 6}, {11, 6}, {11, 6}}, false},
		{"attention linear", k(&Attention[T]{Segments: testTokens, Heads: 2, Linear: 1}), [][]int{{11, 6}, {11, 6}, {11, 6}}, false},
		{"attention dropout", k(&Attention[T]{Segments: testTokens, Heads: 2, Dropout: dropout}), [][]int{{11, 4}, {11, 4}, {11, 4}}, false},
		{"project stacked heads", k(&Project[T]{Heads: 2}), [][]int{{4, 6}, {10, 3}}, false},
		{"project stacked heads transposed", k(&Project[T]{Heads: 2, Transpose: true}), [][]int{{4, 10}, {10, 3}}, false},
		{"layer norm", k(&LayerNorm[T]{Epsilon: 1e-6}), [][]int{{5, 6}, {6}, {6}}, false},
		{"add timing", k(&AddTiming[T]{Segments: testTokens, Step: 3}), [][]int{{11, 5}}, false},
		{"add timing and positions", k(&AddTiming[T]{Segments: testTokens, Step: 3, Positions: true}), [][]int{{11, 6}}, false},
		{"add positions", k(&AddTiming[T]{Segments: testTokens, Positions: true}), [][]int{{11, 6}}, false},
		{"append query", k(&AppendQuery[T]{Segments: testSegments}), [][]int{{8, 3}, {3, 3}}, false},
		{"append query to distinct rows", k(&AppendQuery[T]{Segments: testSegments, Rows: testDistinct()}), [][]int{{7, 3}, {3, 3}}, false},
		{"mean", k(&Mean[T]{Segments: testTokens}), [][]int{{11, 3}}, false},
		{"embed project one head", k(&EmbedProject[T]{Pairs: testPairs(false)}), [][]int{{5, 3}, {4, 6}}, false},
	}
}

func testDistinct() *DistinctRows {
	d := new(DistinctRows)
	d.Find(testWords)
	return d
}

// TestDistinct finds rows of equal words, also after another batch.
func TestDistinct(t *testing.T) {
	d := testDistinct()
	for _, c := range []struct {
		words, distinct Words
		index           []int32
	}{
		{*testWords, Words{2, []int32{0, 1, 1, 0, 3, -1, -1, -1, 2, 2, 4, 1, 3, 0}}, []int32{0, 1, 2, 3, 4, 0, 5, 6}},
		{Words{3, []int32{1, 2, 3, 1, 2, 4, 2, 1, 3, 1, 2, 3}}, Words{3, []int32{1, 2, 3, 1, 2, 4, 2, 1, 3}}, []int32{0, 1, 2, 0}},
		{Words{1, []int32{5, 5}}, Words{1, []int32{5}}, []int32{0, 0}},
		{Words{2, nil}, Words{2, nil}, nil},
	} {
		d.Find(&c.words)
		if !slices.Equal(d.IDs, c.distinct.IDs) || d.Width != c.distinct.Width || !slices.Equal(d.Index, c.index) {
			t.Errorf("%v: distinct rows %v, index %v, want %v, %v", c.words, d.Words, d.Index, c.distinct, c.index)
		}
	}
}

// TestAttentionAverages: equal keys have equal weights, and a key with a much larger logit has all
// the weight.
func TestAttentionAverages(t *testing.T) {
	seg := &Segments{Offsets: []int{0, 2, 5}}
	v := []float64{1, 3, 10, 20, 60}
	var out engine.Array[float64]
	run := func(k ...float64) []float64 {
		a := &Attention[float64]{Segments: seg, Heads: 1}
		ones := engine.NewArray([]float64{1, 1, 1, 1, 1}, 5, 1)
		a.Forward([]*engine.Array[float64]{ones, engine.NewArray(k, 5, 1), engine.NewArray(v, 5, 1)}, &out)
		return out.Data
	}
	near := func(got, want []float64) bool {
		return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
	}
	if got, want := run(7, 7, 0, 0, 0), []float64{2, 2, 30, 30, 30}; !near(got, want) {
		t.Errorf("equal keys: %v, want %v", got, want)
	}
	if got, want := run(0, 900, 0, 900, 0), []float64{3, 3, 20, 20, 20}; !near(got, want) {
		t.Errorf("one far ahead: %v, want %v", got, want)
	}
}

// TestTimingSignal checks the layout: sines, then cosines, frequencies from 1
// down to 1e-4, and a zero in the odd place.
func TestTimingSignal(t *testing.T) {
	want := []float64{math.Sin(3), math.Sin(3e-2), math.Sin(3e-4), math.Cos(3), math.Cos(3e-2), math.Cos(3e-4), 0}
	for i, v := range TimingSignal[float64](3, 7) {
		if math.Abs(v-want[i]) > 1e-15 {
			t.Errorf("component %d is %g, want %g", i, v, want[i])
		}
	}
	if got := TimingSignal[float64](3, 1); len(got) != 1 || got[0] != 0 {
		t.Errorf("width 1: %v", got)
	}
}

func TestShapesRefused(t *testing.T) {
	for _, c := range []struct {
		kernel engine.Kernel[float32]
		in     []engine.Shape
	}{
		{&Project[float32]{Heads: 3}, []engine.Shape{{4, 9}, {4, 3}}},
		{&LayerNorm[float32]{}, []engine.Shape{{4, 8}, {4}, {8}}},
		{&Sum[float32]{}, []engine.Shape{{3, 4}, {3, 5}}},
		{&LSTM[float32]{}, []engine.Shape{{3, 8}, {8, 3}}},
		{&EmbedProject[float32]{}, []engine.Shape{{5, 3}, {4, 7}}},
		{&EmbedProject[float32]{}, []engine.Shape{{5, 3}, {7}}},
	} {
		if out, err := c.kernel.Shape(c.in); err == nil {
			t.Errorf("%T of %v: %v", c.kernel, c.in, out)
		}
	}
}
