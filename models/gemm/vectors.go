package gemm

import (
	"gonum.org/v1/gonum/blas"

	"memobench/models/vector"
)

// Sgemv implements blas.Float32: y = alpha op(A) x + beta y, A [m x n]. It handles the case in
// which gonum is slow: the vector along A's rows is contiguous, the other one is strided.
func (g Implementation) Sgemv(t blas.Transpose, m, n int, alpha float32, a []float32, lda int, x []float32, incX int, beta float32, y []float32, incY int) {
	lenX, lenY := n, m
	along, across := incX, incY
	if t != blas.NoTrans {
		lenX, lenY = m, n
		along, across = incY, incX
	}
	if along != 1 || across == 1 || !Fast() || min(m, n) < 1 || alpha == 0 || !fits(blas.NoTrans, m, n, a, lda) ||
		t != blas.NoTrans && t != blas.Trans || !reaches(x, lenX, incX) || !reaches(y, lenY, incY) {
		g.Implementation.Sgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	if t == blas.NoTrans {
		x = x[:n]
		for i := range m {
			sum, at := alpha*vector.Dot(x, a[i*lda:]), i*incY
			if beta != 0 {
				sum += beta * y[at]
			}
			y[at] = sum
		}
		return
	}
	y = y[:n]
	switch beta {
	case 0:
		clear(y)
	case 1:
	default:
		vector.Scale(y, beta)
	}
	addRows(y, alpha, x, incX, m, a, lda)
}

// addRows adds alpha times the sum of m rows of a, weighted by x, to y, which stays in registers.
func addRows(y []float32, alpha float32, x []float32, incX, m int, a []float32, lda int) {
	var weights [64]float32
	for i := 0; i < m; i += len(weights) {
		part := weights[:min(len(weights), m-i)]
		for j := range part {
			part[j] = alpha * x[(i+j)*incX]
		}
		vector.Combine(y, part, a[i*lda:], lda)
	}
}

// Sger implements blas.Float32: A += alpha x y^T, A [m x n]. It handles the case in which only
// x is strided.
func (g Implementation) Sger(m, n int, alpha float32, x []float32, incX int, y []float32, incY int, a []float32, lda int) {
	if incY != 1 || incX == 1 || !Fast() || min(m, n) < 1 || alpha == 0 || !fits(blas.NoTrans, m, n, a, lda) || !reaches(x, m, incX) || !reaches(y, n, incY) {
		g.Implementation.Sger(m, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	for i := range m {
		vector.AddScaled(a[i*lda:i*lda+n], alpha*x[i*incX], y)
	}
}

// reaches reports whether x holds n elements with stride inc.
func reaches(x []float32, n, inc int) bool { return inc > 0 && len(x) > (n-1)*inc }

// single computes a product with one row without packing B: as a sum of B's rows if those are
// contiguous, as dot products if A's row and B's columns are, else element by element.
func (p *product) single() {
	row := p.c[:p.n]
	switch {
	case p.beta == 0:
		clear(row)
	case p.beta != 1:
		vector.Scale(row, p.beta)
	}
	switch {
	case p.b.col == 1:
		addRows(row, p.alpha, p.a.data, p.a.col, p.k, p.b.data, p.b.row)
	case p.a.col == 1:
		for j := range row {
			row[j] += p.alpha * vector.Dot(p.a.data[:p.k], p.b.data[j*p.b.col:])
		}
	default:
		for j := range row {
			sum := float32(0)
			for d := range p.k {
				sum += p.a.data[d*p.a.col] * p.b.data[j*p.b.col+d]
			}
			row[j] += p.alpha * sum
		}
	}
}
