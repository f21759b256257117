package ops

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"memobench/datasets/must"
	"memobench/models/engine"
)

// testTokens has one row more per example than testSegments.
var testTokens = &Segments{Offsets: []int{0, 4, 6, 11}}

// testChunks has examples of one, three and two chunks of DeltaRule, most of them whole.
var testChunks = &Segments{Offsets: []int{0, 3, 2*deltaChunk + 4, 3*deltaChunk + 6}}

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
		{"add timing", k(&AddTiming[T]{Segments: testTokens, Step: 2}), [][]int{{11, 5}}, false},
		{"add timing and positions", k(&AddTiming[T]{Segments: testTokens, Step: 2, Positions: true}), [][]int{{11, 6}}, false},
		{"add positions", k(&AddTiming[T]{Segments: testTokens, Step: NoStep, Positions: true}), [][]int{{11, 6}}, false},
		{"delta rule", k(&DeltaRule[T]{Segments: testTokens, Heads: 1}), [][]int{{11, 3}, {11, 3}, {11, 3}, {11, 1}}, false},
		{"delta rule heads", k(&DeltaRule[T]{Segments: testTokens, Heads: 2}), [][]int{{11, 4}, {11, 4}, {11, 4}, {11, 2}}, false},
		{"delta rule read at the end", k(&DeltaRule[T]{Segments: testTokens, Heads: 2, Last: true}), [][]int{{3, 4}, {11, 4}, {11, 4}, {11, 2}}, false},
		{"delta rule in chunks", k(&DeltaRule[T]{Segments: testChunks, Heads: 2}), [][]int{{102, 4}, {102, 4}, {102, 4}, {102, 2}}, false},
		{"delta rule in chunks, read at the end", k(&DeltaRule[T]{Segments: testChunks, Heads: 1, Last: true}), [][]int{{3, 2}, {102, 2}, {102, 2}, {102, 1}}, false},
		{"silu", k(&Silu[T]{}), [][]int{{3, 5}}, false},
		{"rms norm", k(&RMSNorm[T]{Groups: 2, Epsilon: 1e-2}), [][]int{{3, 8}, {4}}, false},
		{"unit norm", k(&RMSNorm[T]{Groups: 2, Unit: true, Epsilon: 1e-2}), [][]int{{3, 8}}, false},
		{"append query", k(&AppendQuery[T]{Segments: testSegments}), [][]int{{8, 3}, {3, 3}}, false},
		{"last", k(&Last[T]{Segments: &Segments{Offsets: []int{0, 2, 3}}}), [][]int{{3, 4}}, false},
		{"diagonals", k(&Diagonals[T]{}), [][]int{{3, 4}}, false},
		{"mean", k(&Mean[T]{Segments: testTokens}), [][]int{{11, 3}}, false},
		{"halting weights", k(&HaltingWeights[T]{Epsilon: 0.01}), [][]int{{9, 1}, {9, 1}, {9, 1}, {9, 1}}, false},
		{"blend", k(&Blend[T]{}), [][]int{{3, 4}, {3, 2}, {3, 2}, {3, 2}}, false},
		{"embed project one head", k(&EmbedProject[T]{Pairs: testPairs(false)}), [][]int{{5, 3}, {4, 6}}, false},
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

// TestDeltaRuleReplaces: with unit keys and a rate of 1 the memory has exactly the last value of
// each key, with a rate of 1/2 the mean of old and new; heads and examples have separate
// memories.
func TestDeltaRuleReplaces(t *testing.T) {
	const always, half = 60, 0 // sigmoid(60) rounds to 1
	seg := &Segments{Offsets: []int{0, 4, 5}}
	key := []float64{1, 0, 0, 1, 1, 0, 0, 1, 1, 0}
	value := []float64{3, 4, 5, 6, 7, 8, 9, 10, 20, 30}
	rate := []float64{always, always, always, half, half}
	var out engine.Array[float64]
	read := func(query ...float64) []float64 {
		d := &DeltaRule[float64]{Segments: seg, Heads: 1, Last: true}
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
	(&DeltaRule[float64]{Segments: testChunks, Heads: heads}).Forward([]*engine.Array[float64]{
		array(q, width), array(k, width), array(v, width), array(b, heads)}, &all)
	var last []float64
	for e := range testChunks.Len() {
		last = append(last, q[(testChunks.Offsets[e+1]-1)*width:][:width]...)
	}
	(&DeltaRule[float64]{Segments: testChunks, Heads: heads, Last: true}).Forward([]*engine.Array[float64]{
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

// TestHaltingWeights has three tokens: one halts at the first step, one at the third, one never.
func TestHaltingWeights(t *testing.T) {
	logit := func(p float64) float64 { return math.Log(p / (1 - p)) }
	steps := make([]*engine.Array[float64], 3)
	for i, p := range [][]float64{{0.995, 0.5, 0.2}, {0.5, 0.3, 0.3}, {0.5, 0.3, 0.3}} {
		steps[i] = engine.NewArray([]float64{logit(p[0]), logit(p[1]), logit(p[2])}, 3, 1)
	}
	want := []float64{
		1, 0, 0, 2, // remainder 1
		0.5, 0.3, 0.2, 3.2,
		0.2, 0.3, 0.3, 3,
	}
	var out engine.Array[float64]
	h := &HaltingWeights[float64]{Epsilon: 0.01}
	h.Forward(steps, &out)
	for i, v := range out.Data {
		if math.Abs(v-want[i]) > 1e-12 {
			t.Errorf("element %d is %g, want %g", i, v, want[i])
		}
	}
	if !slices.Equal(h.Steps, []int{1, 3, 3}) {
		t.Errorf("steps taken: %v", h.Steps)
	}
}

// TestPonder checks the cost and, through a halting network, its gradient.
func TestPonder(t *testing.T) {
	params := engine.NewParams[float64]([]engine.Spec{
		{Name: "scores", Shape: []int{3, 5}, Init: engine.Normal(1)},
		{Name: "l1", Shape: []int{3, 1}, Init: engine.Normal(1)},
		{Name: "l2", Shape: []int{3, 1}, Init: engine.Normal(1)},
		{Name: "l3", Shape: []int{3, 1}, Init: engine.Constant(9)},
	}, 4)
	g := engine.NewGraph(params)
	entropy := g.Apply(&CrossEntropy[float64]{Labels: testLabels}, g.Param("scores"))
	halts := g.Apply(&HaltingWeights[float64]{Epsilon: 0.01}, g.Param("l1"), g.Param("l2"), g.Param("l3"))
	loss := g.Apply(&PonderCost[float64]{Weight: 0.5}, entropy, halts)
	prog := must.Get(g.Compile(loss, entropy, halts))(t)
	run := func() float64 {
		prog.Run()
		return prog.Array(loss).Data[0]
	}
	got, want := run(), prog.Array(entropy).Data[0]
	for i := range 3 {
		want += 0.5 * prog.Array(halts).Data[i*4+3] / 3
	}
	if math.Abs(got-want) > 1e-14 {
		t.Errorf("loss %g, want %g", got, want)
	}
	analytic, nonzero := slices.Clone(params.Grads), 0
	for i, a := range analytic {
		const h = 1e-5
		old := params.Values[i]
		params.Values[i] = old + h
		up := run()
		params.Values[i] = old - h
		down := run()
		params.Values[i] = old
		if numeric := (up - down) / (2 * h); math.Abs(numeric-a) > 1e-9 {
			t.Errorf("gradient %d: analytic %.10g, numeric %.10g", i, a, numeric)
		}
		if a != 0 {
			nonzero++
		}
	}
	if nonzero < len(analytic)-4 { // the last step's logits have none
		t.Errorf("only %d of %d gradients are not zero", nonzero, len(analytic))
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
		{&Columns[float32]{N: 5}, []engine.Shape{{3, 4}}},
		{&LSTM[float32]{}, []engine.Shape{{3, 8}, {8, 3}}},
		{&DeltaRule[float32]{Heads: 2}, []engine.Shape{{3, 4}, {3, 4}, {3, 4}, {3, 1}}},
		{&EmbedProject[float32]{}, []engine.Shape{{5, 3}, {4, 7}}},
		{&EmbedProject[float32]{}, []engine.Shape{{5, 3}, {7}}},
	} {
		if out, err := c.kernel.Shape(c.in); err == nil {
			t.Errorf("%T of %v: %v", c.kernel, c.in, out)
		}
	}
}
