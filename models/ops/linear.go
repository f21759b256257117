package ops

import (
	"gonum.org/v1/gonum/blas"

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
