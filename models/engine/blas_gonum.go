//go:build !(openblas && cgo)

package engine

import "runtime"

func blasInfo() BLASInfo {
	return BLASInfo{Name: "gonum (pure Go)", Threads: runtime.GOMAXPROCS(0)}
}

// setThreads limits gonum, which divides large products among GOMAXPROCS
// goroutines, to n threads, and returns a function that undoes it.
func setThreads(n int) (restore func()) {
	old := runtime.GOMAXPROCS(n)
	return func() { runtime.GOMAXPROCS(old) }
}

// SetBLASThreads sets how many threads one BLAS call may use. gonum follows
// GOMAXPROCS, which also limits everything else, so nothing is changed.
func SetBLASThreads(int) {}
