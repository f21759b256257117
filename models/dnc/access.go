package dnc

import (
	"math"

	"gonum.org/v1/gonum/blas"

	"memobench/models/ops"
	"memobench/models/vector"
)

// weighWrites mixes allocation and content (5):
//
//	w = g^w (g^a a + (1 - g^a) c)
func (l *line[T]) weighWrites() {
	gw, ga := l.writeGate[0], l.allocationGate[0]
	for j, c := range l.writeContent {
		l.writeWeights[j] = gw * (ga*l.allocation[j] + (1-ga)*c)
	}
}

// weighWritesBack takes the gradient of the write weights and sets the others.
func (l *line[T]) weighWritesBack(dweights []T, de *emitted[T], dallocation, dcontent []T) {
	gw, ga := l.writeGate[0], l.allocationGate[0]
	dgw, dga := T(0), T(0)
	for j, d := range dweights {
		a, c := l.allocation[j], l.writeContent[j]
		dgw += d * (ga*a + (1-ga)*c)
		dga += d * gw * (a - c)
		dallocation[j] = d * gw * ga
		dcontent[j] = d * gw * (1 - ga)
	}
	de.writeGate[0], de.allocationGate[0] = dgw, dga
}

// write erases and writes (6):
//
//	M = M' o (1 - w e^T) + w v^T
//
// It also leaves the norms of the memory's rows.
func (l *line[T]) write(before *line[T], epsilon T) {
	word := len(l.erase)
	for n, weight := range l.writeWeights {
		lo, hi := n*word, (n+1)*word
		squares := vector.EraseAdd(l.memory[lo:hi], before.memory[lo:hi], l.erase, l.writeVector, weight)
		l.rowNorms[n] = T(math.Sqrt(float64(squares + epsilon)))
	}
}

// writeBack turns dmemory from the gradient of M into that of M', adds to that
// of the write weights and sets those of the erase and write vectors.
func (l *line[T]) writeBack(before *line[T], dmemory, dweights, derase, dvector []T) {
	word := len(l.erase)
	clear(derase)
	clear(dvector)
	for n, weight := range l.writeWeights {
		lo, hi := n*word, (n+1)*word
		dweights[n] += vector.EraseAddBack(dmemory[lo:hi], before.memory[lo:hi], l.erase, l.writeVector, weight, derase, dvector)
	}
}

// weighReads mixes the three ways in which a head moves (10):
//
//	w^r = pi^r_1 backward^r + pi^r_2 content^r + pi^r_3 forward^r
func (l *line[T]) weighReads() {
	slots := len(l.usage)
	for r := range l.freeGates {
		lo, hi := r*slots, (r+1)*slots
		back, look, on, pi := l.backwards[lo:hi], l.readContent[lo:hi], l.forwards[lo:hi], l.readModes[r*modes:]
		for n := range back {
			l.readWeights[lo+n] = pi[0]*back[n] + pi[1]*look[n] + pi[2]*on[n]
		}
	}
}

// weighReadsBack takes the gradient of the read weights and sets the others.
func (l *line[T]) weighReadsBack(dweights, dmodes, dbackwards, dcontent, dforwards []T) {
	slots := len(l.usage)
	for r := range l.freeGates {
		lo, hi := r*slots, (r+1)*slots
		d, pi := dweights[lo:hi], l.readModes[r*modes:]
		for mode, way := range [modes][2][]T{{l.backwards, dbackwards}, {l.readContent, dcontent}, {l.forwards, dforwards}} {
			dmodes[r*modes+mode] = vector.Dot(d, way[0][lo:hi])
			clear(way[1][lo:hi])
			vector.AddScaled(way[1][lo:hi], pi[mode], d)
		}
	}
}

// read reads the memory into vectors [R x W] (10): r^r = M^T w^r.
func (l *line[T]) read(vectors []T) {
	heads, slots, word := len(l.freeGates), len(l.usage), len(l.erase)
	ops.Gemm(blas.NoTrans, blas.NoTrans, heads, word, slots, 1, l.readWeights, slots, l.memory, word, 0, vectors, word)
}

// readBack takes the gradient of the vectors and adds to that of the read weights;
// memoryGradient adds to that of the memory.
func (l *line[T]) readBack(dvectors, dweights []T) {
	heads, slots, word := len(l.freeGates), len(l.usage), len(l.erase)
	ops.Gemm(blas.NoTrans, blas.Trans, heads, slots, word, 1, dvectors, word, l.memory, word, 1, dweights, slots)
}
