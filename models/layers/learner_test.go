package layers

import (
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/engine"
)

func TestSizeIsCheckedBeforeAllocation(t *testing.T) {
	huge := []engine.Spec{
		{Name: "small", Shape: []int{2}, Init: engine.Constant(1)},
		{Name: "wide", Shape: []int{1 << 40, 1 << 40}, Init: engine.Constant(1)},
	}
	_, err := newLearner[float32](huge, models.Training{Optimizer: "adam", LearningRate: 1}, 1)
	if err == nil || !strings.Contains(err.Error(), "wide") {
		t.Errorf("want an error that names the parameter, got %v", err)
	}
}

// Weight decay also applies to a weight without gradient.
func TestWeightDecayFollowsTheRate(t *testing.T) {
	specs := []engine.Spec{{Name: "x", Shape: []int{2}, Init: engine.Constant(2)}}
	l := must.Get(newLearner[float64](specs, models.Training{Optimizer: "adam", LearningRate: 0.1, WeightDecay: 0.5}, 1))(t)
	l.update()
	if w := l.Params.Values; w[0] != 2*(1-0.05) || w[1] != w[0] {
		t.Errorf("weights %v after a step of rate 0.1 and decay 0.5, want 1.9", w)
	}
}

// TestSeparateGroups checks that each group has its own optimizer and rate, and that a state
// holds both.
func TestSeparateGroups(t *testing.T) {
	specs := []engine.Spec{
		{Name: "main", Shape: []int{2}, Init: engine.Constant(1)},
		{Name: "own.a", Shape: []int{3}, Init: engine.Constant(1)},
	}
	main := models.Training{Optimizer: "adam", LearningRate: 0.1}
	l := must.Get(newLearner[float64](specs, main, 1))(t)
	must.Do(t, l.separate("own.", main, models.Training{Optimizer: "rmsprop", LearningRate: 0.01}))
	for i := range l.Params.Grads {
		l.Params.Grads[i] = 1
	}
	rate, norm := l.update()
	if rate != 0.1 || norm*norm < 1.99 || norm*norm > 2.01 {
		t.Errorf("rate %g and norm %g, want those of the main group, 0.1 and the root of 2", rate, norm)
	}
	// Adam's first step is the rate; RMSProp's is rate / sqrt(1 - alpha) = 0.1.
	for i, want := range []float64{0.9, 0.9, 0.9, 0.9, 0.9} {
		if v := l.Params.Values[i]; v < want-1e-6 || v > want+1e-6 {
			t.Errorf("weight %d is %g after a step, want %g", i, v, want)
		}
	}
	var names []string
	for _, w := range l.State().Tensors {
		names = append(names, w.Name)
	}
	if want := []string{"main", "own.a", "optimizer.adam.m", "optimizer.adam.v", "optimizer.own.rmsprop.v"}; !slices.Equal(names, want) {
		t.Errorf("state holds %q, want %q", names, want)
	}
}
