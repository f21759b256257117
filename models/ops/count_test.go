package ops

import (
	"fmt"
	"slices"
	"testing"

	"memobench/datasets/must"
	"memobench/models/engine"
	"memobench/models/engine/enginetest"
)

// Count makes the test loss countable.
func (weigh[T]) Count([][]int, []bool) engine.Count { return engine.Count{} }

// TestCounts compares the counts of every operation with the sizes of its result and its BLAS
// products.
func TestCounts(t *testing.T) {
	for _, c := range gradientCases[float64]() {
		t.Run(c.name, func(t *testing.T) {
			kernel := c.kernel()
			counted, ok := kernel.(engine.Counted)
			if !ok {
				t.Fatalf("%T states no count", kernel)
			}
			var in []*engine.Array[float64]
			var shapes []engine.Shape
			for _, s := range c.inputs {
				a := new(engine.Array[float64])
				for i := range a.Resize(s...) {
					a.Data[i] = float64(i%5) - 1.5
				}
				in, shapes = append(in, a), append(shapes, s)
			}
			must.Get(kernel.Shape(shapes))(t)
			n := counted.Count(c.inputs, make([]bool, len(in)))
			var out engine.Array[float64]
			did := enginetest.Products(func() { kernel.Forward(in, &out) })
			if !slices.Equal(out.Dims(), n.Out) {
				t.Errorf("result of size %v, counted %v", out.Dims(), n.Out)
			}
			if did != n.Forward.Products {
				t.Errorf("forward: products of %d operations, counted %d", did, n.Forward.Products)
			}

			_, prog, _ := c.build(t)
			cost := must.Get(prog.Count())(t)
			did = enginetest.Products(func() {
				prog.Run()
			})
			if want := cost.Forward.Products + cost.Backward.Products; did != want {
				t.Errorf("forward and backward: products of %d operations, counted %d", did, want)
			}
			if after, err := prog.Count(); err != nil || after != cost {
				t.Errorf("counted %+v after the run, %+v before it (error %v)", after, cost, err)
			}
		})
	}
}

// TestCountsByHand has operations that are small enough to count by hand.
func TestCountsByHand(t *testing.T) {
	three := &Segments{Offsets: []int{0, 2, 5}} // examples of 2 and 3 rows
	for _, c := range []struct {
		kernel            engine.Counted
		in                [][]int
		forward, backward engine.Work
	}{
		// 4 rows of 3 to 5: 60 multiply-adds, and as many for each of two gradients.
		{&Project[float32]{}, [][]int{{4, 3}, {5, 3}}, engine.Work{Products: 120}, engine.Work{Products: 240}},
		// 2 heads, 3 vectors of 3 to 5 each: 90 multiply-adds.
		{&MapPairs[float32]{Pairs: &Pairs{}, Heads: 2}, [][]int{{3, 6}, {5, 6}}, engine.Work{Products: 2 * 3 * 2 * 3 * 5}, engine.Work{Products: 4 * 3 * 2 * 3 * 5}},
		// 2^2 + 3^2 products for each of 2 heads.
		{&MixSlots[float32]{Segments: three}, [][]int{{9, 9}, {5, 2}}, engine.Work{Products: 2 * 13 * 2}, engine.Work{Products: 4 * 13 * 2}},
		// 10 weights in 4 sums.
		{&Softmax[float32]{Segments: three}, [][]int{{5, 2}}, engine.Work{Other: 40 + 12}, engine.Work{Other: 40}},
		{&Softmax[float32]{Segments: three, Linear: 1}, [][]int{{5, 2}}, engine.Work{Other: 20 + 6}, engine.Work{Other: 20}},
		{&Bias[float32]{}, [][]int{{3, 4}, {4}}, engine.Work{Other: 12}, engine.Work{Other: 12}},
		{&Relu[float32]{}, [][]int{{3, 4}}, engine.Work{}, engine.Work{}},
		// Heads of 2: scores and read 2 x 2 x 13 x 4 operations each, 26 weights in
		// 10 sums; backward 4 such products.
		{&Attention[float32]{Segments: three, Heads: 2}, [][]int{{5, 4}, {5, 4}, {5, 4}},
			engine.Work{Products: 2 * 2 * 13 * 4, Other: 4*26 + 10}, engine.Work{Products: 4 * 2 * 13 * 4, Other: 4 * 26}},
		// Heads of 2 and a chunk for each example: 2^2 + 3^2 pairs of rows with 4 operations
		// in each product, 5 of them where only the query reads; a square without its
		// diagonal, halved, for solving. 10 rates.
		{&DeltaRule[float32]{Segments: three, Heads: 2, Last: true}, [][]int{{2, 4}, {5, 4}, {5, 4}, {5, 2}},
			engine.Work{Products: 2 * 4 * (13 + 2*5), Other: 2*4*(1+3) + 4*10 + 5*4},
			engine.Work{Products: 2 * 4 * (4*5 + 2*13), Other: 2*4*(1+3) + 2*5*4 + 2*5*4 + 3*10}},
		// 2 units, 5 rows, of which 3 have a previous state: 16 multiply-adds each, and as
		// many for each of two gradients.
		{&LSTM[float32]{Segments: three}, [][]int{{5, 8}, {8, 2}}, engine.Work{Products: 2 * 3 * 16, Other: 18 * 10}, engine.Work{Products: 4 * 3 * 16, Other: 22 * 10}},
	} {
		wanted := slices.Repeat([]bool{true}, len(c.in))
		n := c.kernel.Count(c.in, wanted)
		if n.Forward != c.forward || n.Backward != c.backward {
			t.Errorf("%v: forward %+v, backward %+v; want %+v, %+v", c.kernel, n.Forward, n.Backward, c.forward, c.backward)
		}
	}
}

// A graph with an operation that is not Counted cannot be counted.
func TestUncountedOperationIsNamed(t *testing.T) {
	params := engine.NewParams[float64]([]engine.Spec{{Name: "x", Shape: []int{2, 2}, Init: engine.Normal(1)}}, 1)
	g := engine.NewGraph(params)
	prog := must.Get(g.Compile(g.Apply(silent{}, g.Param("x"))))(t)
	if _, err := prog.Count(); err == nil || fmt.Sprint(err) != "counting silent: a ops.silent does not count" {
		t.Errorf("error %v", err)
	}
}

type silent struct{}

func (silent) String() string                             { return "silent" }
func (silent) Shape([]engine.Shape) (engine.Shape, error) { return engine.Shape{}, nil }
func (silent) Forward(_ []*engine.Array[float64], out *engine.Array[float64]) {
	out.Resize()[0] = 0
}
func (silent) Backward(_ []*engine.Array[float64], _, _ *engine.Array[float64], _ []*engine.Grad[float64]) {
}
