package dnc

import (
	"math"

	"memobench/models/engine"
	"memobench/models/vector"
)

// writeWeights mixes allocation and content (5):
//
//	w = g^w (g^a a + (1 - g^a) c)
type writeWeights[T engine.Float] struct {
	writeGate, allocationGate []T // g^w, g^a, [1]
	allocation, content       []T // a, c, [N]
	weights                   []T // w, [N]
}

func (w *writeWeights[T]) forward() {
	gw, ga := w.writeGate[0], w.allocationGate[0]
	for j, c := range w.content {
		w.weights[j] = gw * (ga*w.allocation[j] + (1-ga)*c)
	}
}

// backward takes the gradient of the weights and sets the others.
func (w *writeWeights[T]) backward(dweights, dwriteGate, dallocationGate, dallocation, dcontent []T) {
	gw, ga := w.writeGate[0], w.allocationGate[0]
	dgw, dga := T(0), T(0)
	for j, d := range dweights {
		a, c := w.allocation[j], w.content[j]
		dgw += d * (ga*a + (1-ga)*c)
		dga += d * gw * (a - c)
		dallocation[j] = d * gw * ga
		dcontent[j] = d * gw * (1 - ga)
	}
	dwriteGate[0], dallocationGate[0] = dgw, dga
}

// write erases and writes (6):
//
//	M = M' o (1 - w e^T) + w v^T
type write[T engine.Float] struct {
	weights       []T // w, [N]
	erase, vector []T // e, v, [W]
	previous      []T // M', [N x W]
	memory        []T // M, [N x W]
	rowNorms      []T // of M, [N]
}

// forward also leaves the norms of the memory's rows.
func (w *write[T]) forward(epsilon T) {
	word := len(w.erase)
	for n, weight := range w.weights {
		squares := vector.EraseAdd(w.memory[n*word:(n+1)*word], w.previous[n*word:(n+1)*word], w.erase, w.vector, weight)
		w.rowNorms[n] = T(math.Sqrt(float64(squares + epsilon)))
	}
}

// backward turns dmemory from the gradient of M into that of M', adds to that
// of the weights and sets those of the erase and write vectors.
func (w *write[T]) backward(dmemory, dweights, derase, dvector []T) {
	word := len(w.erase)
	clear(derase)
	clear(dvector)
	for n, weight := range w.weights {
		dweights[n] += vector.EraseAddBack(dmemory[n*word:(n+1)*word], w.previous[n*word:(n+1)*word], w.erase, w.vector, weight, derase, dvector)
	}
}
