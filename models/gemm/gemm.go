// Package gemm multiplies float32 matrices without cgo on amd64 processors with AVX2
// and FMA, twice as fast where there is AVX-512: a BLAS whose Sgemm, and whose Sgemv
// and Sger with strided vectors, are not gonum's. Everything else, and all on other
// processors, is gonum's. benchmarks/recorded/builds has training steps with it and with
// OpenBLAS next to each other.
//
// The method is that of Goto and van de Geijn (2008, "Anatomy of
// High-Performance Matrix Multiplication"): both operands are copied, a block
// that fits a cache at a time, into panels in the order in which the innermost
// loop reads them; that loop (wide_amd64.s, narrow_amd64.s) keeps a tile of results
// in registers.
//
// What always holds: a result depends neither on the number of threads nor on which
// of the two instruction sets is in use, because every element is summed in the same
// order. GODEBUG=cpu.avx512f=off makes a processor with AVX-512 use AVX2.
package gemm

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"memobench/models/vector"
)

// Implementation is a blas.Float32.
type Implementation struct{ gonum.Implementation }

// What is packed at a time: blockRows x blockDepth of the first operand, 264 KiB, for
// the second-level cache, and a panel of the second, blockDepth by a tile's columns,
// 16 or 32 KiB, for the first. Where a cache is smaller the next one serves; each is
// read in order. blockRows is a multiple of every form's rows. blockDepth decides in
// which order a result is summed.
const (
	blockDepth = 256
	blockRows  = 264
)

// matrix is an operand: element (i, j) is at data[i*row + j*col], one of the two
// distances being 1.
type matrix struct {
	data     []float32
	row, col int
}

// at returns the part of the matrix from element (i, j) on.
func (m matrix) at(i, j int) matrix { return matrix{m.data[i*m.row+j*m.col:], m.row, m.col} }

func operand(t blas.Transpose, data []float32, ld int) matrix {
	if t == blas.NoTrans {
		return matrix{data, ld, 1}
	}
	return matrix{data, 1, ld}
}

// product is C = alpha A B + beta C, A [m x k], B [k x n], C [m x n] with ldc
// from one row to the next.
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
		// gonum also says what is wrong with operands that do not fit.
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
	for d := 0; d < p.k; d += blockDepth {
		depth := min(blockDepth, p.k-d)
		for i := 0; i < p.m; i += blockRows {
			rows := min(blockRows, p.m-i)
			p.packRows(w.a[:], i, d, rows, depth)
			for j := 0; j < p.n; j += p.form.cols {
				p.packColumns(w.b[:], d, j, depth)
				p.panel(w, i, j, rows, depth, d > 0 || p.beta != 0)
			}
		}
	}
}

// panel multiplies the packed rows i to i+rows-1 of A by the packed panel of B
// from column j on. add says whether what C holds counts.
func (p *product) panel(w *workspace, i, j, rows, depth int, add bool) {
	f, cols := p.form.narrowed(p.n-j), min(p.form.cols, p.n-j)
	for x := 0; x < rows; x += f.rows {
		a := &w.a[x*depth]
		at := (i+x)*p.ldc + j
		if rows-x >= f.rows && cols == f.cols {
			f.multiply(depth, a, &w.b[0], &p.c[at], p.ldc, p.alpha, add)
			continue
		}
		f.multiply(depth, a, &w.b[0], &w.edge[0], f.cols, p.alpha, false)
		for r := range min(f.rows, rows-x) {
			line, part := p.c[at+r*p.ldc:][:cols], w.edge[r*f.cols:][:cols]
			if add {
				vector.Add(line, part)
			} else {
				copy(line, part)
			}
		}
	}
}

// tileForm is the part of C that the innermost loop keeps in registers. Which one
// is in use makes no difference to any result: every element of C is summed in
// the same order.
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
	halfWide = tileForm{wideRows, 16}       // for what is left of C's columns
)

// narrowed is the form for the last columns of C, of the same rows.
func (f tileForm) narrowed(cols int) tileForm {
	if f == wide && cols <= halfWide.cols {
		return halfWide
	}
	return f
}
