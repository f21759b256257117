package dnc

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns n numbers from lo to hi.
func random(rng *rand.Rand, n int, lo, hi float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = lo + (hi-lo)*rng.Float64()
	}
	return x
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(7, 8)) }

// result is an output of an equation with the gradient of the test's loss with
// respect to it: the loss is the sum of their products.
type result struct{ value, gradient []float64 }

// operand is an input of an equation with its computed gradient.
type operand struct {
	name            string
	value, gradient []float64
}

// checkGradients holds the operands' gradients against central differences of
// the loss. Their error is about h^2 from the cubic term and 1e-16/h from
// rounding, both near 1e-10.
func checkGradients(t *testing.T, forward func(), results []result, operands []operand) {
	t.Helper()
	weights := make([][]float64, len(results))
	for i, r := range results {
		weights[i] = slices.Clone(r.gradient)
	}
	checkLoss(t, operands, func() float64 {
		forward()
		sum := 0.0
		for i, r := range results {
			for j, v := range r.value {
				sum += v * weights[i][j]
			}
		}
		return sum
	})
}

// checkLoss does the same for any loss.
func checkLoss(t *testing.T, operands []operand, loss func() float64) {
	t.Helper()
	const h = 1e-5
	for _, o := range operands {
		analytic, some := slices.Clone(o.gradient), false
		for i, old := range o.value {
			o.value[i] = old + h
			up := loss()
			o.value[i] = old - h
			down := loss()
			o.value[i] = old
			numeric := (up - down) / (2 * h)
			if math.Abs(numeric-analytic[i]) > 1e-8*math.Max(1, math.Abs(numeric)) {
				t.Errorf("gradient of %s[%d]: analytic %.10g, numeric %.10g", o.name, i, analytic[i], numeric)
			}
			some = some || math.Abs(numeric) > 1e-6
		}
		if !some {
			t.Errorf("gradient of %s is zero everywhere: this tests nothing", o.name)
		}
	}
}

// near reports the first element in which two arrays differ by more than
// rounding.
func near(t *testing.T, name string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d elements, want %d", name, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-12*math.Max(1, math.Abs(want[i]))) {
			t.Errorf("%s[%d] = %.15g, want %.15g", name, i, got[i], want[i])
		}
	}
}
