package dnc

import (
	"math"
	"testing"
)

// TestInterfaceOrder checks where each piece of an interface vector of two
// heads and words of three is.
func TestInterfaceOrder(t *testing.T) {
	line := make([]float64, interfaceWidth(2, 3))
	if len(line) != 2*3+3*3+5*2+3 {
		t.Fatalf("%d numbers", len(line))
	}
	for i := range line {
		line[i] = float64(i)
	}
	e := split(line, 2, 3)
	for _, p := range []struct {
		name        string
		piece       []float64
		start, size int
	}{
		{"read keys", e.readKeys, 0, 6}, {"read strengths", e.readStrengths, 6, 2},
		{"write key", e.writeKey, 8, 3}, {"write strength", e.writeStrength, 11, 1},
		{"erase", e.erase, 12, 3}, {"write vector", e.writeVector, 15, 3},
		{"free gates", e.freeGates, 18, 2}, {"allocation gate", e.allocationGate, 20, 1}, {"write gate", e.writeGate, 21, 1},
		{"read modes", e.readModes, 22, 6},
	} {
		if len(p.piece) != p.size || p.piece[0] != float64(p.start) {
			t.Errorf("%s: %v, want %d numbers from %d", p.name, p.piece, p.size, p.start)
		}
	}
}

func TestActivations(t *testing.T) {
	near(t, "oneplus", []float64{oneplus(0.0), oneplus(2.0), oneplus(-2.0)},
		[]float64{1 + math.Ln2, 1 + math.Log(1+math.Exp(2)), 1 + math.Log(1+math.Exp(-2))})

	e := split([]float64{0, 0, 0, 0, 1, 0, 0, 1, 0, 0, math.Log(2), math.Log(5)}, 1, 1)
	e.activate()
	near(t, "sigmoid", []float64{e.freeGates[0], e.erase[0]}, []float64{0.5, math.E / (1 + math.E)})
	near(t, "softmax", e.readModes, []float64{1. / 8, 2. / 8, 5. / 8})

	// Far outside they saturate, and their gradients stay finite.
	for _, x := range []float32{-1e4, 1e4} {
		e := split([]float32{0, x, 0, x, x, 0, x, x, x, x, 0, 0}, 1, 1)
		e.activate()
		d := split([]float32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 1, 1)
		e.chain(&d)
		for _, p := range [][]float32{e.readStrengths, e.erase, e.readModes, d.readStrengths, d.erase, d.readModes} {
			for _, v := range p {
				if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
					t.Errorf("at %g: %g", x, v)
				}
			}
		}
	}
}

func TestInterfaceGradient(t *testing.T) {
	rng := newRand()
	linear := random(rng, interfaceWidth(2, 3), -2, 2)
	value := make([]float64, len(linear))
	forward := func() {
		copy(value, linear)
		e := split(value, 2, 3)
		e.activate()
	}
	forward()
	gradient := random(rng, len(linear), -1, 1)
	chained := append([]float64(nil), gradient...)
	e, d := split(value, 2, 3), split(chained, 2, 3)
	e.chain(&d)
	checkGradients(t, forward, []result{{value, gradient}}, []operand{{"linear output", linear, chained}})
}
