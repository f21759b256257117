package scaling

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"

	"golang.org/x/perf/benchfmt"

	"memobench/benchmarks/record"
	"memobench/benchmarks/scaling/slope"
	"memobench/models"
)

// Report is the result of Measure. "memobench scaling --json" prints it as JSON.
type Report struct {
	Environment record.Environment `json:"environment"`
	Threads     int                `json:"threads"`  // of a call of the BLAS
	Examples    int                `json:"examples"` // in the batch
	Rounds      int                `json:"rounds"`
	Sizes       []int              `json:"sizes"` // of I, all that were requested
	Series      []*Series          `json:"series"`
}

// Series is one model in one mode over the sizes.
type Series struct {
	System string   `json:"system"`
	Title  string   `json:"title"`
	Mode   Mode     `json:"mode"`
	Points []*Point `json:"points"`

	Growth      *growth      `json:"growth,omitempty"`       // of the operations; nil if they are no polynomial in I
	BytesGrowth *growth      `json:"bytes_growth,omitempty"` // of Bytes, likewise
	Slope       *slope.Slope `json:"slope,omitempty"`        // of CPU time; nil with fewer than two timed sizes or rounds
}

// Point is one size.
type Point struct {
	Rows    int  `json:"rows"` // I
	Counted bool `json:"counted"`

	Operations       int  `json:"operations"` // floating-point
	Forward          int  `json:"forward"`
	Backward         int  `json:"backward"`
	Update           int  `json:"update"`
	SecondDifference *int `json:"second_difference,omitempty"` // over I/4, I/2 and I
	Bytes            int  `json:"bytes"`                       // of activations and their gradients
	WeightBytes      int  `json:"weight_bytes"`                // of weights, their gradients and moments

	// If Timed, the fields below are set; else Limit says why not.
	Timed bool   `json:"timed"`
	Limit string `json:"limit,omitempty"`

	HeldBytes int       `json:"held_bytes,omitempty"`   // in use after the first pass; Bytes is their count
	PassBytes float64   `json:"pass_bytes"`             // allocated by each later pass
	CPU       []float64 `json:"cpu_seconds,omitempty"`  // of a pass, one per round
	Wall      []float64 `json:"wall_seconds,omitempty"` // likewise
}

// count sets the counts.
func (p *Point) count(c models.Cost) {
	p.Counted = true
	p.Operations, p.Forward, p.Backward, p.Update = c.Operations(), c.Forward, c.Backward, c.Update
	p.Bytes, p.WeightBytes = c.Bytes(), c.Weights
}

// fit sets the second differences, growths and slope from the points.
func (s *Series) fit() {
	var sizes, counts, bytes, timedSizes []int
	var times [][]float64
	for _, p := range s.Points {
		if p.Counted {
			sizes, counts, bytes = append(sizes, p.Rows), append(counts, p.Operations), append(bytes, p.Bytes)
		}
		if p.Timed {
			timedSizes, times = append(timedSizes, p.Rows), append(times, p.CPU)
		}
	}
	for _, p := range s.Points {
		at := func(rows int) int { return slices.Index(sizes, rows) }
		if i, j, k := at(p.Rows/4), at(p.Rows/2), at(p.Rows); i >= 0 && j >= 0 && k >= 0 {
			p.SecondDifference = new(secondDifference(counts[i], counts[j], counts[k]))
		}
	}
	if g, ok := newGrowth(sizes, counts); ok {
		s.Growth = &g
	}
	if g, ok := newGrowth(sizes, bytes); ok {
		s.BytesGrowth = &g
	}
	if fit, ok := slope.Fit(timedSizes, times); ok {
		s.Slope = &fit
	}
}

// limits lists the sizes that were not timed, with the reason.
func (r *Report) limits() []string {
	var list []string
	for _, s := range r.Series {
		for i, p := range s.Points {
			if p.Timed || i > 0 && s.Points[i-1].Limit == p.Limit {
				continue
			}
			last := i
			for last+1 < len(s.Points) && s.Points[last+1].Limit == p.Limit {
				last++
			}
			sizes := fmt.Sprint(p.Rows)
			if last > i {
				sizes += fmt.Sprintf(" to %d", s.Points[last].Rows)
			}
			list = append(list, fmt.Sprintf("%s, %s, I = %s: %s", s.Title, s.Mode, sizes, p.Limit))
		}
	}
	return list
}

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
					if !record.Finite(v.Value) {
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
