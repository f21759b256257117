package scaling

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"

	"golang.org/x/perf/benchfmt"
)

// Units has the units of Bench as lines of the Go benchmark format. Counted ones are
// exact.
const Units = "Unit cpu-ns/op better=lower\n" +
	"Unit FLOP/op better=lower assume=exact\n" +
	"Unit held-B/op better=lower assume=exact\n" +
	"Unit FLOP/s better=higher\n" +
	"Unit examples/s better=higher\n"

// Bench writes the report in the Go benchmark format, for benchstat: one line per
// size and round under the names of BenchmarkScaling in package benchmarks, so
// that the two can be compared.
//
//	BenchmarkScaling/model=memo/mode=infer/I=256 1 1.2e+06 ns/op 1.2e+06 cpu-ns/op 4.1e+06 FLOP/op ...
func (r *Report) Bench(w io.Writer) error {
	if _, err := io.WriteString(w, Units); err != nil {
		return err
	}
	var config []benchfmt.Config
	for _, kv := range [][2]string{
		{"blas", r.Environment.BLAS}, {"blas-threads", strconv.Itoa(r.Threads)},
		{"goos", r.Environment.OS}, {"goarch", r.Environment.Arch}, {"pkg", "memobench/benchmarks"}, {"cpu", r.Environment.CPU},
	} {
		if kv[1] != "" {
			config = append(config, benchfmt.Config{Key: kv[0], Value: []byte(kv[1]), File: true})
		}
	}
	var out bytes.Buffer
	lines := benchfmt.NewWriter(&out)
	for round := range r.Rounds {
		for _, s := range r.Series {
			for _, p := range s.Points {
				if !p.Timed {
					continue
				}
				line := &benchfmt.Result{Config: config, Iters: 1, Name: benchfmt.Name(BenchName(s.System, s.Mode, p.Rows))}
				for _, v := range []benchfmt.Value{
					{Value: p.Wall[round] * 1e9, Unit: "ns/op"},
					{Value: p.CPU[round] * 1e9, Unit: "cpu-ns/op"},
					{Value: float64(p.Operations), Unit: "FLOP/op"},
					{Value: float64(p.Bytes), Unit: "held-B/op"},
					{Value: float64(p.Operations) / p.Wall[round], Unit: "FLOP/s"},
					{Value: float64(r.Examples) / p.Wall[round], Unit: "examples/s"},
				} {
					if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
						return fmt.Errorf("scaling: %s: %s is %v", line.Name, v.Unit, v.Value)
					}
					line.Values = append(line.Values, v)
				}
				if err := lines.Write(line); err != nil {
					return err
				}
			}
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// BenchName is the name of a benchmark, without its first word.
func BenchName(system string, mode Mode, rows int) string {
	return fmt.Sprintf("Scaling/model=%s/mode=%s/I=%d", system, mode, rows)
}
