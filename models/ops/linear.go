package ops

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"

	"memobench/models/engine"
)

// The linear algebra in use, for kernels that live beside their model. All
// matrices are row-major; ld is the distance between two lines.

// Gemm computes C = alpha op(A) op(B) + beta C, op(A) [m x k], op(B) [k x n].
func Gemm[T engine.Float](ta, tb blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int) {
	gemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Gemv computes y = alpha op(A) x + beta y, A [m x n].
func Gemv[T engine.Float](t blas.Transpose, m, n int, alpha T, a []T, lda int, x []T, beta T, y []T) {
	gemv(t, m, n, alpha, a, lda, x, 1, beta, y, 1)
}

// Axpy computes y += alpha x, element by element.
func Axpy[T engine.Float](alpha T, x, y []T) {
	switch x := any(x).(type) {
	case []float32:
		blas32.Implementation().Saxpy(len(x), float32(alpha), x, 1, any(y).([]float32), 1)
	case []float64:
		blas64.Implementation().Daxpy(len(x), float64(alpha), x, 1, any(y).([]float64), 1)
	}
}

// Dot returns the sum of x y, element by element.
func Dot[T engine.Float](x, y []T) T {
	switch x := any(x).(type) {
	case []float32:
		return T(blas32.Implementation().Sdot(len(x), x, 1, any(y).([]float32), 1))
	case []float64:
		return T(blas64.Implementation().Ddot(len(x), x, 1, any(y).([]float64), 1))
	}
	panic("ops: unreachable")
}
