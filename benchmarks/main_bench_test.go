package benchmarks

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"memobench/models/engine"
)

// TestMain prepares a process that benchmarks: it mends the BLAS as the program
// does, gives a call one thread unless OPENBLAS_NUM_THREADS says otherwise, and
// prints what the results depend on as lines that benchstat reads.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		engine.FixBLAS()
		if os.Getenv("OPENBLAS_NUM_THREADS") == "" {
			engine.SetBLASThreads(1)
		}
		blas := engine.BLAS()
		fmt.Printf("blas: %s\nblas-threads: %d\n", blas.Name, blas.Threads)
		fmt.Print("Unit examples/s better=higher\nUnit cpu-ns/op better=lower\n")
	}
	os.Exit(m.Run())
}
