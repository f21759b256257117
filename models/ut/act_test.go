package ut

import (
	"math"
	"slices"
	"testing"

	"memobench/datasets/must"
	"memobench/models/engine"
	"memobench/models/ops"
)

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
	h := &haltingWeights[float64]{Epsilon: 0.01}
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
	entropy := g.Apply(&ops.CrossEntropy[float64]{Labels: &ops.Words{Width: 1, IDs: []int32{2, 0, 4}}}, g.Param("scores"))
	halts := g.Apply(&haltingWeights[float64]{Epsilon: 0.01}, g.Param("l1"), g.Param("l2"), g.Param("l3"))
	loss := g.Apply(&ponderCost[float64]{Weight: 0.5}, entropy, halts)
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
