package benchmarks

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
)

// TestBenchmarksAreReadableAsTheyAre runs a few of the benchmarks with go test and reads
// their output, on both streams, like benchstat.
func TestBenchmarksAreReadableAsTheyAre(t *testing.T) {
	for _, c := range []struct {
		pattern string
		count   int
		results []string // names
		units   []string // of each, as benchstat knows them
	}{
		{"TrainStep/model=emn4/task=sp10-2-2", 1, []string{"TrainStep/model=emn4/task=sp10-2-2"},
			[]string{"sec/op", "cpu-sec/op", "examples/s", "FLOP/op", "FLOP/s", "of-sgemm", "held-B/op", "B/op", "allocs/op"}},
		{"Predict/model=emn4/task=sp10-2-2", 1, []string{"Predict/model=emn4/task=sp10-2-2"},
			[]string{"sec/op", "cpu-sec/op", "examples/s", "FLOP/op", "FLOP/s"}},
		{"Accuracy/model=emn4/task=babi", 2,
			[]string{"Accuracy/model=emn4/task=babi/kind=all", "Accuracy/model=emn4/task=babi/kind=1", "Accuracy/model=emn4/task=babi/kind=15"},
			[]string{"accuracy"}},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			// With one processor go test would append no number, and sp10-2-2 ends like one.
			cmd := exec.Command(os.Args[0], "-test.run=^$", "-test.cpu=2", "-test.benchtime=1x", fmt.Sprint("-test.count=", c.count), "-test.bench=^Benchmark"+c.pattern)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got := map[string]int{}
			reader := benchfmt.NewReader(bytes.NewReader(out), "output")
			for reader.Scan() {
				switch r := reader.Result().(type) {
				case *benchfmt.SyntaxError:
					t.Errorf("%v in:\n%s", r, out)
				case *benchfmt.Result:
					full := string(r.Name)
					if at := strings.LastIndex(full, "-"); at > strings.LastIndex(full, "=") {
						full = full[:at] // the number of processors
					}
					got[full]++
					for _, unit := range c.units {
						if _, ok := r.Value(unit); !ok {
							t.Errorf("%s has no %s:\n%s", full, unit, out)
						}
					}
				}
			}
			for _, name := range c.results {
				if got[name] == 0 {
					t.Errorf("no result %s in %v", name, got)
				}
			}
			if len(got) != len(c.results) {
				t.Errorf("results %v, want %v", got, c.results)
			}
			if m := reader.Units().Get("accuracy", "better"); m == nil || m.Value != "higher" {
				t.Errorf("accuracy is better %v", m)
			}
		})
	}
}
