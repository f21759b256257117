package dnc

import (
	"gonum.org/v1/gonum/blas"

	"memobench/models/ops"
	"memobench/models/vector"
)

// link remembers the order of writes (7): L[i, j] is how much slot i was
// written right after slot j.
//
//	L[i, j] = (1 - w_i - w_j) L'[i, j] + w_i p'_j,  L[i, i] = 0
//
// It is quadratic in the number of slots, in time and memory.
func (l *line[T]) link(before *line[T]) {
	n := len(l.writeWeights)
	for i, wi := range l.writeWeights {
		old, row := before.links[i*n:(i+1)*n], l.links[i*n:(i+1)*n]
		vector.LinkRow(row, old, l.writeWeights, before.precedence, 1-wi, wi)
		row[i] = 0
	}
}

// linkBack turns d from the gradient of L into that of L' and adds to those of
// the write weights and the previous precedence.
func (l *line[T]) linkBack(before *line[T], d, dwrite, dprecedence []T) {
	n := len(l.writeWeights)
	for i, wi := range l.writeWeights {
		old, row := before.links[i*n:(i+1)*n], d[i*n:(i+1)*n]
		row[i] = 0 // the diagonal is fixed
		dwrite[i] += vector.LinkRowBack(row, old, l.writeWeights, before.precedence, 1-wi, wi, dwrite, dprecedence)
	}
}

// precede computes how much each slot was the last one written (8):
//
//	p = (1 - sum of w) p' + w
func (l *line[T]) precede(before *line[T]) {
	keep := l.keep()
	for j, w := range l.writeWeights {
		l.precedence[j] = keep*before.precedence[j] + w
	}
}

// keep returns 1 - sum of w.
func (l *line[T]) keep() T {
	keep := T(1)
	for _, w := range l.writeWeights {
		keep -= w
	}
	return keep
}

// precedeBack turns d from the gradient of p into that of p' and adds to that of
// the write weights.
func (l *line[T]) precedeBack(before *line[T], d, dwrite []T) {
	keep, dkeep := l.keep(), T(0)
	for j, v := range d {
		dkeep += v * before.precedence[j]
	}
	for j, v := range d {
		dwrite[j] += v - dkeep
		d[j] = keep * v
	}
}

// follow moves every read head along the links (9), from where it looked before:
//
//	backward^r = L^T w^r,  forward^r = L w^r
func (l *line[T]) follow(before *line[T]) {
	heads, slots := len(l.freeGates), len(l.usage)
	ops.Gemm(blas.NoTrans, blas.NoTrans, heads, slots, slots, 1, before.readWeights, slots, l.links, slots, 0, l.backwards, slots)
	product(heads, slots, slots, before.readWeights, l.links, l.forwards)
}

// followBack sets the gradient of the previous read weights and adds to that of
// the links.
func (l *line[T]) followBack(before *line[T], dbackwards, dforwards, dread, dlinks []T) {
	heads, slots := len(l.freeGates), len(l.usage)
	product(heads, slots, slots, dbackwards, l.links, dread)
	ops.Gemm(blas.NoTrans, blas.NoTrans, heads, slots, slots, 1, dforwards, slots, l.links, slots, 1, dread, slots)
	ops.Gemm(blas.Trans, blas.NoTrans, slots, slots, heads, 1, before.readWeights, slots, dbackwards, slots, 1, dlinks, slots)
	ops.Gemm(blas.Trans, blas.NoTrans, slots, slots, heads, 1, dforwards, slots, before.readWeights, slots, 1, dlinks, slots)
}
