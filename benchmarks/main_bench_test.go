package benchmarks

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/models/engine"
)

// TestMain prepares a process that benchmarks: it mends the BLAS as the program
// does, gives a call one thread and prints what the results depend on as lines that benchstat reads.
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

// benchmarkThreads is among how many threads training batches are divided:
// OPENBLAS_NUM_THREADS, the variable that PyTorch beside us goes by too, or 1.
func benchmarkThreads() int {
	n, err := strconv.Atoi(os.Getenv("OPENBLAS_NUM_THREADS"))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// AddUnits adds lines about units that only some benchmarks report. It is for the
// tests that cannot be in this package.
func AddUnits(lines string) { furtherUnits += lines }

var furtherUnits string

// unitLines says what benchstat may assume of the units: those of a run's record,
// and further ones.
func unitLines() string {
	var text strings.Builder
	text.WriteString(furtherUnits)
	for _, m := range record.Metrics {
		fmt.Fprintf(&text, "Unit %s better=%s assume=%s\n", m.Name, m.Better, m.Assume)
	}
	return text.String()
}
