package dnc

import (
	"gonum.org/v1/gonum/blas"

	"memobench/models/ops"
	"memobench/models/vector"
)

// updateLinks records the order of writes (7): L[i, j] is the degree to which slot i was
// written right after slot j.
//
//	L[i, j] = (1 - w_i - w_j) L'[i, j] + w_i p'_j,  L[i, i] = 0
//
// It is quadratic in the number of slots, in time and memory.
func (s *memoryStep[T]) updateLinks(before *memoryStep[T]) {
	n := len(s.writeWeights)
	for i, wi := range s.writeWeights {
		old, row := before.links[i*n:(i+1)*n], s.links[i*n:(i+1)*n]
		vector.LinkRow(row, old, s.writeWeights, before.precedence, 1-wi, wi)
		row[i] = 0
	}
}

// linksBack replaces d, the gradient of L, by the gradient of L'. It adds to dwrite and to
// the gradient of the previous precedence.
func (s *memoryStep[T]) linksBack(before *memoryStep[T], d, dwrite, dprecedence []T) {
	n := len(s.writeWeights)
	for i, wi := range s.writeWeights {
		old, row := before.links[i*n:(i+1)*n], d[i*n:(i+1)*n]
		row[i] = 0 // the diagonal is constant
		dwrite[i] += vector.LinkRowBack(row, old, s.writeWeights, before.precedence, 1-wi, wi, dwrite, dprecedence)
	}
}

// updatePrecedence computes the degree to which each slot was the last one written (8):
//
//	p = (1 - sum of w) p' + w
func (s *memoryStep[T]) updatePrecedence(before *memoryStep[T]) {
	keep := s.keep()
	for j, w := range s.writeWeights {
		s.precedence[j] = keep*before.precedence[j] + w
	}
}

// keep returns 1 - sum of w.
func (s *memoryStep[T]) keep() T {
	keep := T(1)
	for _, w := range s.writeWeights {
		keep -= w
	}
	return keep
}

// precedenceBack replaces d, the gradient of p, by the gradient of p' and adds to dwrite.
func (s *memoryStep[T]) precedenceBack(before *memoryStep[T], d, dwrite []T) {
	keep, dkeep := s.keep(), T(0)
	for j, v := range d {
		dkeep += v * before.precedence[j]
	}
	for j, v := range d {
		dwrite[j] += v - dkeep
		d[j] = keep * v
	}
}

// computeDirections moves each head's previous read weights along the links (9):
//
//	backward^r = L^T w^r,  forward^r = L w^r
func (s *memoryStep[T]) computeDirections(before *memoryStep[T]) {
	heads, slots := len(s.freeGates), len(s.usage)
	ops.Gemm(blas.NoTrans, blas.NoTrans, heads, slots, slots, 1, before.readWeights, slots, s.links, slots, 0, s.backwards, slots)
	product(heads, slots, slots, before.readWeights, s.links, s.forwards)
}

// directionsBack sets dread, the gradient of the previous read weights, and adds to dlinks.
func (s *memoryStep[T]) directionsBack(before *memoryStep[T], dbackwards, dforwards, dread, dlinks []T) {
	heads, slots := len(s.freeGates), len(s.usage)
	product(heads, slots, slots, dbackwards, s.links, dread)
	ops.Gemm(blas.NoTrans, blas.NoTrans, heads, slots, slots, 1, dforwards, slots, s.links, slots, 1, dread, slots)
	ops.Gemm(blas.Trans, blas.NoTrans, slots, slots, heads, 1, before.readWeights, slots, dbackwards, slots, 1, dlinks, slots)
	ops.Gemm(blas.Trans, blas.NoTrans, slots, slots, heads, 1, dforwards, slots, before.readWeights, slots, 1, dlinks, slots)
}
