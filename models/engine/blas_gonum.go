//go:build !(openblas && cgo)

package engine

import (
	"runtime"

	"gonum.org/v1/gonum/blas/blas32"

	"memobench/models/gemm"
)

func init() {
	if gemm.Fast() {
		blas32.Use(gemm.Implementation{})
	}
}

// BLAS returns the library in use.
func BLAS() BLASInfo {
	if gemm.Fast() {
		return BLASInfo{Name: "gonum with " + gemm.Instructions() + " products (pure Go)", Threads: gemm.Threads()}
	}
	return BLASInfo{Name: "gonum (pure Go)", Threads: runtime.GOMAXPROCS(0)}
}

// SetBLASThreads sets how many threads one BLAS call may use. It has no effect on gonum,
// which follows GOMAXPROCS.
func SetBLASThreads(n int) { gemm.SetThreads(n) }

// FixBLAS does nothing in this build.
func FixBLAS() {}
