package main

import (
	"fmt"
	"runtime"
	"time"

	"memobench/models/engine"
)

// measureFor is how long the speed of the BLAS is measured at the start.
const measureFor = 100 * time.Millisecond

// sayBLAS prints the first line of every verb that computes: which linear
// algebra, at what speed, on how many cores. Where standard output is for JSON
// it goes to standard error.
func (p *program) sayBLAS(asJSON bool) {
	out := p.stdout
	if asJSON {
		out = p.stderr
	}
	blas := engine.BLAS()
	fmt.Fprintf(out, "BLAS: %s, %.0f GFLOP/s on one core; %d cores, threads a call: %d\n",
		blas.Name, engine.MeasureGFLOPS(measureFor), runtime.GOMAXPROCS(0), blas.Threads)
	if blas.Note != "" {
		fmt.Fprintln(out, blas.Note)
	}
}

// recordedBLAS names the linear algebra in use as records have it.
func recordedBLAS() string {
	blas := engine.BLAS()
	return fmt.Sprintf("%s, threads a call: %d", blas.Name, blas.Threads)
}
