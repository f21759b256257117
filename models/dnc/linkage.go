package dnc

import (
	"gonum.org/v1/gonum/blas"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// precedence is how much each slot was the last one written (8):
//
//	p = (1 - sum of w) p' + w
type precedence[T engine.Float] struct {
	write      []T // w, [N]
	previous   []T // p', [N]
	precedence []T // p, [N]
}

func (p *precedence[T]) forward() {
	keep := p.keep()
	for j, w := range p.write {
		p.precedence[j] = keep*p.previous[j] + w
	}
}

// keep returns 1 - sum of w.
func (p *precedence[T]) keep() T {
	keep := T(1)
	for _, w := range p.write {
		keep -= w
	}
	return keep
}

// backward turns d from the gradient of p into that of p' and adds to that of
// the write weights.
func (p *precedence[T]) backward(d, dwrite []T) {
	keep, dkeep := p.keep(), T(0)
	for j, v := range d {
		dkeep += v * p.previous[j]
	}
	for j, v := range d {
		dwrite[j] += v - dkeep
		d[j] = keep * v
	}
}

// linkage remembers the order of writes (7): L[i, j] is how much slot i was
// written right after slot j.
//
//	L[i, j] = (1 - w_i - w_j) L'[i, j] + w_i p'_j,  L[i, i] = 0
//
// It is quadratic in the number of slots, in time and memory.
type linkage[T engine.Float] struct {
	write      []T // w, [N]
	precedence []T // p', [N]
	previous   []T // L', [N x N]
	links      []T // L, [N x N]
}

func (l *linkage[T]) forward() {
	n := len(l.write)
	for i, wi := range l.write {
		old, row := l.previous[i*n:(i+1)*n], l.links[i*n:(i+1)*n]
		vector.LinkRow(row, old, l.write, l.precedence, 1-wi, wi)
		row[i] = 0
	}
}

// backward turns d from the gradient of L into that of L' and adds to those of
// the write weights and the previous precedence.
func (l *linkage[T]) backward(d, dwrite, dprecedence []T) {
	n := len(l.write)
	for i, wi := range l.write {
		old, row := l.previous[i*n:(i+1)*n], d[i*n:(i+1)*n]
		row[i] = 0 // the diagonal is fixed
		dwrite[i] += vector.LinkRowBack(row, old, l.write, l.precedence, 1-wi, wi, dwrite, dprecedence)
	}
}

// directions moves every read head along the links (9), from where it looked
// before:
//
//	backward^r = L^T w^r,  forward^r = L w^r
type directions[T engine.Float] struct {
	links             []T // L, [N x N]
	read              []T // previous read weights, [R x N]
	backwards, onward []T // [R x N]
}

func (d *directions[T]) forward(slots int) {
	heads := len(d.read) / slots
	ops.Gemm(blas.NoTrans, blas.NoTrans, heads, slots, slots, 1, d.read, slots, d.links, slots, 0, d.backwards, slots)
	product(heads, slots, slots, d.read, d.links, d.onward)
}

// backward sets the gradient of the previous read weights and adds to that of
// the links.
func (d *directions[T]) backward(slots int, dbackwards, donward, dread, dlinks []T) {
	heads := len(d.read) / slots
	product(heads, slots, slots, dbackwards, d.links, dread)
	ops.Gemm(blas.NoTrans, blas.NoTrans, heads, slots, slots, 1, donward, slots, d.links, slots, 1, dread, slots)
	ops.Gemm(blas.Trans, blas.NoTrans, slots, slots, heads, 1, d.read, slots, dbackwards, slots, 1, dlinks, slots)
	ops.Gemm(blas.Trans, blas.NoTrans, slots, slots, heads, 1, donward, slots, d.read, slots, 1, dlinks, slots)
}
