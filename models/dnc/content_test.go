package dnc

import (
	"math"
	"testing"
)

// testEpsilon is large, so that finite differences hold at an empty slot too.
const testEpsilon = 0.1

func newLookup(keys, strengths, memory []float64, slots int) *lookup[float64] {
	k := len(strengths)
	return &lookup[float64]{
		keys: keys, strengths: strengths, memory: memory, rowNorms: make([]float64, slots),
		keyNorms: make([]float64, k), cosines: make([]float64, k*slots), weights: make([]float64, k*slots),
	}
}

// measure recomputes the norms of the rows.
func (l *lookup[T]) measure(epsilon T) {
	word := len(l.memory) / len(l.rowNorms)
	for n := range l.rowNorms {
		l.rowNorms[n] = norm(l.memory[n*word:(n+1)*word], epsilon)
	}
}

// TestContent looks up a slot that equals the key, one that is opposite, one
// at a right angle and an empty one.
func TestContent(t *testing.T) {
	l := newLookup([]float64{3, 4}, []float64{2}, []float64{3, 4, -3, -4, -4, 3, 0, 0}, 4)
	l.measure(1e-12)
	l.forward(1e-12)
	near(t, "cosines", l.cosines, []float64{1, -1, 0, 0})
	e := math.Exp(2)
	sum := e + 1/e + 2
	near(t, "weights", l.weights, []float64{e / sum, 1 / e / sum, 1 / sum, 1 / sum})
}

// TestContentHeads checks two keys against the equation written out.
func TestContentHeads(t *testing.T) {
	rng := newRand()
	l := newLookup(random(rng, 6, -1, 1), random(rng, 2, 1, 3), random(rng, 12, -1, 1), 4)
	l.measure(testEpsilon)
	l.forward(testEpsilon)
	for k := range 2 {
		logits, sum := make([]float64, 4), 0.0
		for n := range 4 {
			dot, key, row := 0.0, testEpsilon, testEpsilon
			for j := range 3 {
				a, b := l.keys[k*3+j], l.memory[n*3+j]
				dot, key, row = dot+a*b, key+a*a, row+b*b
			}
			logits[n] = math.Exp(l.strengths[k] * dot / math.Sqrt(key) / math.Sqrt(row))
			sum += logits[n]
		}
		for n := range logits {
			logits[n] /= sum
		}
		near(t, "weights", l.weights[k*4:(k+1)*4], logits)
	}
}

func TestContentGradient(t *testing.T) {
	rng := newRand()
	l := newLookup(random(rng, 6, -1, 1), random(rng, 2, 1, 3), random(rng, 12, -1, 1), 4)
	clear(l.memory[3:6]) // an empty slot
	forward := func() {
		l.measure(testEpsilon)
		l.forward(testEpsilon)
	}
	forward()
	dweights := random(rng, 8, -1, 1)
	results := []result{{l.weights, append([]float64(nil), dweights...)}}
	dkeys, dstrengths, dmemory := make([]float64, 6), make([]float64, 2), make([]float64, 12)
	shares := make([]float64, 4)
	l.backward(dweights, dkeys, dstrengths, shares)
	memoryGradient(dmemory, l.memory, shares, along[float64]{dweights, l.keys})
	checkGradients(t, forward, results, []operand{{"keys", l.keys, dkeys}, {"strengths", l.strengths, dstrengths}, {"memory", l.memory, dmemory}})
}
