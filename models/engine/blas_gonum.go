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

func blasInfo() BLASInfo {
	if gemm.Fast() {
		return BLASInfo{Name: "gonum with " + gemm.Instructions() + " products (pure Go)", Threads: gemm.Threads()}
	}
	return BLASInfo{Name: "gonum (pure Go)", Threads: runtime.GOMAXPROCS(0)}
}

// setThreads limits a product to n threads and returns a function that undoes it. gonum
// divides large products among GOMAXPROCS goroutines, so limiting it also limits everything
// else.
func setThreads(n int) (restore func()) {
	if gemm.Fast() {
		old := gemm.SetThreads(n)
		return func() { gemm.SetThreads(old) }
	}
	old := runtime.GOMAXPROCS(n)
	return func() { runtime.GOMAXPROCS(old) }
}

// SetBLASThreads sets how many threads one BLAS call may use. It has no effect on gonum,
// which follows GOMAXPROCS.
func SetBLASThreads(n int) { gemm.SetThreads(n) }

// FixBLAS does nothing in this build.
func FixBLAS() {}
