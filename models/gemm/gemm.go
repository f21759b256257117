// Package gemm is a BLAS for amd64 processors with AVX2 and FMA, without cgo, about twice as
// fast with AVX-512. It replaces gonum's Sgemm, and its Sgemv and Sger with strided vectors.
// Everything else, and other processors, use gonum. benchmarks/recorded/builds compares
// training steps with it and with OpenBLAS.
//
// The method is that of Goto and van de Geijn (2008, "Anatomy of High-Performance Matrix
// Multiplication"): operands are packed, one cache-sized block at a time, into panels in the
// order in which the innermost loop reads them. That loop (wide_amd64.s, narrow_amd64.s) keeps
// a tile of the result in registers. With AVX-512 it also reads operands in place, where packing
// takes longer than it saves.
//
// Results depend neither on the number of threads nor on the instruction set, because every
// element is summed in the same order. GODEBUG=cpu.avx512f=off disables AVX-512.
package gemm

import (
	"runtime"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"memobench/models/vector"
)

// Implementation is a blas.Float32.
type Implementation struct{ gonum.Implementation }

// Sizes of packed blocks: blockRows x blockDepth of the first operand, 264 KiB, for the
// second-level cache, and a panel of the second operand, blockDepth by a tile's columns, 16
// or 32 KiB, for the first-level cache. A second operand of up to blockCols columns is packed
// once for manyBlocks blocks of the first or more. For fewer that is slower, because one panel
// at a time stays in the first-level cache. blockRows and blockCols are multiples of the
// rows and columns of every tileForm. blockDepth determines the order of summation.
const (
	blockDepth = 256
	blockRows  = 264
	blockCols  = 512
	manyBlocks = 4
)

// B is read in place for up to fewRows rows of A, and a matrix of up to smallMatrix elements,
// which stays in the first-level cache, always.
const (
	fewRows     = 16
	smallMatrix = 1 << 14
)

// matrix is an operand: element (i, j) is data[i*row + j*col]. One of the strides is 1.
type matrix struct {
	data     []float32
	row, col int
}

// at returns the submatrix from element (i, j) on.
func (m matrix) at(i, j int) matrix { return matrix{m.data[i*m.row+j*m.col:], m.row, m.col} }

func operand(t blas.Transpose, data []float32, ld int) matrix {
	if t == blas.NoTrans {
		return matrix{data, ld, 1}
	}
	return matrix{data, 1, ld}
}

// product is C = alpha A B + beta C, A [m x k], B [k x n], C [m x n] with row stride ldc.
type product struct {
	m, n, k     int
	alpha, beta float32
	a, b        matrix
	c           []float32
	ldc         int
	form        tileForm
}

// Sgemm implements blas.Float32: C = alpha op(A) op(B) + beta C, row-major.
func (g Implementation) Sgemm(ta, tb blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	if !Fast() || min(m, n, k) < 1 || alpha == 0 || !fits(ta, m, k, a, lda) || !fits(tb, k, n, b, ldb) || !fits(blas.NoTrans, m, n, c, ldc) {
		// gonum also panics on invalid operands.
		g.Implementation.Sgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	p := product{m, n, k, alpha, beta, operand(ta, a, lda), operand(tb, b, ldb), c, ldc, best}
	if m == 1 {
		p.single()
		return
	}
	divide(&p)
}

// fits reports whether data holds a matrix that is [m x n] after t.
func fits(t blas.Transpose, m, n int, data []float32, ld int) bool {
	switch t {
	case blas.NoTrans:
	case blas.Trans, blas.ConjTrans:
		m, n = n, m
	default:
		return false
	}
	return ld >= n && len(data) >= (m-1)*ld+n
}

// run computes the product on one thread.
func (p *product) run(w *workspace) {
	if p.beta != 0 && p.beta != 1 {
		for i := range p.m {
			vector.Scale(p.c[i*p.ldc:][:p.n], p.beta)
		}
	}
	once := p.n <= blockCols && p.m >= manyBlocks*blockRows
	for d := 0; d < p.k; d += blockDepth {
		depth := min(blockDepth, p.k-d)
		for i := 0; i < p.m; i += blockRows {
			rows := min(blockRows, p.m-i)
			p.packRows(w, i, d, rows, depth)
			for j := 0; j < p.n; j += p.form.cols {
				b, ldb := w.b[:], p.form.narrowed(p.n-j).cols
				if once {
					b = b[j*depth:]
				}
				if p.columnsInPlace() {
					b, ldb = p.b.data[d*p.b.row+j:], p.b.row
				} else if i == 0 || !once {
					p.packColumns(w, b, d, j, depth)
				}
				p.panel(w, &b[0], ldb, i, j, d, rows, depth)
			}
		}
	}
}

// rowsInPlace reports whether A is not packed.
func (p *product) rowsInPlace() bool {
	return p.form == wide && (p.a.col == 1 || p.m*p.k <= smallMatrix)
}

// columnsInPlace reports whether B is not packed.
func (p *product) columnsInPlace() bool {
	return p.form == wide && p.b.col == 1 && (p.m <= fewRows || p.n*p.k <= smallMatrix)
}

// panel multiplies the rows i to i+rows-1 of A, from column d on, by b, the panel of B from
// column j on.
func (p *product) panel(w *workspace, b *float32, ldb, i, j, d, rows, depth int) {
	f, cols, add := p.form.narrowed(p.n-j), min(p.form.cols, p.n-j), d > 0 || p.beta != 0
	for x := 0; x < rows; x += f.rows {
		a, arow, acol, used := &w.a[x*depth], 1, f.rows, min(f.rows, rows-x)
		if p.rowsInPlace() {
			a, arow, acol = &p.a.data[(i+x)*p.a.row+d*p.a.col], p.a.row, p.a.col
		}
		at := (i+x)*p.ldc + j
		if f != narrow || used == f.rows && cols == f.cols {
			f.multiply(depth, a, arow, acol, b, ldb, &p.c[at], p.ldc, used, cols, p.alpha, add)
			continue
		}
		f.multiply(depth, a, arow, acol, b, ldb, &w.edge[0], f.cols, f.rows, f.cols, p.alpha, false)
		for r := range used {
			line, part := p.c[at+r*p.ldc:][:cols], w.edge[r*f.cols:][:cols]
			if add {
				vector.Add(line, part)
			} else {
				copy(line, part)
			}
		}
	}
}

// tileForm is the size of the tile of C that the innermost loop keeps in registers. It does not
// affect results.
type tileForm struct{ rows, cols int }

const (
	narrowRows = 6
	wideRows   = 8
	mostRows   = wideRows
	mostCols   = 32
)

var (
	narrow   = tileForm{narrowRows, 16}     // AVX2: 12 of 16 registers hold sums
	wide     = tileForm{wideRows, mostCols} // AVX-512: 16 of 32, of twice the width
	halfWide = tileForm{wideRows, 16}       // for the remaining columns of C
)

// narrowed returns the form with equally many rows for the last columns of C.
func (f tileForm) narrowed(cols int) tileForm {
	if f == wide && cols <= halfWide.cols {
		return halfWide
	}
	return f
}

// limit is how many threads one product may use; 0 means GOMAXPROCS.
var limit atomic.Int32

// SetThreads sets how many threads one product may use; 0, the initial value, means
// GOMAXPROCS.
func SetThreads(n int) { limit.Store(int32(max(n, 0))) }

// Threads returns how many threads one product may use.
func Threads() int {
	if n := limit.Load(); n > 0 {
		return int(n)
	}
	return runtime.GOMAXPROCS(0)
}

// leastShare is the minimum number of multiplications per thread: 10 to 20 microseconds of
// work.
const leastShare = 1 << 20

// divide computes a product on several threads if it is large enough. Each thread computes a
// range of C's rows or columns, whichever are more.
func divide(p *product) {
	n := min(Threads(), p.m*p.n*p.k/leastShare)
	tile, size := p.form.rows, p.m
	byRows := p.m/p.form.rows >= p.n/p.form.cols
	if !byRows {
		tile, size = p.form.cols, p.n
	}
	tiles := (size + tile - 1) / tile
	n = min(n, tiles)
	if n < 2 {
		p.work()
		return
	}
	share := (tiles + n - 1) / n * tile
	whole := *p // a copy, so that p itself stays on the stack of the caller
	vector.Parallel((size+share-1)/share, func(i int) {
		part := whole.part(byRows, i*share, min((i+1)*share, size))
		part.work()
	})
}

// part returns the product for the rows or columns lo to hi-1 of C.
func (p *product) part(byRows bool, lo, hi int) product {
	q := *p
	if byRows {
		q.m, q.a, q.c = hi-lo, p.a.at(lo, 0), p.c[lo*p.ldc:]
	} else {
		q.n, q.b, q.c = hi-lo, p.b.at(0, lo), p.c[lo:]
	}
	return q
}

// work computes the product with its own workspace.
func (p *product) work() {
	var w *workspace
	select {
	case w = <-unused:
	default:
		w = new(workspace)
	}
	p.run(w)
	select {
	case unused <- w:
	default:
	}
}

// unused is a free list of workspaces. Unlike a sync.Pool, the garbage collector does not empty
// it, so that the steady state does not allocate.
var unused = make(chan *workspace, 256)
