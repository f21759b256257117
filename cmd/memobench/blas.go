package main

import (
	"fmt"
	"runtime"
	"time"

	"memobench/benchmarks/record"
	"memobench/models/engine"
)

// measureFor is how long the speed of the BLAS is measured at the start.
const measureFor = 100 * time.Millisecond

// sayBLAS prints the first line of every command that computes: which BLAS, at
// what speed, on how many cores. Where standard output is for JSON
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

// recordedBLAS names the BLAS in use as records have it.
func recordedBLAS() string {
	blas := engine.BLAS()
	return fmt.Sprintf("%s, threads a call: %d", blas.Name, blas.Threads)
}

// version prints what a result depends on.
func (p *program) version(args []string) error {
	f := p.flags("version", "Print the versions of the code, of Go and of the BLAS.")
	if err := f.parse(args, ""); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "memobench %s\n%s %s/%s\n%s\n",
		record.CodeVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, engine.BLAS().Name)
	return nil
}
