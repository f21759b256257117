package halting

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"memobench/datasets/must"
	"memobench/models/engine"
	"memobench/models/ops"
)

// logit is the inverse of sigmoid.
func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// ponder runs PonderNet's loss on logits [step][example] and scores of two answers, of
// which the first is right and has the given probability.
func ponder(prior Prior, logits [][]float64, right [][]float64) (p *ponderLoss[float64], loss float64) {
	batch := len(logits[0])
	p = &ponderLoss[float64]{Prior: &prior, Labels: &ops.Words{Width: 1, IDs: make([]int32, batch)}}
	var in, scores []*engine.Array[float64]
	for n, line := range logits {
		in = append(in, engine.NewArray(line, batch, 1))
		var x []float64
		for _, probability := range right[n] {
			x = append(x, logit(probability), 0)
		}
		scores = append(scores, engine.NewArray(x, batch, 2))
	}
	var out engine.Array[float64]
	p.Forward(append(in, scores...), &out)
	return p, out.Data[0]
}

// TestPonderLossByHand: with lambda 1/2 and 1/4, p is (1/2, 1/8, 3/8); the prior of 1/2 in
// three steps is (4, 2, 1)/7.
func TestPonderLossByHand(t *testing.T) {
	logits := [][]float64{{logit(0.5)}, {logit(0.25)}, {3}}
	p, loss := ponder(Prior{PonderPrior: 0.5, PonderBeta: 0.3}, logits, [][]float64{{0.5}, {0.8}, {0.9}})
	if want := []float64{0.5, 0.125, 0.375}; !near(p.p, want) {
		t.Errorf("halting probabilities %v, want %v", p.p, want)
	}
	expected := 0.5*math.Log(2) + 0.125*math.Log(1.25) + 0.375*math.Log(1/0.9)
	divergence := 0.5*math.Log(7./8) + 0.125*math.Log(7./16) + 0.375*math.Log(21./8)
	if math.Abs(divergence-0.191804818) > 1e-9 {
		t.Errorf("the divergence by hand is %.10g", divergence)
	}
	if !near([]float64{p.expected, loss}, []float64{expected, expected + 0.3*divergence}) {
		t.Errorf("expected loss %.15g and loss %.15g, want %.15g and %.15g", p.expected, loss, expected, expected+0.3*divergence)
	}
}

func near(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) <= 1e-12*math.Max(1, math.Abs(y)) })
}

// TestPonderGradient compares the loss of three examples with finite differences in
// logits and scores.
func TestPonderGradient(t *testing.T) {
	for _, steps := range []int{1, 2, 4} {
		var specs []engine.Spec
		for _, x := range []struct {
			name  string
			width int
		}{{"l", 1}, {"s", 4}} {
			for n := range steps {
				specs = append(specs, engine.Spec{Name: fmt.Sprint(x.name, n), Shape: []int{3, x.width}, Init: engine.Normal(1)})
			}
		}
		params := engine.NewParams[float64](specs, 3)
		g := engine.NewGraph(params)
		var in []*engine.Node
		for _, s := range specs {
			in = append(in, g.Param(s.Name))
		}
		cost, _ := PonderLoss(g, &Prior{PonderPrior: 0.3, PonderBeta: 0.7}, &ops.Words{Width: 1, IDs: []int32{2, 0, 3}}, in[:steps], in[steps:])
		finiteDifferences(t, g, params, cost)
	}
}

// TestSample: over evenly spread draws, examples halt at each step as often as they
// should, and are found there.
func TestSample(t *testing.T) {
	const size, steps = 1000, 4
	offsets := make([]int, size+1)
	e := NewEpisode(steps, &ops.Segments{Offsets: offsets})
	g := engine.NewGraph(engine.NewParams[float64](nil, 1))
	var logits, states []*engine.Node
	lambda, want, rest := []float64{0.1, 0.6, 0.5, 0.2}, make([]float64, steps), 1.0
	for n, p := range lambda {
		logits = append(logits, g.Input(fmt.Sprint("l", n), engine.NewArray(slices.Repeat([]float64{logit(p)}, size), size, 1)))
		x := make([]float64, size)
		for b := range x {
			x[b] = float64(size*(n+1) + b)
		}
		states = append(states, g.Input(fmt.Sprint("x", n), engine.NewArray(x, size, 1)))
		if n == steps-1 {
			p = 1
		}
		want[n] = rest * p
		rest *= 1 - p
	}
	last := Halted(g, e, e.Sample(func(example int) float64 { return (float64(example) + 0.5) / size }), logits, states)
	prog := must.Get(g.Compile(nil, last))(t)
	for range 2 { // the second run begins anew
		prog.Run()
		taken := make([]float64, steps)
		for b, n := range e.Hops {
			taken[n-1]++
			if got := prog.Array(last).Data[b]; got != float64(size*n+b) {
				t.Fatalf("example %d, which halts at step %d, has %g", b, n, got)
			}
		}
		for n, p := range want {
			if math.Abs(taken[n]-p*size) > 1 {
				t.Errorf("%g of %d examples halt at step %d, want %g", taken[n], size, n+1, p*size)
			}
		}
	}
}
