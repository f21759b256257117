package dnc

import (
	"math"

	"gonum.org/v1/gonum/blas"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// readWeights mixes the three ways in which a head moves (10):
//
//	w^r = pi^r_1 backward^r + pi^r_2 content^r + pi^r_3 forward^r
type readWeights[T engine.Float] struct {
	modes                      []T // pi, [R x 3]
	backwards, content, onward []T // [R x N]
	weights                    []T // w, [R x N]
}

func (w *readWeights[T]) forward(slots int) {
	for r := 0; r*slots < len(w.weights); r++ {
		lo, hi := r*slots, (r+1)*slots
		back, look, on, pi := w.backwards[lo:hi], w.content[lo:hi], w.onward[lo:hi], w.modes[r*modes:]
		for n := range back {
			w.weights[lo+n] = pi[0]*back[n] + pi[1]*look[n] + pi[2]*on[n]
		}
	}
}

// backward takes the gradient of the weights and sets the others.
func (w *readWeights[T]) backward(slots int, dweights, dmodes, dbackwards, dcontent, donward []T) {
	for r := 0; r*slots < len(dweights); r++ {
		lo, hi := r*slots, (r+1)*slots
		back, look, on, pi := w.backwards[lo:hi], w.content[lo:hi], w.onward[lo:hi], w.modes[r*modes:]
		d, dback, dlook, don := dweights[lo:hi], dbackwards[lo:hi], dcontent[lo:hi], donward[lo:hi]
		for mode, way := range [modes][2][]T{{back, dback}, {look, dlook}, {on, don}} {
			dmodes[r*modes+mode] = vector.Dot(d, way[0])
			clear(way[1])
			vector.AddScaled(way[1], pi[mode], d)
		}
	}
}

// read reads the memory (10): r^r = M^T w^r.
type read[T engine.Float] struct {
	weights []T // w, [R x N]
	memory  []T // M, [N x W]
	vectors []T // r, [R x W]
}

func (r *read[T]) forward(slots int) {
	heads, word := len(r.weights)/slots, len(r.memory)/slots
	ops.Gemm(blas.NoTrans, blas.NoTrans, heads, word, slots, 1, r.weights, slots, r.memory, word, 0, r.vectors, word)
}

// backward takes the gradient of the vectors and adds to that of the weights;
// memoryGradient adds to that of the memory.
func (r *read[T]) backward(slots int, dvectors, dweights []T) {
	heads, word := len(r.weights)/slots, len(r.memory)/slots
	ops.Gemm(blas.NoTrans, blas.Trans, heads, slots, word, 1, dvectors, word, r.memory, word, 1, dweights, slots)
}

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
