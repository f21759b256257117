package dnc

import (
	"gonum.org/v1/gonum/blas"

	"memobench/models/engine"
	"memobench/models/ops"
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
}

func (w *write[T]) forward() {
	word := len(w.erase)
	for n, weight := range w.weights {
		old, row := w.previous[n*word:(n+1)*word], w.memory[n*word:(n+1)*word]
		erase, vector := w.erase[:len(row)], w.vector[:len(row)]
		for j, m := range old[:len(row)] {
			row[j] = m - weight*(m*erase[j]-vector[j])
		}
	}
}

// backward turns dmemory from the gradient of M into that of M', adds to that
// of the weights and sets those of the erase and write vectors. products
// [N x W] is scratch: sums over dmemory o M' are left to BLAS, which does not
// wait for one addition before the next.
func (w *write[T]) backward(dmemory, dweights, derase, dvector, products []T) {
	word, slots := len(w.erase), len(w.weights)
	ops.Gemv(blas.Trans, slots, word, 1, dmemory, word, w.weights, 0, dvector)
	ops.Gemv(blas.NoTrans, slots, word, 1, dmemory, word, w.vector, 1, dweights)
	for n, weight := range w.weights {
		old, d := w.previous[n*word:(n+1)*word], dmemory[n*word:(n+1)*word]
		erase, p := w.erase[:len(d)], products[n*word:][:len(d)]
		for j, m := range old[:len(d)] {
			v := d[j]
			p[j] = v * m
			d[j] = v - weight*erase[j]*v
		}
	}
	ops.Gemv(blas.Trans, slots, word, -1, products, word, w.weights, 0, derase)
	ops.Gemv(blas.NoTrans, slots, word, -1, products, word, w.erase, 1, dweights)
}
