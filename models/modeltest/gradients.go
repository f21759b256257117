package modeltest

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models/engine"
)

// Float64 is a model over float64, as far as its loss goes.
type Float64 struct {
	// Gradient returns the training loss of a batch and leaves its gradient in
	// Params.Grads.
	Gradient func(b *datasets.Batch) (float64, error)
	Params   *engine.Params[float64]
}

func (m *Float64) loss(t *testing.T, b *datasets.Batch) float64 {
	t.Helper()
	return must.Get(m.Gradient(b))(t)
}

// NewFloat64Model builds the model under test for a task. It may scale its initial
// values, so that nothing stays linear.
type NewFloat64Model = func(t *testing.T, shape datasets.Shape) Float64

// Gradients compares the gradient of a model's whole loss with finite
// differences, on each task of the contract. It suits models whose loss has
// every gradient that it seems to have, so none that stops one on purpose.
func Gradients(t *testing.T, build NewFloat64Model) {
	for name, shape := range tasks() {
		t.Run(name, func(t *testing.T) {
			m := build(t, shape)
			b := pack(shape, examples(shape, 3, 4)...)
			m.loss(t, b)
			Slopes(t, m.Params, func() float64 { return m.loss(t, b) })
		})
	}
}

// Slopes compares the gradient in params with central differences of loss along one random
// direction of each parameter. None may be 0.
func Slopes(t *testing.T, params *engine.Params[float64], loss func() float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 8))
	grads := slices.Clone(params.Grads) // loss may change them
	at := 0
	for _, p := range params.List() {
		// Rounding leaves about 1e-16/h, the cubic term h^2 times a third derivative, which a
		// LayerNorm makes large.
		const h = 1e-5
		slope, direction, old := 0.0, make([]float64, len(p.Value)), slices.Clone(p.Value)
		for i := range direction {
			direction[i] = rng.NormFloat64()
			slope += direction[i] * grads[at+i]
		}
		at += len(direction)
		along := func(step float64) float64 {
			for i := range p.Value {
				p.Value[i] = old[i] + step*direction[i]
			}
			return loss()
		}
		numeric := (along(h) - along(-h)) / (2 * h)
		copy(p.Value, old)
		if math.Abs(slope-numeric) > 1e-7+1e-6*math.Abs(numeric) {
			t.Errorf("slope of the loss along %s is %.10g, by differences %.10g", p.Name, slope, numeric)
		}
		if math.Abs(numeric) < 1e-6 {
			t.Errorf("the slope of the loss along %s is %.3g: this tests nothing", p.Name, numeric)
		}
	}
}

// Separate compares a model for several answers, which share only the memory, with models for
// one answer and the same weights: the answers are equal, and the loss and the gradients of
// shared weights are the means of theirs. The model must use teacher forcing and no dropout.
// With appended, queries after the first have the previous answer as an additional word.
func Separate(t *testing.T, build NewFloat64Model, appended bool) {
	t.Helper()
	const answers = 3
	plain := tasks()["temporal"]
	several := plain
	several.Answers, several.QuerySlot = answers, 1
	m := build(t, several)
	es := examples(several, 4, 5)
	loss := m.loss(t, pack(several, es...))

	mean, sum := 0.0, map[string][]float64{}
	for a := range answers {
		one := plain
		if appended && a > 0 {
			one.QueryWidth++
		}
		single := build(t, one)
		suffix := ""
		if a > 0 {
			suffix = "." + string(rune('1'+a))
		}
		names := map[string]string{} // in the whole, by name in the single model
		for _, p := range single.Params.List() {
			names[p.Name] = p.Name
			if m.Params.Get(p.Name+suffix) != nil {
				names[p.Name] += suffix
			}
			copy(p.Value, m.Params.Get(names[p.Name]).Value)
		}
		mean += single.loss(t, queried(one, several.QuerySlot, es, a)) / answers
		for _, p := range single.Params.List() {
			name := names[p.Name]
			if sum[name] == nil {
				sum[name] = make([]float64, len(p.Grad))
			}
			for i, g := range p.Grad {
				sum[name][i] += g / answers
			}
		}
	}
	if math.Abs(loss-mean) > 1e-12*math.Abs(mean) {
		t.Errorf("loss %.15g, mean of single answers %.15g", loss, mean)
	}
	own := 0
	for _, p := range m.Params.List() {
		want, ok := sum[p.Name]
		if !ok {
			t.Errorf("%s belongs to no answer", p.Name)
			continue
		}
		if !slices.EqualFunc(p.Grad, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(1, math.Abs(b)) }) {
			t.Errorf("the gradient of %s is not the mean of those of single answers", p.Name)
		}
		if strings.HasSuffix(p.Name, ".3") {
			own++
		}
	}
	if own == 0 {
		t.Error("the third answer has no weights of its own")
	}
}

// queried returns the examples with the query of answer a: the right previous answer is the last
// word of wider queries, or in the given slot.
func queried(s datasets.Shape, slot int, es []example, a int) *datasets.Batch {
	var list []example
	for _, e := range es {
		e.query = slices.Clone(e.query)
		if len(e.query) < s.QueryWidth {
			e.query = append(e.query, e.targets[a-1])
		} else if a > 0 {
			e.query[slot] = e.targets[a-1]
		}
		e.targets = e.targets[a : a+1]
		list = append(list, e)
	}
	return pack(s, list...)
}
