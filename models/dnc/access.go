package dnc

import (
	"math"

	"gonum.org/v1/gonum/blas"

	"memobench/models/ops"
	"memobench/models/vector"
)

// computeWriteWeights interpolates between allocation and content weights (5):
//
//	w = g^w (g^a a + (1 - g^a) c)
func (s *memoryStep[T]) computeWriteWeights() {
	gw, ga := s.writeGate[0], s.allocationGate[0]
	for j, c := range s.writeContent {
		s.writeWeights[j] = gw * (ga*s.allocation[j] + (1-ga)*c)
	}
}

// writeWeightsBack takes the gradient of the write weights and sets those of the gates,
// the allocation and the content weights.
func (s *memoryStep[T]) writeWeightsBack(dweights []T, de *interfaceVector[T], dallocation, dcontent []T) {
	gw, ga := s.writeGate[0], s.allocationGate[0]
	dgw, dga := T(0), T(0)
	for j, d := range dweights {
		a, c := s.allocation[j], s.writeContent[j]
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
// It also computes the norms of the slots.
func (s *memoryStep[T]) write(before *memoryStep[T], epsilon T) {
	word := len(s.erase)
	for n, weight := range s.writeWeights {
		lo, hi := n*word, (n+1)*word
		squares := vector.EraseAdd(s.memory[lo:hi], before.memory[lo:hi], s.erase, s.writeVector, weight)
		s.rowNorms[n] = T(math.Sqrt(float64(squares + epsilon)))
	}
}

// writeBack replaces dmemory, the gradient of M, by the gradient of M'. It adds to dweights
// and sets the gradients of the erase and write vectors.
func (s *memoryStep[T]) writeBack(before *memoryStep[T], dmemory, dweights, derase, dvector []T) {
	word := len(s.erase)
	clear(derase)
	clear(dvector)
	for n, weight := range s.writeWeights {
		lo, hi := n*word, (n+1)*word
		dweights[n] += vector.EraseAddBack(dmemory[lo:hi], before.memory[lo:hi], s.erase, s.writeVector, weight, derase, dvector)
	}
}

// computeReadWeights mixes the three read modes of each head (10):
//
//	w^r = pi^r_1 backward^r + pi^r_2 content^r + pi^r_3 forward^r
func (s *memoryStep[T]) computeReadWeights() {
	slots := len(s.usage)
	for r := range s.freeGates {
		lo, hi := r*slots, (r+1)*slots
		backward, content, forward, pi := s.backwards[lo:hi], s.readContent[lo:hi], s.forwards[lo:hi], s.readModes[r*modes:]
		for n := range backward {
			s.readWeights[lo+n] = pi[0]*backward[n] + pi[1]*content[n] + pi[2]*forward[n]
		}
	}
}

// readWeightsBack takes the gradient of the read weights and sets those of the read modes
// and of the weights that they mix.
func (s *memoryStep[T]) readWeightsBack(dweights, dmodes, dbackwards, dcontent, dforwards []T) {
	slots := len(s.usage)
	for r := range s.freeGates {
		lo, hi := r*slots, (r+1)*slots
		d, pi := dweights[lo:hi], s.readModes[r*modes:]
		for mode, mixed := range [modes][2][]T{{s.backwards, dbackwards}, {s.readContent, dcontent}, {s.forwards, dforwards}} {
			dmodes[r*modes+mode] = vector.Dot(d, mixed[0][lo:hi])
			clear(mixed[1][lo:hi])
			vector.AddScaled(mixed[1][lo:hi], pi[mode], d)
		}
	}
}

// read reads the memory into vectors [R x W] (10): r^r = M^T w^r.
func (s *memoryStep[T]) read(vectors []T) {
	heads, slots, word := len(s.freeGates), len(s.usage), len(s.erase)
	ops.Gemm(blas.NoTrans, blas.NoTrans, heads, word, slots, 1, s.readWeights, slots, s.memory, word, 0, vectors, word)
}

// readBack adds to dweights, given the gradient of the read vectors. memoryGradient adds
// to the gradient of the memory.
func (s *memoryStep[T]) readBack(dvectors, dweights []T) {
	heads, slots, word := len(s.freeGates), len(s.usage), len(s.erase)
	ops.Gemm(blas.NoTrans, blas.Trans, heads, slots, word, 1, dvectors, word, s.memory, word, 1, dweights, slots)
}
