package engine

import (
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// BLASInfo describes the BLAS in use.
type BLASInfo struct {
	Name    string // "gonum (pure Go)" or "OpenBLAS 0.3.21 (SkylakeX)"
	Threads int    // threads that one call may use
	Note    string // a remark for the user; may be empty
}

// BLAS returns the library in use.
func BLAS() BLASInfo { return blasInfo() }

// MeasureGFLOPS returns the single-precision speed of one core in 1e9 operations per second:
// the maximum over matrix products of a size that occurs in training (384 x 512 times 512 x
// 256), of at least five products, in about the given time.
func MeasureGFLOPS(budget time.Duration) float64 {
	const m, n, k = 384, 256, 512
	a, b, c := make([]float32, m*k), make([]float32, n*k), make([]float32, m*n)
	for i := range a {
		a[i] = float32(i%7) - 3
	}
	for i := range b {
		b[i] = float32(i%5) - 2
	}
	restore := setThreads(1)
	defer restore()
	best, end := 0.0, time.Now().Add(budget)
	for done := 1; ; done++ {
		start := time.Now()
		blas32.Implementation().Sgemm(blas.NoTrans, blas.Trans, m, n, k, 1, a, k, b, k, 0, c, n)
		if s := time.Since(start).Seconds(); s > 0 {
			best = max(best, 2*m*n*k/s/1e9)
		}
		if done >= 5 && time.Now().After(end) { // one may have been preempted
			return best
		}
	}
}
