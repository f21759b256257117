package modeltest

import (
	"math"
	"slices"
	"testing"

	"memobench/datasets"
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
	l, err := m.Gradient(b)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// NewFloat64 builds the model under test for a task. It may scale its initial
// values, so that nothing stays linear.
type NewFloat64 func(shape datasets.Shape) (Float64, error)

// Gradients holds the gradient of a model's whole loss against finite
// differences, on each task of the contract. It suits models whose loss has
// every gradient that it seems to have, so none that stops one on purpose.
// Keep the model tiny: every weight costs two passes.
func Gradients(t *testing.T, build NewFloat64) {
	for name, shape := range tasks() {
		t.Run(name, func(t *testing.T) {
			m, err := build(shape)
			if err != nil {
				t.Fatal(err)
			}
			b := pack(shape, examples(shape, 3, 4)...)
			m.loss(t, b)
			analytic := slices.Clone(m.Params.Grads)
			at := 0
			for _, p := range m.Params.List() {
				// Central differences: rounding leaves about 1e-16/h, the cubic term
				// h^2 times a third derivative, which a LayerNorm makes large.
				const h = 1e-5
				some := false
				for i, old := range p.Value {
					p.Value[i] = old + h
					up := m.loss(t, b)
					p.Value[i] = old - h
					down := m.loss(t, b)
					p.Value[i] = old
					numeric := (up - down) / (2 * h)
					if got := analytic[at]; math.Abs(numeric-got) > 1e-8+1e-6*math.Abs(numeric) {
						t.Errorf("gradient of %s[%d]: analytic %.10g, numeric %.10g", p.Name, i, got, numeric)
					}
					some = some || math.Abs(numeric) > 1e-6
					at++
				}
				if !some {
					t.Errorf("gradient of %s is zero everywhere: this tests nothing", p.Name)
				}
			}
		})
	}
}
