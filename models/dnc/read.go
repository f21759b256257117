package dnc

import (
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
