// Package enginetest has test helpers for code that runs on package engine.
package enginetest

import (
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
)

// Products runs f and returns the floating-point operations of its BLAS products (Gemm, Gemv
// and Ger) on all threads, two per multiply-add. BLAS is global: nothing else may use it
// meanwhile.
func Products(f func()) int {
	p := probe{compute: true, operations: new(atomic.Int64)}
	p.during(f)
	return int(p.operations.Load())
}

// WithoutProducts runs f without computing BLAS products, so that only the rest takes time.
// The results are meaningless.
func WithoutProducts(f func()) { probe{operations: new(atomic.Int64)}.during(f) }

// probe counts products and optionally computes them.
type probe struct {
	compute    bool
	operations *atomic.Int64
}

// during runs f with a BLAS that calls the probe.
func (p probe) during(f func()) {
	single, double := blas32.Implementation(), blas64.Implementation()
	defer func() {
		blas32.Use(single)
		blas64.Use(double)
	}()
	blas32.Use(probe32{single, p})
	blas64.Use(probe64{double, p})
	f()
}

// computes counts a product of n multiplications and reports whether to compute it.
func (p probe) computes(n int) bool {
	p.operations.Add(int64(2 * n))
	return p.compute
}

type probe32 struct {
	blas.Float32
	probe
}

func (p probe32) Sgemm(ta, tb blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int, beta float32, y []float32, ldc int) {
	if p.computes(m * n * k) {
		p.Float32.Sgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, y, ldc)
	}
}

func (p probe32) Sgemv(t blas.Transpose, m, n int, alpha float32, a []float32, lda int, x []float32, incX int, beta float32, y []float32, incY int) {
	if p.computes(m * n) {
		p.Float32.Sgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
	}
}

func (p probe32) Sger(m, n int, alpha float32, x []float32, incX int, y []float32, incY int, a []float32, lda int) {
	if p.computes(m * n) {
		p.Float32.Sger(m, n, alpha, x, incX, y, incY, a, lda)
	}
}

type probe64 struct {
	blas.Float64
	probe
}

func (p probe64) Dgemm(ta, tb blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, y []float64, ldc int) {
	if p.computes(m * n * k) {
		p.Float64.Dgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, y, ldc)
	}
}

func (p probe64) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	if p.computes(m * n) {
		p.Float64.Dgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
	}
}

func (p probe64) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	if p.computes(m * n) {
		p.Float64.Dger(m, n, alpha, x, incX, y, incY, a, lda)
	}
}
