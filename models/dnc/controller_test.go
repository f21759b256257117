package dnc

import (
	"math"
	"testing"
)

func testLSTM() *lstm[float64] {
	rng := newRand()
	return &lstm[float64]{
		gates: random(rng, 12, -2, 2), previous: random(rng, 3, -1, 1),
		cell: make([]float64, 3), squashed: make([]float64, 3), hidden: make([]float64, 3),
	}
}

// TestLSTM checks one unit by hand: gates i, f, o, g of 0, ln 3, -ln 3 and
// artanh(1/2) are 1/2, 3/4, 1/4 and 1/2.
func TestLSTM(t *testing.T) {
	l := lstm[float64]{
		gates: []float64{0, math.Log(3), -math.Log(3), math.Atanh(0.5)}, previous: []float64{2},
		cell: make([]float64, 1), squashed: make([]float64, 1), hidden: make([]float64, 1),
	}
	l.forward()
	near(t, "gates", l.gates, []float64{0.5, 0.75, 0.25, 0.5})
	near(t, "cell", l.cell, []float64{0.75*2 + 0.5*0.5})
	near(t, "hidden", l.hidden, []float64{0.25 * math.Tanh(1.75)})
}

func TestLSTMGradient(t *testing.T) {
	l, rng := testLSTM(), newRand()
	linear := append([]float64(nil), l.gates...)
	forward := func() {
		copy(l.gates, linear)
		l.forward()
	}
	forward()
	dhidden, dcell, dgates := random(rng, 3, -1, 1), random(rng, 3, -1, 1), make([]float64, 12)
	results := []result{{l.hidden, dhidden}, {l.cell, append([]float64(nil), dcell...)}}
	l.backward(dhidden, dcell, dgates)
	checkGradients(t, forward, results, []operand{{"gates", linear, dgates}, {"previous cell", l.previous, dcell}})
}
