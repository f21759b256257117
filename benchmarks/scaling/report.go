package scaling

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/benchmarks/scaling/slope"
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

	Law      string       `json:"law,omitempty"`       // by which the operations grow: constant, linear, quadratic or cubic; else ""
	BytesLaw string       `json:"bytes_law,omitempty"` // of Bytes, likewise
	Slope    *slope.Slope `json:"slope,omitempty"`     // of CPU time; nil with fewer than two timed sizes or rounds
}

// Point is one size.
type Point struct {
	Rows    int  `json:"rows"` // I
	Counted bool `json:"counted"`

	Operations       int  `json:"operations"`                  // floating-point, of a pass
	SecondDifference *int `json:"second_difference,omitempty"` // over I/4, I/2 and I
	Bytes            int  `json:"bytes"`                       // of the buffers that a pass uses
	WeightBytes      int  `json:"weight_bytes"`                // of weights and moments

	Timed bool   `json:"timed"`
	Limit string `json:"limit,omitempty"` // why it was not counted or timed

	PassBytes float64   `json:"pass_bytes"`             // allocated by a pass
	CPU       []float64 `json:"cpu_seconds,omitempty"`  // of a pass, one per round
	Wall      []float64 `json:"wall_seconds,omitempty"` // likewise

	seconds float64 // of the counted pass
}

// held returns all bytes that a pass needs.
func (p *Point) held() int { return p.Bytes + p.WeightBytes }

// fit sets the second differences, laws and slope from the points.
func (s *Series) fit() {
	var counts, bytes, sizes []int
	var times [][]float64
	for _, p := range s.Points {
		if p.Counted {
			counts, bytes = append(counts, p.Operations), append(bytes, p.Bytes)
		}
		if p.Timed {
			sizes, times = append(sizes, p.Rows), append(times, p.CPU)
		}
	}
	for i, d := range differences(counts, 2) {
		s.Points[i+2].SecondDifference = &d
	}
	s.Law, s.BytesLaw = lawOf(counts), lawOf(bytes)
	if fit, ok := slope.Fit(sizes, times); ok {
		s.Slope = &fit
	}
}

// lawOf returns the degree of the polynomial through counts at doubling sizes, in words. A
// polynomial of degree d has d+1 coefficients, and one more count must confirm it. It returns
// "" if there is none of degree 3 or less.
func lawOf(counts []int) string {
	for degree, law := range []string{"constant", "linear", "quadratic", "cubic"} {
		d := differences(counts, degree+1)
		if len(d) > 0 && !slices.ContainsFunc(d, func(n int) bool { return n != 0 }) {
			return law
		}
	}
	return ""
}

// differences returns the k-th differences of counts at doubling sizes, of which there are k
// less. Each removes one more power of I:
//
//	D_0(I) = f(I),  D_k+1(I) = D_k(2 I) - 2^k D_k(I)
//
// The second, f(4 I) - 3 f(2 I) + 2 f(I), is 0 on a line and 6 a I^2 for a I^2.
func differences(counts []int, k int) []int {
	d := slices.Clone(counts)
	for power := range min(k, len(d)) {
		for i := range len(d) - 1 {
			d[i] = d[i+1] - d[i]<<power
		}
		d = d[:len(d)-1]
	}
	return d
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
	var out strings.Builder
	out.WriteString(Units)
	for _, kv := range [][2]string{
		{"blas", r.Environment.BLAS}, {"blas-threads", strconv.Itoa(r.Threads)},
		{"goos", r.Environment.OS}, {"goarch", r.Environment.Arch}, {"pkg", "memobench/benchmarks"}, {"cpu", r.Environment.CPU},
	} {
		if kv[1] != "" {
			fmt.Fprintf(&out, "%s: %s\n", kv[0], kv[1])
		}
	}
	for round := range r.Rounds {
		for _, s := range r.Series {
			for _, p := range s.Points {
				if p.Timed {
					wall := p.Wall[round]
					fmt.Fprintf(&out, "Benchmark%s 1 %v ns/op %v cpu-ns/op %d FLOP/op %d held-B/op %v FLOP/s %v examples/s %v B/op\n",
						BenchName(s.System, s.Mode, p.Rows), wall*1e9, p.CPU[round]*1e9, p.Operations, p.Bytes,
						float64(p.Operations)/wall, float64(r.Examples)/wall, p.PassBytes)
				}
			}
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// BenchName is the name of a benchmark, without its first word.
func BenchName(system string, mode Mode, rows int) string {
	return fmt.Sprintf("Scaling/model=%s/mode=%s/I=%d", system, mode, rows)
}

// Print writes the report: a table of series, a table of sizes, and notes. With ascii it
// writes only ASCII.
func (r *Report) Print(w io.Writer, ascii bool) error {
	var out strings.Builder
	fmt.Fprintf(&out, "Cost of %s over I memory rows.\n", printable.Count(r.Examples, "examples"))
	fmt.Fprintf(&out, "%s, %s; %s, threads a call: %d; medians of %s, sizes in turn.\n",
		r.Environment.CPU, printable.Count(r.Environment.Cores, "cores"), r.Environment.BLAS, r.Threads, printable.Count(r.Rounds, "rounds"))
	fmt.Fprintln(&out, "\nGrowth: floating-point operations and bytes, counted and exact; CPU time, measured.")
	if err := draw(&out, ascii, []string{"model", "mode", "operations", "bytes", "slope of time", "95 % interval", "sizes"}, r.growthRows()); err != nil {
		return err
	}
	fmt.Fprintln(&out, "slope: log-log, of CPU time at the largest sizes timed, and its 95 % interval.\n\nSizes:")
	if err := draw(&out, ascii, []string{"model", "mode", "I", "Mflop", "second difference", "MiB", "B a pass", "CPU ms"}, r.sizeRows()); err != nil {
		return err
	}
	fmt.Fprint(&out, `Mflop: counted; a multiplication with its addition is two. Training: forward, backward and the optimizer's step.
second difference: of the operations over I/4, I/2 and I, f(I) - 3 f(I/2) + 2 f(I/4); 0 on a line.
MiB: counted, of the buffers that a pass uses. B a pass: allocated by a pass.
`)
	for _, note := range r.notes() {
		fmt.Fprintln(&out, note)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// draw writes a table whose first two columns are text, the others numbers.
func draw(w io.Writer, ascii bool, header []string, rows [][]string) error {
	align := append([]tw.Align{tw.AlignLeft, tw.AlignLeft}, slices.Repeat([]tw.Align{tw.AlignRight}, len(header)-2)...)
	style := tw.StyleLight
	if ascii {
		style = tw.StyleASCII
	}
	table := tablewriter.NewTable(w,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{Symbols: tw.NewSymbols(style)})),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)
	table.Header(header)
	if err := table.Bulk(rows); err != nil {
		return err
	}
	return table.Render()
}

func (r *Report) growthRows() (rows [][]string) {
	for _, s := range r.Series {
		row := []string{s.Title, string(s.Mode), cmp.Or(s.Law, "-"), cmp.Or(s.BytesLaw, "-"), "-", "-", "-"}
		if p := s.Slope; p != nil {
			row[4], row[5], row[6] = fmt.Sprintf("%.2f", p.Value), fmt.Sprintf("%.2f to %.2f", p.Low, p.High), fmt.Sprintf("%d to %d", p.From, p.To)
		}
		rows = append(rows, row)
	}
	return rows
}

func (r *Report) sizeRows() (rows [][]string) {
	for _, s := range r.Series {
		for _, p := range s.Points {
			row := []string{s.Title, string(s.Mode), strconv.Itoa(p.Rows), "-", "", "-", "-", "-"}
			if p.Counted {
				row[3], row[5] = fmt.Sprintf("%.2f", float64(p.Operations)/1e6), fmt.Sprintf("%.2f", float64(p.Bytes)/(1<<20))
			}
			if p.SecondDifference != nil {
				row[4] = strconv.Itoa(*p.SecondDifference)
			}
			if p.Timed {
				row[6], row[7] = fmt.Sprintf("%.0f", p.PassBytes), fmt.Sprintf("%.3f", slope.Median(p.CPU)*1e3)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func (r *Report) notes() (list []string) {
	for _, s := range r.Series {
		first := slices.IndexFunc(s.Points, func(p *Point) bool { return p.Limit != "" })
		if first >= 0 {
			list = append(list, fmt.Sprintf("NOT TIMED: %s, %s, I = %d and above: %s.", s.Title, s.Mode, s.Points[first].Rows, s.Points[first].Limit))
		}
	}
	return list
}
