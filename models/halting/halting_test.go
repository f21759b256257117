package halting

import (
	"math"
	"slices"
	"testing"

	"memobench/models/engine"
	"memobench/models/ops"
)

// testBatch has three examples of 2, 3 and 1 rows.
var testBatch = &ops.Segments{Offsets: []int{0, 2, 5, 6}}

// play runs an episode of the given choices, [hop][example].
func play(script [][]bool) *Episode {
	e := NewEpisode(len(script), testBatch)
	e.Begin()
	for hop, line := range script {
		e.decide(hop, func(_, example int) bool { return line[example] })
	}
	return e
}

// TestEpisodeDropsHalted follows three examples that take 1, 3 and 2 hops.
func TestEpisodeDropsHalted(t *testing.T) {
	e := play([][]bool{{false, true, true}, {true, true, false}, {true, true, true}})
	if want := []int{1, 3, 2}; !slices.Equal(e.Hops, want) {
		t.Errorf("hops %v, want %v", e.Hops, want)
	}
	for hop, want := range []struct{ examples, from, offsets, first []int }{
		{[]int{0, 1, 2}, []int{0, 1, 2}, []int{0, 2, 5, 6}, nil},
		{[]int{1, 2}, []int{1, 2}, []int{0, 3, 4}, []int{2, 5}},
		{[]int{1}, []int{0}, []int{0, 3}, []int{2}},
	} {
		s := e.Stages[hop]
		if !slices.Equal(s.Examples, want.examples) || !slices.Equal(s.From, want.from) ||
			!slices.Equal(s.Segments.Offsets, want.offsets) || !slices.Equal(s.Segments.First, want.first) {
			t.Errorf("stage %d: %+v, want %+v", hop+1, *s, want)
		}
	}
	if e.Stages[2].Continues[0] {
		t.Error("an example continues after the last hop")
	}
	x := (&Net[float64]{Episode: e}).Scatter(1, []float64{1, 2, 3, 4}, 1)
	if want := []float64{0, 0, 1, 2, 3, 4}; !slices.Equal(x, want) {
		t.Errorf("scattered %v, want %v", x, want)
	}
}

func TestDistance(t *testing.T) {
	even := []float64{0.5, 0.5}
	if d := distance(even, even, 1); math.Abs(d) > 1e-12 {
		t.Errorf("equal weights are %g apart", d)
	}
	// Two heads, [rows x heads]: head 0 moves from (1/2, 1/2) to (1, 0), head 1
	// stays; -ln sqrt(1/2) / 2.
	if d, want := distance([]float64{1, 0.5, 0, 0.5}, []float64{0.5, 0.5, 0.5, 0.5}, 2), math.Log(2)/4; math.Abs(d-want) > 1e-9 {
		t.Errorf("distance %g, want %g", d, want)
	}
	if d := distance([]float64{1, 0}, []float64{0, 1}, 1); math.IsInf(d, 0) || d < 20 {
		t.Errorf("disjoint weights are %g apart, want a large finite number", d)
	}
}

// TestPolicyByHand checks loss and gradient of one example against numbers
// worked out on paper: N = 3, it continues once and halts at hop 2, rightly.
func TestPolicyByHand(t *testing.T) {
	cfg := &Config{Gamma: 0.5, Alpha: 0.1, Beta: 0.2}
	one := &ops.Segments{Offsets: []int{0, 1}}
	e := NewEpisode(3, one)
	e.Begin()
	for hop, on := range []bool{true, false, false} {
		e.decide(hop, func(int, int) bool { return on })
	}
	p := &policy[float64]{Config: cfg, Episode: e, Labels: &ops.Words{Width: 1, IDs: []int32{1}}}
	v1, l1, v2, l2 := 0.3, 0.4, -0.2, -0.6
	in := []*engine.Array[float64]{
		engine.NewArray([]float64{v1, l1}, 1, 2), engine.NewArray([]float64{v2, l2}, 1, 2), engine.NewArray([]float64{}, 0, 2),
		engine.NewArray([]float64{0, 1}, 1, 2), engine.NewArray([]float64{0}, 1),
	}
	var out engine.Array[float64]
	p.Forward(in, &out)
	r1, r2 := 0.5, 1.0 // gamma, and 1
	s := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	want := -math.Log(s(l1))*(r1-v1) - math.Log(1-s(l2))*(r2-v2) +
		0.1*((r1-v1)*(r1-v1)+(r2-v2)*(r2-v2)) + 0.2*(s(l1)+s(l2))
	if math.Abs(out.Data[0]-want) > 1e-12 {
		t.Errorf("loss %.15g, want %.15g", out.Data[0], want)
	}
}

// TestChoices checks that thresholds, samples and budgets do what they say.
func TestChoices(t *testing.T) {
	e := NewEpisode(3, testBatch)
	e.Begin()
	noise := &ops.Noise{Seed: 1, Step: 2}
	cfg := &Config{Halting: reinforce, Epsilon: 0.01}
	likelier := cfg.Choices(e, noise, 0, false)(0)
	if likelier(0, -0.1) || !likelier(0, 0.1) {
		t.Error("the threshold is not at a probability of 1/2")
	}
	sample := cfg.Choices(e, noise, 0, true)
	draw := func(hop int) (line []bool) {
		continues := sample(hop)
		for range 1000 {
			line = append(line, continues(0, math.Log(0.7/0.3)))
		}
		return line
	}
	first := draw(0)
	on := 0
	for _, v := range first {
		if v {
			on++
		}
	}
	if on < 640 || on > 760 { // four standard deviations around 700
		t.Errorf("continued %d of 1000 times at probability 0.7", on)
	}
	if !slices.Equal(first, draw(0)) {
		t.Error("equal seed, step and hop draw differently")
	}
	if slices.Equal(first, draw(1)) {
		t.Error("two hops draw the same")
	}
	cfg.Halting = act
	// Two halting probabilities of 0.5 spend the whole budget.
	if budget := cfg.Choices(e, noise, 0, false)(0); !budget(0, 0) || budget(0, 0) {
		t.Error("a budget of 1 is not spent by 0.5 and 0.5")
	}
}

// TestMixtureGradient compares ACT's loss with finite differences in outputs
// and scores; examples halt after 1, 3 and 2 hops.
func TestMixtureGradient(t *testing.T) {
	cfg := &Config{PonderCost: 0.05}
	e := play([][]bool{{false, true, true}, {false, true, false}, {false, false, false}})
	rows := []int{3, 2, 1}
	var specs []engine.Spec
	for hop, n := range rows {
		specs = append(specs, engine.Spec{Name: "o" + string(rune('0'+hop)), Shape: []int{n, 2}, Init: engine.Normal(0.5)})
	}
	for hop, n := range rows {
		specs = append(specs, engine.Spec{Name: "s" + string(rune('0'+hop)), Shape: []int{n, 4}, Init: engine.Normal(1)})
	}
	params := engine.NewParams[float64](specs, 3)
	g := engine.NewGraph(params)
	var in []*engine.Node
	for _, s := range specs {
		in = append(in, g.Param(s.Name))
	}
	loss := g.Apply(&actLoss[float64]{Config: cfg, Episode: e, Labels: &ops.Words{Width: 1, IDs: []int32{2, 0, 3}}}, in...)
	finiteDifferences(t, g, params, loss)
}
