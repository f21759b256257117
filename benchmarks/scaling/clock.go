package scaling

import (
	"runtime"
	"time"

	"gonum.org/v1/gonum/blas"

	"memobench/benchmarks"
	"memobench/models/ops"
)

// rouse has the linear algebra library compute a large product, so that what it
// keeps for its own use is not counted as a model's.
func rouse() {
	const n = 512
	a := make([]float32, n*n)
	ops.Gemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, a, n, 0, make([]float32, n*n), n)
}

// held returns the bytes that are in use.
func held() int {
	runtime.GC()
	runtime.GC() // what the first one left to finalizers and pools
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int(s.HeapAlloc)
}

// allocated returns the bytes that were allocated so far, freed ones included.
func allocated() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.TotalAlloc
}

// stopwatch measures processor and elapsed time.
type stopwatch struct {
	wall time.Time
	cpu  float64
}

func (s *stopwatch) start() { s.wall, s.cpu = time.Now(), benchmarks.CPUSeconds() }

// stop returns the times in seconds. Where the system does not say what
// processor time is, it is the elapsed one.
func (s *stopwatch) stop() (cpu, wall float64) {
	wall = time.Since(s.wall).Seconds()
	cpu = benchmarks.CPUSeconds() - s.cpu
	if s.cpu == 0 {
		cpu = wall
	}
	return max(cpu, 1e-9), max(wall, 1e-9)
}
