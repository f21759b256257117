package benchmarks

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	_ "memobench/datasets/babi"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	"memobench/models/engine"
	_ "memobench/models/memo"
	_ "memobench/models/ut"
)

// TestMain prepares the process for benchmarks: it configures the BLAS as the program
// does, with one thread per call, and prints configuration lines for benchstat.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		engine.FixBLAS()
		engine.SetBLASThreads(1)
		blas := engine.BLAS()
		fmt.Printf("blas: %s\nblas-threads: %d\nthreads: %d\n", blas.Name, blas.Threads, benchmarkThreads())
		fmt.Print(unitLines())
	}
	os.Exit(m.Run())
}

// benchmarkThreads is the number of threads among which training batches are divided:
// OPENBLAS_NUM_THREADS, which the PyTorch programs also use, or 1.
func benchmarkThreads() int {
	n, err := strconv.Atoi(os.Getenv("OPENBLAS_NUM_THREADS"))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// unitLines has the unit metadata for benchstat: those of a run's record, and others.
func unitLines() string {
	var text strings.Builder
	text.WriteString("Unit of-sgemm better=higher\nUnit cpu-ns/op better=lower\nUnit FLOP/op better=lower assume=exact\n" +
		"Unit held-B/op better=lower assume=exact\nUnit FLOP/s better=higher\n")
	for _, m := range record.Metrics {
		fmt.Fprintf(&text, "Unit %s better=%s assume=%s\n", m.Name, m.Better, map[bool]string{false: "nothing", true: "exact"}[m.Exact])
	}
	return text.String()
}
