package benchmarks

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"memobench/benchmarks/record"
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
		fmt.Print(unitLines())
	}
	os.Exit(m.Run())
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
