package ops

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"memobench/datasets/must"
	"memobench/models/engine"
)

// weigh is a scalar test loss: a weighted sum of all elements and their squares, so that every
// element's gradient differs.
type weigh[T engine.Float] struct{}

func (weigh[T]) String() string                             { return "weigh" }
func (weigh[T]) Shape([]engine.Shape) (engine.Shape, error) { return engine.Shape{}, nil }
func (weigh[T]) factor(i int) float64                       { return math.Sin(1.3*float64(i) + 0.4) }
func (w weigh[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	sum := 0.0
	for i, v := range in[0].Data {
		sum += w.factor(i) * (float64(v) + 0.1*float64(v)*float64(v))
	}
	out.Resize()[0] = T(sum)
}
func (w weigh[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	d := din[0].Add(in[0].Dims()...)
	for i, v := range in[0].Data {
		d[i] += dout.Data[0] * T(w.factor(i)*(1+0.2*float64(v)))
	}
}

// gradientCase is one operation with its inputs' shapes. scalar marks an
// operation whose result is already a loss.
type gradientCase[T engine.Float] struct {
	name   string
	kernel func() engine.Kernel[T]
	inputs [][]int
	scalar bool
}

// A batch of three examples with 3, 1 and 4 rows; one slot and one row are
// empty, words repeat.
var (
	testSegments = &Segments{Offsets: []int{0, 3, 4, 8}}
	partSegments = &Segments{Offsets: []int{0, 3, 7}, First: []int{0, 4}} // without the second example
	evenSegments = &Segments{Offsets: []int{0, 4, 8}}
	testWords    = &Words{Width: 2, IDs: []int32{0, 1, 1, 0, 3, -1, -1, -1, 2, 2, 0, 1, 4, 1, 3, 0}}
	testLabels   = &Words{Width: 1, IDs: []int32{2, 0, 4}}
)

func testPairs(ages bool) *Pairs {
	p := new(Pairs)
	p.Find(testWords, testSegments, 5, 4, ages)
	return p
}

// fewPairs has three pairs in four rows, of which one is empty.
func fewPairs() *Pairs {
	p := new(Pairs)
	p.Find(&Words{Width: 2, IDs: []int32{3, 1, -1, -1, 4, 1, 3, -1}}, &Segments{Offsets: []int{0, 4}}, 5, 4, false)
	return p
}

func gradientCases[T engine.Float]() []gradientCase[T] {
	return slices.Concat(memoryCases[T](), transformerCases[T](), recurrentCases[T]())
}

// memoryCases are the operations of memory networks.
func memoryCases[T engine.Float]() []gradientCase[T] {
	k := func(k engine.Kernel[T]) func() engine.Kernel[T] { return func() engine.Kernel[T] { return k } }
	time := Sinusoids[T](4, 3)
	noise := &Noise{Seed: 5, Step: 7}
	pairs := len(testPairs(false).Words)
	return []gradientCase[T]{
		{"project", k(&Project[T]{}), [][]int{{4, 3}, {5, 3}}, false},
		{"project scaled", k(&Project[T]{Scale: 0.5}), [][]int{{4, 3}, {5, 3}}, false},
		{"project transposed", k(&Project[T]{Transpose: true, Scale: 0.7}), [][]int{{4, 5}, {5, 3}}, false},
		{"project heads", k(&Project[T]{}), [][]int{{4, 6}, {2, 5, 3}}, false},
		{"project heads transposed", k(&Project[T]{Transpose: true}), [][]int{{4, 10}, {2, 5, 3}}, false},
		{"project heads shared", k(&Project[T]{Shared: true}), [][]int{{4, 3}, {2, 5, 3}}, false},
		{"project with a bias", k(&Project[T]{}), [][]int{{4, 6}, {2, 5, 3}, {10}}, false},
		{"project with added rows", k(&Project[T]{}), [][]int{{4, 3}, {5, 3}, {4, 5}}, false},
		{"project with a bias and added rows", k(&Project[T]{}), [][]int{{4, 3}, {5, 3}, {5}, {4, 5}}, false},
		{"embed", k(&Embed[T]{Words: testWords}), [][]int{{5, 3}}, false},
		{"embed with time", k(&Embed[T]{Words: testWords, Time: time, Segments: testSegments}), [][]int{{5, 3}}, false},
		{"embed project", k(&EmbedProject[T]{Pairs: testPairs(false)}), [][]int{{5, 3}, {2, 4, 6}}, false},
		{"embed project with time", k(&EmbedProject[T]{Pairs: testPairs(true), Time: time}), [][]int{{5, 3}, {2, 4, 9}}, false},
		{"embed project distinct", k(&EmbedProject[T]{Pairs: testPairs(false), Distinct: true}), [][]int{{5, 3}, {2, 4, 6}}, false},
		{"embed project distinct with time", k(&EmbedProject[T]{Pairs: testPairs(true), Time: time, Distinct: true}), [][]int{{5, 3}, {2, 4, 9}}, false},
		{"project as many pairs as rows", k(&ProjectPairs[T]{Pairs: testPairs(false)}), [][]int{{pairs, 3}, {3}, {5, 3}}, false},
		{"project fewer pairs than rows", k(&ProjectPairs[T]{Pairs: fewPairs()}), [][]int{{3, 3}, {3}, {5, 3}}, false},
		{"pair scores", k(&PairScores[T]{Segments: testSegments, Pairs: testPairs(false), Heads: 2, Scale: 0.5}), [][]int{{3, 6}, {pairs, 6}}, false},
		{"pair scores of a part", k(&PairScores[T]{Segments: partSegments, Pairs: testPairs(false), Heads: 2, Scale: 0.5}), [][]int{{2, 6}, {pairs, 6}}, false},
		{"pair read", k(&PairRead[T]{Segments: testSegments, Pairs: testPairs(false), Heads: 2}), [][]int{{8, 2}, {pairs, 6}}, false},
		{"pair read of a part", k(&PairRead[T]{Segments: partSegments, Pairs: testPairs(false), Heads: 2}), [][]int{{7, 2}, {pairs, 6}}, false},
		{"map pairs", k(&MapPairs[T]{Pairs: &Pairs{}, Heads: 2}), [][]int{{pairs, 6}, {5, 6}}, false},
		{"mapped read", k(&PairRead[T]{Segments: testSegments, Pairs: testPairs(false), Heads: 2, Mapped: true}), [][]int{{8, 2}, {2 * pairs, 5}}, false},
		{"mapped read of a part", k(&PairRead[T]{Segments: partSegments, Pairs: testPairs(false), Heads: 2, Mapped: true}), [][]int{{7, 2}, {2 * pairs, 5}}, false},
		{"embed sum", k(&EmbedSum[T]{Words: testWords}), [][]int{{5, 4}}, false},
		{"embed sum encoded", k(&EmbedSum[T]{Words: testWords, Encoding: PositionEncoding[T](2, 4)}), [][]int{{5, 4}}, false},
		{"embed sum with codes", k(&EmbedSum[T]{Words: testWords, Added: Sinusoids[T](2, 4)}), [][]int{{5, 4}}, false},
		{"add age", k(&AddAge[T]{Segments: testSegments}), [][]int{{8, 3}, {4, 3}}, false},
		{"scores one head", k(&Scores[T]{Segments: testSegments, Heads: 1, Scale: 0.5}), [][]int{{3, 4}, {8, 4}}, false},
		{"scores heads", k(&Scores[T]{Segments: testSegments, Heads: 2, Scale: 0.5}), [][]int{{3, 6}, {8, 6}}, false},
		{"scores heads shared", k(&Scores[T]{Segments: testSegments, Heads: 2, Shared: true, Scale: 0.5}), [][]int{{3, 6}, {8, 3}}, false},
		{"read one head", k(&Read[T]{Segments: testSegments, Heads: 1}), [][]int{{8, 1}, {8, 4}}, false},
		{"read heads", k(&Read[T]{Segments: testSegments, Heads: 2}), [][]int{{8, 2}, {8, 6}}, false},
		{"read heads shared", k(&Read[T]{Segments: testSegments, Heads: 2, Shared: true}), [][]int{{8, 2}, {8, 3}}, false},
		{"mix slots ragged", k(&MixSlots[T]{Segments: testSegments}), [][]int{{5, 5}, {8, 1}}, false},
		{"mix slots ragged heads", k(&MixSlots[T]{Segments: testSegments}), [][]int{{5, 5}, {8, 2}}, false},
		{"mix slots even", k(&MixSlots[T]{Segments: evenSegments}), [][]int{{5, 5}, {8, 1}}, false},
		{"mix slots even heads", k(&MixSlots[T]{Segments: evenSegments}), [][]int{{4, 4}, {8, 2}}, false},
		{"softmax", k(&Softmax[T]{Segments: testSegments}), [][]int{{8, 2}}, false},
		{"softmax, 2 of 3 heads linear", k(&Softmax[T]{Segments: testSegments, Linear: 2}), [][]int{{8, 3}}, false},
		{"softmax, all heads linear", k(&Softmax[T]{Segments: testSegments, Linear: 1}), [][]int{{8, 1}}, false},
		{"softmax with a sink", k(&Softmax[T]{Segments: testSegments, Sink: true}), [][]int{{8, 1}}, false},
		{"softmax with a sink, heads", k(&Softmax[T]{Segments: testSegments, Sink: true, Linear: 1}), [][]int{{8, 3}}, false},
		{"dropout", k(&Dropout[T]{Rate: 0.4, Noise: noise}), [][]int{{8, 3}}, false},
		{"gaussian", k(&Gaussian[T]{Std: 0.4, Noise: noise}), [][]int{{8, 3}}, false},
		{"add layer norm", k(&LayerNorm[T]{Epsilon: 1e-5}), [][]int{{3, 8}, {3, 8}, {4}, {4}}, false},
		{"add layer norm whole line", k(&LayerNorm[T]{Epsilon: 1e-5}), [][]int{{3, 6}, {3, 6}, {6}, {6}}, false},
		{"bias", k(&Bias[T]{}), [][]int{{3, 4}, {4}}, false},
		{"first columns", k(&FirstColumns[T]{Columns: 3}), [][]int{{2, 4}}, false},
		{"sum", k(&Sum[T]{}), [][]int{{3, 4}, {3, 4}}, false},
		{"average", k(&Sum[T]{Mean: true}), [][]int{{3, 4}, {3, 4}, {3, 4}}, false},
		{"relu", k(&Relu[T]{}), [][]int{{3, 5}}, false},
		{"cross entropy", k(&CrossEntropy[T]{Labels: testLabels}), [][]int{{3, 5}}, true},
		{"cross entropy of several", k(&CrossEntropy[T]{Labels: testLabels}), [][]int{{3, 5}, {3, 5}}, true},
	}
}

// build returns the program of the case, with every input a parameter.
func (c gradientCase[T]) build(t *testing.T) (*engine.Params[T], *engine.Program[T], *engine.Node) {
	t.Helper()
	specs := make([]engine.Spec, len(c.inputs))
	for i, shape := range c.inputs {
		specs[i] = engine.Spec{Name: fmt.Sprint("x", i), Shape: shape, Init: engine.Normal(1)}
	}
	params := engine.NewParams[T](specs, 11)
	g := engine.NewGraph(params)
	in := make([]*engine.Node, len(specs))
	for i, s := range specs {
		in[i] = g.Param(s.Name)
	}
	loss := g.Apply(c.kernel(), in...)
	if !c.scalar {
		loss = g.Apply(weigh[T]{}, loss)
	}
	prog := must.Get(g.Compile(loss))(t)
	return params, prog, loss
}

// checkGradients compares the gradients of a program with finite differences and with those of
// a second run. It returns the loss and the gradients.
func checkGradients(t *testing.T, params *engine.Params[float64], prog *engine.Program[float64], loss *engine.Node) (float64, []float64) {
	t.Helper()
	run := func() float64 {
		prog.Run()
		return prog.Array(loss).Data[0]
	}
	first := run()
	analytic := slices.Clone(params.Grads)
	if run(); !slices.Equal(params.Grads, analytic) { // gradients do not add up over runs
		t.Error("a second run gives other gradients")
	}
	nonzero := 0
	for j := range params.Values {
		// Central differences: error about h^2 from the cubic term and
		// 1e-16/h from rounding, both near 1e-10 at h = 1e-5.
		const h = 1e-5
		old := params.Values[j]
		params.Values[j] = old + h
		up := run()
		params.Values[j] = old - h
		down := run()
		params.Values[j] = old
		numeric := (up - down) / (2 * h)
		if math.Abs(numeric-analytic[j]) > 1e-7*math.Max(1, math.Abs(numeric)) {
			t.Errorf("d/dx[%d]: analytic %.10g, numeric %.10g", j, analytic[j], numeric)
		}
		if analytic[j] != 0 {
			nonzero++
		}
	}
	if nonzero < len(params.Values)/3 {
		t.Errorf("only %d of %d gradients are not zero: the case tests little", nonzero, len(params.Values))
	}
	return first, analytic
}

// TestPassedGradients: operations that pass the storage of a gradient on, where their inputs
// have other readers before and after them, and where the gradient is the constant 1.
func TestPassedGradients(t *testing.T) {
	params := engine.NewParams[float64]([]engine.Spec{
		{Name: "x", Shape: []int{8, 3}, Init: engine.Normal(1)}, {Name: "W", Shape: []int{3, 3}, Init: engine.Normal(1)},
		{Name: "b", Shape: []int{3}, Init: engine.Normal(1)}, {Name: "A", Shape: []int{4, 3}, Init: engine.Normal(1)},
	}, 3)
	g := engine.NewGraph(params)
	x, w, b := g.Param("x"), g.Param("W"), g.Param("b")
	for range 2 {
		y := g.Apply(&Relu[float64]{}, g.Apply(&Project[float64]{}, x, w, b, x))
		y = g.Apply(&AddTiming[float64]{Segments: testSegments, Step: 2}, g.Apply(&Bias[float64]{}, y, b))
		y = g.Apply(&Gaussian[float64]{Std: 0.1, Noise: &Noise{Seed: 1}}, g.Apply(&AddAge[float64]{Segments: testSegments}, y, g.Param("A")))
		x = g.Apply(&Sum[float64]{}, x, y, y)
	}
	loss := g.Apply(weigh[float64]{}, g.Apply(&Relu[float64]{}, x))
	loss = g.Apply(&Sum[float64]{}, loss, g.Apply(weigh[float64]{}, x))
	checkGradients(t, params, must.Get(g.Compile(loss))(t), loss)
}

// TestProjectPairs compares ProjectPairs, used twice, with the product of the rows that EmbedProject
// and Bias give, for batches with fewer pairs than rows, more, and none, one after the other.
func TestProjectPairs(t *testing.T) {
	params := engine.NewParams[float64]([]engine.Spec{
		{Name: "E", Shape: []int{5, 3}, Init: engine.Normal(1)}, {Name: "V", Shape: []int{4, 6}, Init: engine.Normal(1)},
		{Name: "b", Shape: []int{4}, Init: engine.Normal(1)}, {Name: "W", Shape: []int{7, 4}, Init: engine.Normal(1)},
	}, 3)
	g, pairs := engine.NewGraph(params), fewPairs()
	embed := func(distinct bool) *engine.Node {
		return g.Apply(&EmbedProject[float64]{Pairs: pairs, Distinct: distinct}, g.Param("E"), g.Param("V"))
	}
	distinct, b, w := embed(true), g.Param("b"), g.Param("W")
	want := g.Apply(&Project[float64]{}, g.Apply(&Bias[float64]{}, embed(false), b), w)
	got := g.Apply(&ProjectPairs[float64]{Pairs: pairs}, distinct, b, w)
	again := g.Apply(&ProjectPairs[float64]{Pairs: pairs}, distinct, b, w)
	loss := g.Apply(weigh[float64]{}, g.Apply(&Sum[float64]{}, want, got, again))
	prog := must.Get(g.Compile(loss, want, got))(t)
	for _, ids := range [][]int32{{3, 1, -1, -1, 4, 1, 3, -1}, {0, 1, 2, 3}, {-1, -1, -1, -1}, {3, 1, 3, 1, 3, 1}} {
		pairs.Find(&Words{Width: 2, IDs: ids}, nil, 5, 4, false)
		checkGradients(t, params, prog, loss)
		rows := prog.Array(want).Data
		if len(rows) != len(ids)/2*7 || len(prog.Array(got).Data) != len(rows) {
			t.Fatalf("%v: %d and %d elements", ids, len(rows), len(prog.Array(got).Data))
		}
		for i, v := range prog.Array(got).Data {
			if math.Abs(v-rows[i]) > 1e-12 {
				t.Errorf("%v: element %d is %g, want %g", ids, i, v, rows[i])
			}
		}
	}
}

// TestGradients compares each case's gradients with finite differences in
// float64, those of a second run, and its float32 build with the float64 one.
func TestGradients(t *testing.T) {
	singles := gradientCases[float32]()
	for i, c := range gradientCases[float64]() {
		t.Run(c.name, func(t *testing.T) {
			params, prog, loss := c.build(t)
			want64, analytic := checkGradients(t, params, prog, loss)

			params32, prog32, loss32 := singles[i].build(t)
			prog32.Run()
			if got := float64(prog32.Array(loss32).Data[0]); math.Abs(got-want64) > 1e-4*math.Max(1, math.Abs(want64)) {
				t.Errorf("float32 loss %g, float64 %g", got, want64)
			}
			for j, g := range params32.Grads {
				if math.Abs(float64(g)-analytic[j]) > 1e-4*math.Max(1, math.Abs(analytic[j])) {
					t.Errorf("float32 gradient [%d] %g, float64 %g", j, g, analytic[j])
				}
			}
		})
	}
}

func TestGaussianNoise(t *testing.T) {
	const n = 100_000
	x := engine.NewArray(make([]float64, n), n)
	for i := range x.Data {
		x.Data[i] = 3
	}
	sample := func(step, stream uint64) []float64 {
		var out engine.Array[float64]
		(&Gaussian[float64]{Std: 0.5, Noise: &Noise{Seed: 1, Step: step}, Stream: stream}).Forward([]*engine.Array[float64]{x}, &out)
		return out.Data
	}
	base, mean, square := sample(2, 3), 0.0, 0.0
	for _, v := range base {
		mean += v / n
		square += (v - 3) * (v - 3) / n
	}
	// Five standard deviations of the mean are 0.008; of the variance, 0.006.
	if math.Abs(mean-3) > 0.008 || math.Abs(square-0.25) > 0.006 {
		t.Errorf("mean %g and variance %g, want 3 and 0.25", mean, square)
	}
	if !slices.Equal(base, sample(2, 3)) {
		t.Error("equal steps and streams give different noise")
	}
	for _, other := range [][2]uint64{{3, 3}, {2, 4}} {
		if sample(other[0], other[1])[0] == base[0] {
			t.Errorf("step %d, stream %d has the noise of step 2, stream 3", other[0], other[1])
		}
	}
}

func TestDropoutMask(t *testing.T) {
	const n = 200_000
	ones := engine.NewArray(make([]float32, n), n)
	for i := range ones.Data {
		ones.Data[i] = 1
	}
	sample := func(seed, step, stream uint64) []float32 {
		d := &Dropout[float32]{Rate: 0.1, Noise: &Noise{Seed: seed, Step: step}, Stream: stream}
		var out engine.Array[float32]
		d.Forward([]*engine.Array[float32]{ones}, &out)
		return out.Data
	}
	base := sample(1, 2, 3)
	dropped, sum := 0, 0.0
	for _, v := range base {
		if v == 0 {
			dropped++
		}
		sum += float64(v)
	}
	// Four standard deviations of a binomial of 200,000 at 0.1 are 537.
	if math.Abs(float64(dropped)-0.1*n) > 537 {
		t.Errorf("dropped %d of %d at rate 0.1", dropped, n)
	}
	if math.Abs(sum/n-1) > 0.004 {
		t.Errorf("mean %g after inverted dropout, want 1", sum/n)
	}
	same := func(a, b []float32) (k int) {
		for i := range a {
			if a[i] == b[i] {
				k++
			}
		}
		return k
	}
	if k := same(base, sample(1, 2, 3)); k != n {
		t.Errorf("equal seed, step and stream agree in %d of %d places", k, n)
	}
	for _, other := range [][3]uint64{{2, 2, 3}, {1, 3, 3}, {1, 2, 4}, {1, 2, 1<<32 | 3}, {1, 2, 3 << 8}} {
		// Independent masks agree in 0.9^2 + 0.1^2 = 82 % of places.
		if k := same(base, sample(other[0], other[1], other[2])); math.Abs(float64(k)/n-0.82) > 0.005 {
			t.Errorf("masks of %v and {1 2 3} agree in %.3f of places, want 0.82", other, float64(k)/n)
		}
	}
}

// recurrentCases are the operations of an LSTM.
func recurrentCases[T engine.Float]() []gradientCase[T] {
	k := func(k engine.Kernel[T]) func() engine.Kernel[T] { return func() engine.Kernel[T] { return k } }
	single := &Segments{Offsets: []int{0, 1, 2, 3}}
	return []gradientCase[T]{
		{"lstm", k(&LSTM[T]{Segments: testTokens}), [][]int{{11, 8}, {8, 2}}, false},
		{"lstm from a state", k(&LSTM[T]{Segments: testTokens}), [][]int{{11, 8}, {8, 2}, {3, 4}}, false},
		{"lstm backwards", k(&LSTM[T]{Segments: testTokens, Backwards: true}), [][]int{{11, 8}, {8, 2}}, false},
		{"lstm backwards from a state", k(&LSTM[T]{Segments: testTokens, Backwards: true}), [][]int{{11, 8}, {8, 2}, {3, 4}}, false},
		{"lstm of one row", k(&LSTM[T]{Segments: single}), [][]int{{3, 12}, {12, 3}, {3, 6}}, false},
	}
}
