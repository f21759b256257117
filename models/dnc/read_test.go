package dnc

import "testing"

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
