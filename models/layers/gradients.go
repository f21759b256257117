package layers

import (
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/threads"
	"memobench/models/vector"
)

// gradients adds up what the parts of a divided batch have left of the gradient:
// what they have written, and the products that they have put off. The weights
// are cut into tiles, each of which stays in a cache until all its terms have been
// added, always in the same order, so that it does not matter which thread takes it.
type gradients[T engine.Float] struct {
	parts  []*engine.Params[T] // the first one is to hold the sum
	shares []T                 // by which each part counts
	tiles  []tile
	next   atomic.Int64 // the first tile that nobody has taken
}

// tile is a part of a parameter that is seen as a matrix.
type tile struct {
	param, ld            int // number of the parameter, columns of the matrix
	row, col, rows, cols int
}

// Largest sizes of tiles: in float32, with products 512 KiB, half of a usual second-level
// cache; without, 64 KiB.
const (
	tileRows, tileCols = 256, 512
	tileElements       = 1 << 14
)

// sum leaves the sum in the first part's gradients.
func (g *gradients[T]) sum() {
	g.tiles = g.tiles[:0]
	for _, products := range [...]bool{true, false} { // those that take longest first
		for i, w := range g.parts[0].List() {
			if g.putOff(i) == products {
				g.cut(i, w, products)
			}
		}
	}
	g.next.Store(0)
	threads.Do(len(g.parts), g)
}

// putOff reports whether any part has put off products for parameter i.
func (g *gradients[T]) putOff(i int) bool {
	return slices.ContainsFunc(g.parts, func(p *engine.Params[T]) bool { return len(p.List()[i].Later) > 0 })
}

// cut appends the tiles of parameter i: where there are products, low enough that each
// thread can take one, as far as there are rows.
func (g *gradients[T]) cut(i int, w *engine.Param[T], products bool) {
	if len(w.Grad) == 0 {
		return
	}
	ld, height, width := len(w.Grad), 1, tileElements
	if products {
		ld, width = w.Shape[len(w.Shape)-1], tileCols
		height = min(tileRows, (len(w.Grad)/ld+len(g.parts)-1)/len(g.parts))
	}
	rows := len(w.Grad) / ld
	for r := 0; r < rows; r += height {
		for c := 0; c < ld; c += width {
			g.tiles = append(g.tiles, tile{i, ld, r, c, min(height, rows-r), min(width, ld-c)})
		}
	}
}

// Part takes tiles until none is left. It implements threads.Work.
func (g *gradients[T]) Part(int) {
	for {
		next := int(g.next.Add(1)) - 1
		if next >= len(g.tiles) {
			return
		}
		t := &g.tiles[next]
		begun := g.addWritten(t)
		for i, p := range g.parts {
			for j := range p.List()[t.param].Later {
				begun = g.addOuter(t, &p.List()[t.param].Later[j], g.shares[i], begun)
			}
		}
		if !begun {
			g.clear(t)
		}
	}
}

// lines calls f for each line of a tile, in the first part and in part i.
func (g *gradients[T]) lines(t *tile, i int, f func(dst, src []T)) {
	dst, src := g.parts[0].List()[t.param].Grad, g.parts[i].List()[t.param].Grad
	for r := range t.rows {
		at := (t.row+r)*t.ld + t.col
		f(dst[at:at+t.cols], src[at:at+t.cols])
	}
}

func (g *gradients[T]) clear(t *tile) { g.lines(t, 0, func(dst, _ []T) { clear(dst) }) }

// addWritten adds what has been written, and returns whether there was any.
func (g *gradients[T]) addWritten(t *tile) (begun bool) {
	for i, p := range g.parts {
		if !p.List()[t.param].Written {
			continue
		}
		share := g.shares[i]
		if begun {
			g.lines(t, i, func(dst, src []T) { vector.AddScaled(dst, share, src) })
		} else {
			g.lines(t, i, func(dst, src []T) {
				if i > 0 { // dst is the first part's own
					copy(dst, src)
				}
				vector.Scale(dst, share)
			})
		}
		begun = true
	}
	return begun
}

// addOuter adds what a product contributes to the tile. begun tells whether what the
// tile holds counts, and is returned as it is afterwards.
func (g *gradients[T]) addOuter(t *tile, o *engine.Outer[T], share T, begun bool) bool {
	row, endRow := max(t.row, o.Row), min(t.row+t.rows, o.Row+o.M)
	col, endCol := max(t.col, o.Col), min(t.col+t.cols, o.Col+o.N)
	if row >= endRow || col >= endCol {
		return begun
	}
	m, n, beta := endRow-row, endCol-col, T(1)
	if !begun && m == t.rows && n == t.cols {
		beta = 0
	} else if !begun {
		g.clear(t)
	}
	dst := g.parts[0].List()[t.param].Grad[row*t.ld+col:]
	ops.Gemm(blas.Trans, blas.NoTrans, m, n, o.K, o.Alpha*share, o.A[row-o.Row:], o.LDA, o.B[col-o.Col:], o.LDB, beta, dst, t.ld)
	return true
}
