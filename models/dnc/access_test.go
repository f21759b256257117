package dnc

import (
	"math"
	"testing"
)

func TestReadWeights(t *testing.T) {
	w := readWeights[float64]{
		modes:     []float64{1, 0, 0, 0.2, 0.3, 0.5},
		backwards: []float64{1, 2, 3, 4}, content: []float64{10, 20, 30, 40}, onward: []float64{100, 200, 300, 400},
		weights: make([]float64, 4),
	}
	w.forward(2)
	near(t, "weights", w.weights, []float64{1, 2, 0.6 + 9 + 150, 0.8 + 12 + 200})
}

func TestReadWeightsGradient(t *testing.T) {
	rng := newRand()
	w := readWeights[float64]{
		modes: random(rng, 6, 0, 1), backwards: random(rng, 8, 0, 1), content: random(rng, 8, 0, 1), onward: random(rng, 8, 0, 1),
		weights: make([]float64, 8),
	}
	d := random(rng, 8, -1, 1)
	dmodes, db, dc, df := make([]float64, 6), make([]float64, 8), make([]float64, 8), make([]float64, 8)
	w.forward(4)
	w.backward(4, d, dmodes, db, dc, df)
	checkGradients(t, func() { w.forward(4) }, []result{{w.weights, d}}, []operand{
		{"modes", w.modes, dmodes}, {"backward", w.backwards, db}, {"content", w.content, dc}, {"forward", w.onward, df},
	})
}

func TestRead(t *testing.T) {
	r := read[float64]{weights: []float64{1, 0, 0.5, 0.25}, memory: []float64{1, 2, 3, 4, 8, 12}, vectors: make([]float64, 6)}
	r.forward(2)
	near(t, "vectors", r.vectors, []float64{1, 2, 3, 0.5 + 1, 1 + 2, 1.5 + 3})
}

func TestReadGradient(t *testing.T) {
	rng := newRand()
	r := read[float64]{weights: random(rng, 8, 0, 1), memory: random(rng, 12, -1, 1), vectors: make([]float64, 6)}
	d, dweights, dmemory := random(rng, 6, -1, 1), make([]float64, 8), make([]float64, 12)
	r.forward(4)
	r.backward(4, d, dweights)
	memoryGradient(dmemory, r.memory, make([]float64, 4), along[float64]{r.weights, d})
	checkGradients(t, func() { r.forward(4) }, []result{{r.vectors, d}}, []operand{{"weights", r.weights, dweights}, {"memory", r.memory, dmemory}})
}

func TestWriteWeights(t *testing.T) {
	w := writeWeights[float64]{
		writeGate: []float64{0.5}, allocationGate: []float64{0.25},
		allocation: []float64{1, 0}, content: []float64{0.2, 0.8}, weights: make([]float64, 2),
	}
	w.forward()
	near(t, "weights", w.weights, []float64{0.5 * (0.25 + 0.75*0.2), 0.5 * 0.75 * 0.8})
}

func TestWriteWeightsGradient(t *testing.T) {
	rng := newRand()
	w := writeWeights[float64]{
		writeGate: random(rng, 1, 0, 1), allocationGate: random(rng, 1, 0, 1),
		allocation: random(rng, 4, 0, 1), content: random(rng, 4, 0, 1), weights: make([]float64, 4),
	}
	d := random(rng, 4, -1, 1)
	dgw, dga, da, dc := make([]float64, 1), make([]float64, 1), make([]float64, 4), make([]float64, 4)
	w.forward()
	w.backward(d, dgw, dga, da, dc)
	checkGradients(t, w.forward, []result{{w.weights, d}}, []operand{
		{"write gate", w.writeGate, dgw}, {"allocation gate", w.allocationGate, dga}, {"allocation", w.allocation, da}, {"content", w.content, dc},
	})
}

// TestWrite replaces a slot, leaves one alone, and half-writes one.
func TestWrite(t *testing.T) {
	w := write[float64]{
		weights: []float64{1, 0, 0.5}, erase: []float64{1, 0}, vector: []float64{10, 20},
		previous: []float64{1, 2, 3, 4, 5, 6}, memory: make([]float64, 6), rowNorms: make([]float64, 3),
	}
	w.forward(0)
	near(t, "memory", w.memory, []float64{10, 22, 3, 4, 2.5 + 5, 6 + 10})
	near(t, "norms", w.rowNorms, []float64{math.Hypot(10, 22), 5, math.Hypot(7.5, 16)})
}

func TestWriteGradient(t *testing.T) {
	rng := newRand()
	w := write[float64]{
		weights: random(rng, 4, 0, 1), erase: random(rng, 3, 0, 1), vector: random(rng, 3, -1, 1),
		previous: random(rng, 12, -1, 1), memory: make([]float64, 12), rowNorms: make([]float64, 4),
	}
	forward := func() { w.forward(1e-6) }
	d := random(rng, 12, -1, 1)
	results := []result{{w.memory, append([]float64(nil), d...)}}
	dweights, derase, dvector := make([]float64, 4), make([]float64, 3), make([]float64, 3)
	forward()
	w.backward(d, dweights, derase, dvector)
	checkGradients(t, forward, results, []operand{
		{"weights", w.weights, dweights}, {"erase", w.erase, derase}, {"vector", w.vector, dvector}, {"previous memory", w.previous, d},
	})
}
