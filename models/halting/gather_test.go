package halting

import (
	"math"
	"slices"
	"testing"

	"memobench/datasets/must"
	"memobench/models/engine"
	"memobench/models/ops"
)

// finiteDifferences compares the gradient of a loss in all parameters with
// central differences.
func finiteDifferences(t *testing.T, g *engine.Graph[float64], params *engine.Params[float64], loss *engine.Node) {
	t.Helper()
	prog := must.Get(g.Compile(loss))(t)
	run := func() float64 {
		prog.Run()
		return prog.Array(loss).Data[0]
	}
	run()
	analytic := slices.Clone(params.Grads)
	for i := range params.Values {
		const h = 1e-5
		old := params.Values[i]
		params.Values[i] = old + h
		up := run()
		params.Values[i] = old - h
		down := run()
		params.Values[i] = old
		if numeric := (up - down) / (2 * h); math.Abs(numeric-analytic[i]) > 1e-8 {
			t.Errorf("gradient %d: analytic %.10g, numeric %.10g", i, analytic[i], numeric)
		}
	}
}

// TestGatherGradient compares gather and haltedStates with finite differences: each hop
// adds a parameter to the states that continue, and the answers are what examples
// halt with. Example by example, they halt in an order that is not that of the
// batch, so that indices differ from stage to stage.
func TestGatherGradient(t *testing.T) {
	for name, script := range map[string][][]bool{
		"hops 2, 1, 3": {{true, false, true}, {false, true, true}, {true, true, true}},
		"hops 3, 1, 2": {{true, false, true}, {true, true, false}, {true, true, true}},
		"hops 1, 3, 3": {{false, true, true}, {true, true, true}, {true, true, true}},
		"hops 1, 2, 1": {{false, true, false}, {true, false, true}, {true, true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			e := play(script)
			const width = 4
			params := engine.NewParams[float64]([]engine.Spec{
				{Name: "start", Shape: []int{3, width}, Init: engine.Normal(1)},
				{Name: "step", Shape: []int{width}, Init: engine.Normal(1)},
				{Name: "mix", Shape: []int{width, width}, Init: engine.Normal(1)},
			}, 3)
			g := engine.NewGraph(params)
			token := g.Input("token", engine.NewArray([]float64{0}, 1))
			x := g.Param("start")
			states := []*engine.Node{x}
			for hop := 1; hop < len(script); hop++ {
				x = g.ApplyAfter(token, gather[float64](e, hop), x)
				x = g.Apply(&ops.Bias[float64]{}, g.Apply(&ops.Project[float64]{}, x, g.Param("mix")), g.Param("step"))
				states = append(states, x)
			}
			last := g.ApplyAfter(token, &haltedStates[float64]{Episode: e}, states...)
			loss := g.Apply(&ops.CrossEntropy[float64]{Labels: &ops.Words{Width: 1, IDs: []int32{2, 0, 3}}}, last)
			finiteDifferences(t, g, params, loss)
		})
	}
}

// TestHaltedStatesCollects checks the states, numbered 10 hop + index.
func TestHaltedStatesCollects(t *testing.T) {
	e := play([][]bool{{true, false, true}, {false, true, true}, {true, true, true}})
	var out engine.Array[float64]
	(&haltedStates[float64]{Episode: e}).Forward([]*engine.Array[float64]{
		engine.NewArray([]float64{10, 11, 12}, 3, 1), engine.NewArray([]float64{20, 21}, 2, 1),
		engine.NewArray([]float64{30}, 1, 1), engine.NewArray([]float64{0}, 1),
	}, &out)
	if want := []float64{20, 11, 30}; !slices.Equal(out.Data, want) {
		t.Errorf("states %v, want %v", out.Data, want)
	}
}

func TestGRUGradient(t *testing.T) {
	specs := []engine.Spec{}
	for i, shape := range [][]int{{3, 2}, {3, 4}, {4, 2}, {4, 2}, {4, 2}, {4, 4}, {4, 4}, {4, 4}, {4}, {4}, {4}} {
		specs = append(specs, engine.Spec{Name: string(rune('a' + i)), Shape: shape, Init: engine.Normal(1)})
	}
	input := specs[gruS]
	params := engine.NewParams[float64](specs[1:], 11)
	g := engine.NewGraph(params)
	in := []*engine.Node{g.Input(input.Name, engine.NewArray([]float64{0.3, -1, 2, 0.5, -0.7, 1.1}, input.Shape...))}
	for _, s := range specs[1:] {
		in = append(in, g.Param(s.Name))
	}
	z := g.Apply(&gru[float64]{}, in...)
	finiteDifferences(t, g, params, g.Apply(&ops.CrossEntropy[float64]{Labels: &ops.Words{Width: 1, IDs: []int32{2, 0, 3}}}, z))
}
