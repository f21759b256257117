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
	"memobench/benchmarks/scaling/slope"
)

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
	align := []tw.Align{tw.AlignLeft, tw.AlignLeft}
	for len(align) < len(header) {
		align = append(align, tw.AlignRight)
	}
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

func (r *Report) growthRows() [][]string {
	var rows [][]string
	for _, s := range r.Series {
		row := []string{s.Title, string(s.Mode), cmp.Or(s.Law, "-"), cmp.Or(s.BytesLaw, "-"), "-", "-", "-"}
		if p := s.Slope; p != nil {
			row[4], row[5], row[6] = fmt.Sprintf("%.2f", p.Value), fmt.Sprintf("%.2f to %.2f", p.Low, p.High), fmt.Sprintf("%d to %d", p.From, p.To)
		}
		rows = append(rows, row)
	}
	return rows
}

func (r *Report) sizeRows() [][]string {
	var rows [][]string
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

func (r *Report) notes() []string {
	var list []string
	for _, s := range r.Series {
		first := slices.IndexFunc(s.Points, func(p *Point) bool { return p.Limit != "" })
		if first >= 0 {
			list = append(list, fmt.Sprintf("NOT TIMED: %s, %s, I = %d and above: %s.", s.Title, s.Mode, s.Points[first].Rows, s.Points[first].Limit))
		}
	}
	return list
}
