// Package enginetest helps to test what runs on package engine.
package enginetest

import (
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
)

// Products runs f and returns the floating-point operations of the products
// (Gemm, Gemv and Ger) that it had BLAS compute, two for a
// multiplication with its addition, on any number of threads. The library is shared by
// the whole process: nothing else may compute meanwhile.
func Products(f func()) int {
	n := new(atomic.Int64)
	single, double := blas32.Implementation(), blas64.Implementation()
	defer func() {
		blas32.Use(single)
		blas64.Use(double)
	}()
	blas32.Use(counting32{single, n})
	blas64.Use(counting64{double, n})
	f()
	return int(n.Load())
}

// WithoutProducts runs f with the products (Gemm, Gemv and Ger) left undone: what
// is computed is meaningless, and what remains is what the library has no part
// in.
func WithoutProducts(f func()) {
	single, double := blas32.Implementation(), blas64.Implementation()
	defer func() {
		blas32.Use(single)
		blas64.Use(double)
	}()
	blas32.Use(idle32{single})
	blas64.Use(idle64{double})
	f()
}

type idle32 struct{ blas.Float32 }

func (idle32) Sgemm(blas.Transpose, blas.Transpose, int, int, int, float32, []float32, int, []float32, int, float32, []float32, int) {
}
func (idle32) Sgemv(blas.Transpose, int, int, float32, []float32, int, []float32, int, float32, []float32, int) {
}
func (idle32) Sger(int, int, float32, []float32, int, []float32, int, []float32, int) {}

type idle64 struct{ blas.Float64 }

func (idle64) Dgemm(blas.Transpose, blas.Transpose, int, int, int, float64, []float64, int, []float64, int, float64, []float64, int) {
}
func (idle64) Dgemv(blas.Transpose, int, int, float64, []float64, int, []float64, int, float64, []float64, int) {
}
func (idle64) Dger(int, int, float64, []float64, int, []float64, int, []float64, int) {}

type counting32 struct {
	blas.Float32
	n *atomic.Int64
}

func (c counting32) Sgemm(ta, tb blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int, beta float32, y []float32, ldc int) {
	c.n.Add(int64(2 * m * n * k))
	c.Float32.Sgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, y, ldc)
}

func (c counting32) Sgemv(t blas.Transpose, m, n int, alpha float32, a []float32, lda int, x []float32, incX int, beta float32, y []float32, incY int) {
	c.n.Add(int64(2 * m * n))
	c.Float32.Sgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

func (c counting32) Sger(m, n int, alpha float32, x []float32, incX int, y []float32, incY int, a []float32, lda int) {
	c.n.Add(int64(2 * m * n))
	c.Float32.Sger(m, n, alpha, x, incX, y, incY, a, lda)
}

type counting64 struct {
	blas.Float64
	n *atomic.Int64
}

func (c counting64) Dgemm(ta, tb blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, y []float64, ldc int) {
	c.n.Add(int64(2 * m * n * k))
	c.Float64.Dgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, y, ldc)
}

func (c counting64) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	c.n.Add(int64(2 * m * n))
	c.Float64.Dgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

func (c counting64) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	c.n.Add(int64(2 * m * n))
	c.Float64.Dger(m, n, alpha, x, incX, y, incY, a, lda)
}
