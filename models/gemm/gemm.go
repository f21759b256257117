package gemm

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"memobench/models/vector"
)

// Implementation is a blas.Float32.
type Implementation struct{ gonum.Implementation }

// The tile of the innermost loop, and the blocks that are packed: rows x depth
// of the first operand stay in the second-level cache, and a panel of the
// second, depth x tileColumns, in the first.
const (
	tileRows    = 6
	tileColumns = 16
	blockDepth  = 256
	blockRows   = 16 * tileRows
	blockCols   = 32 * tileColumns
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
}

// Sgemm implements blas.Float32: C = alpha op(A) op(B) + beta C, row-major.
func (g Implementation) Sgemm(ta, tb blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	if !Fast() || min(m, n, k) < 1 || alpha == 0 || !fits(ta, m, k, a, lda) || !fits(tb, k, n, b, ldb) || !fits(blas.NoTrans, m, n, c, ldc) {
		// gonum also says what is wrong with operands that do not fit.
		g.Implementation.Sgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	p := product{m, n, k, alpha, beta, operand(ta, a, lda), operand(tb, b, ldb), c, ldc}
	if m < fewRows || n < fewColumns || k < fewTerms {
		p.small()
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
	for j := 0; j < p.n; j += blockCols {
		cols := min(blockCols, p.n-j)
		for d := 0; d < p.k; d += blockDepth {
			depth := min(blockDepth, p.k-d)
			packColumns(w.b[:], p.b.at(d, j), depth, cols)
			for i := 0; i < p.m; i += blockRows {
				rows := min(blockRows, p.m-i)
				if d == 0 {
					p.begin(i, j, rows, cols)
				}
				packRows(w.a[:], p.a.at(i, d), rows, depth)
				p.block(w, i, j, rows, cols, depth, d > 0 || p.beta != 0)
			}
		}
	}
}

// begin multiplies a block of C by beta, unless it is to be overwritten.
func (p *product) begin(i, j, rows, cols int) {
	if p.beta == 0 || p.beta == 1 {
		return
	}
	for r := range rows {
		at := (i+r)*p.ldc + j
		vector.Scale(p.c[at:at+cols], p.beta)
	}
}

// block multiplies the packed operands, tile by tile. add tells whether C's
// block counts.
func (p *product) block(w *workspace, i, j, rows, cols, depth int, add bool) {
	for y := 0; y < cols; y += tileColumns {
		b := &w.b[y*depth]
		for x := 0; x < rows; x += tileRows {
			a := &w.a[x*depth]
			at := (i+x)*p.ldc + j + y
			if rows-x >= tileRows && cols-y >= tileColumns {
				tile(depth, a, b, &p.c[at], p.ldc, p.alpha, add)
				continue
			}
			tile(depth, a, b, &w.edge[0], tileColumns, p.alpha, false)
			n := min(tileColumns, cols-y)
			for r := range min(tileRows, rows-x) {
				line, part := p.c[at+r*p.ldc:][:n], w.edge[r*tileColumns:][:n]
				if add {
					vector.Add(line, part)
				} else {
					copy(line, part)
				}
			}
		}
	}
}
