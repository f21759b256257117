// Package ops holds the fused operations of the models.
//
// The doc comment of an operation gives its equation and shapes. Operations read nodes of an
// engine.Graph and pointers to the current batch (Words, Segments, Labels), which the model
// sets before each run; ids and offsets are not differentiable, so they are not nodes.
//
// Notation: B examples, R memory rows in total, n_b rows of example b, S word slots per row,
// H heads. Ragged arrays have one entry per packed row; Segments says which rows belong to
// which example.
//
// TestGradients compares every operation with finite differences in float64, and its float32
// values with its float64 values.
package ops

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"

	"memobench/models/engine"
	"memobench/models/vector"
)

// addGradient adds dout, the gradient of a result, to g, that of an input of the same shape.
func addGradient[T engine.Float](g *engine.Grad[T], dout *engine.Array[T]) {
	dst, beta := g.Overwrite(dout.Dims()...)
	if beta == 0 {
		copy(dst, dout.Data)
		return
	}
	vector.Add(dst, dout.Data)
}

// passGradient is addGradient, after which dout must not be read.
func passGradient[T engine.Float](g *engine.Grad[T], dout *engine.Array[T]) {
	if !g.Take(dout) {
		addGradient(g, dout)
	}
}

// addRows adds the sum of the rows of src [N x w] to the gradient g of a vector [w].
func addRows[T engine.Float](g *engine.Grad[T], src []T, w int) { addRowsTo(g.Add(w), src) }

// addRowsTo adds the rows of src [N x w] to dst [w].
func addRowsTo[T engine.Float](dst, src []T) {
	for at := 0; at < len(src); at += len(dst) {
		vector.Add(dst, src[at:])
	}
}

// sliceFrom returns x[i:], or an empty slice if x is shorter: without pairs, or after all examples
// have halted, arrays are empty.
func sliceFrom[T engine.Float](x []T, i int) []T { return x[min(i, len(x)):] }

const (
	noTrans = blas.NoTrans
	trans   = blas.Trans
)

// Gemm computes C = alpha op(A) op(B) + beta C for row-major matrices, op(A)
// [m x k], op(B) [k x n], beta 0 or 1. With k = 0 the product is zero.
func Gemm[T engine.Float](ta, tb blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int) {
	if m == 0 || n == 0 {
		return
	}
	if k == 0 { // the operands may be empty, which BLAS does not accept
		for i := 0; i < m && beta == 0; i++ {
			clear(c[i*ldc : i*ldc+n])
		}
		return
	}
	vector.BeginProduct(m * n * k)
	switch a := any(a).(type) {
	case []float32:
		blas32.Implementation().Sgemm(ta, tb, m, n, k, float32(alpha), a, lda, any(b).([]float32), ldb, float32(beta), any(c).([]float32), ldc)
	case []float64:
		blas64.Implementation().Dgemm(ta, tb, m, n, k, float64(alpha), a, lda, any(b).([]float64), ldb, float64(beta), any(c).([]float64), ldc)
	}
	vector.EndProduct()
}

// gemv computes y = alpha op(A) x + beta y, A [m x n].
func gemv[T engine.Float](t blas.Transpose, m, n int, alpha T, a []T, lda int, x []T, incX int, beta T, y []T, incY int) {
	vector.BeginProduct(m * n)
	switch a := any(a).(type) {
	case []float32:
		blas32.Implementation().Sgemv(t, m, n, float32(alpha), a, lda, any(x).([]float32), incX, float32(beta), any(y).([]float32), incY)
	case []float64:
		blas64.Implementation().Dgemv(t, m, n, float64(alpha), a, lda, any(x).([]float64), incX, float64(beta), any(y).([]float64), incY)
	}
	vector.EndProduct()
}

// ger computes A += alpha x y^T, A [m x n].
func ger[T engine.Float](m, n int, alpha T, x []T, incX int, y []T, incY int, a []T, lda int) {
	vector.BeginProduct(m * n)
	switch a := any(a).(type) {
	case []float32:
		blas32.Implementation().Sger(m, n, float32(alpha), any(x).([]float32), incX, any(y).([]float32), incY, a, lda)
	case []float64:
		blas64.Implementation().Dger(m, n, float64(alpha), any(x).([]float64), incX, any(y).([]float64), incY, a, lda)
	}
	vector.EndProduct()
}
