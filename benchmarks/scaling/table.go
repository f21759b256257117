package scaling

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/grid"
	"memobench/benchmarks/printable"
	"memobench/benchmarks/scaling/slope"
)

// Print writes the report: a table of series, a table of sizes, and notes. With ascii it
// writes only ASCII.
func (r *Report) Print(w io.Writer, ascii bool) error {
	var out strings.Builder
	fmt.Fprintf(&out, "Cost of %s over I memory rows.\n", printable.Count(r.Examples, "examples"))
	fmt.Fprintf(&out, "%s, %d cores; %s, threads a call: %d; medians of %s, sizes in turn.\n",
		r.Environment.CPU, r.Environment.Cores, r.Environment.BLAS, r.Threads, printable.Count(r.Rounds, "rounds"))
	fmt.Fprintln(&out, "\nGrowth: floating-point operations, counted and exact; CPU time, measured.")
	if err := grid.Draw(&out, ascii, []string{"model", "mode", "operations", "growth", "of bytes", "highest term leads",
		"slope of time", "95 % interval", "sizes"}, 2, r.summary()); err != nil {
		return err
	}
	fmt.Fprintln(&out, "growth: of the operations, then of the bytes counted. highest term leads: from which I on it is larger than the next.")
	fmt.Fprintln(&out, "slope: log-log, of CPU time at the largest sizes timed, and its 95 % interval.")
	fmt.Fprintln(&out, "\nSizes:")
	if err := grid.Draw(&out, ascii, []string{"model", "mode", "I", "Mflop", "second difference", "MiB counted",
		"MiB held", "B a pass", "CPU ms", "exponent"}, 2, r.details()); err != nil {
		return err
	}
	for _, line := range r.remarks() {
		fmt.Fprintln(&out, line)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// summary returns one row per series.
func (r *Report) summary() [][]string {
	var rows [][]string
	for _, s := range r.Series {
		row := []string{s.Title, string(s.Mode), "no polynomial that the sizes show", "-", "-", "", "-", "-", "-"}
		if s.Growth != nil {
			row[2], row[3] = s.Growth.String(), s.Growth.Law
			if at := s.Growth.Exceeds; at != nil {
				row[5] = fmt.Sprintf("I > %.0f", *at)
			}
		}
		if s.BytesGrowth != nil {
			row[4] = s.BytesGrowth.Law
		}
		if s.Slope != nil {
			row[6] = fmt.Sprintf("%.2f", s.Slope.Value)
			row[7] = fmt.Sprintf("%.2f to %.2f", s.Slope.Low, s.Slope.High)
			row[8] = fmt.Sprintf("%d to %d", s.Slope.From, s.Slope.To)
		}
		rows = append(rows, row)
	}
	return rows
}

// details returns one row per point.
func (r *Report) details() [][]string {
	var rows [][]string
	for _, s := range r.Series {
		for i, p := range s.Points {
			row := []string{s.Title, string(s.Mode), strconv.Itoa(p.Rows), "-", "", "-", "-", "-", "-", ""}
			if p.Counted {
				row[3], row[5] = significant(float64(p.Operations)/1e6), significant(float64(p.Bytes)/(1<<20))
			}
			if p.SecondDifference != nil {
				row[4] = strconv.Itoa(*p.SecondDifference)
			}
			if p.Timed {
				row[6], row[7] = significant(float64(p.HeldBytes)/(1<<20)), fmt.Sprintf("%.0f", p.PassBytes)
				row[8] = significant(slope.Median(p.CPU) * 1e3)
				if i > 0 && s.Points[i-1].Timed {
					row[9] = fmt.Sprintf("%.2f", exponent(s.Points[i-1].Rows, p.Rows, slope.Median(s.Points[i-1].CPU),
						slope.Median(p.CPU)))
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// remarks explains the columns and lists the sizes that were not timed.
func (r *Report) remarks() []string {
	lines := []string{
		"Mflop: counted; a multiplication with its addition is two. Training: forward, backward and the optimizer's step.",
		"second difference: of the operations over I/4, I/2 and I, f(I) - 3 f(I/2) + 2 f(I/4); 0 on a line.",
		"MiB counted: activations and their gradients; held: what the first pass leaves in use. B a pass: allocated by later ones.",
		"exponent: of the time, from the size before.",
	}
	has := func(name string) bool {
		return slices.ContainsFunc(r.Series, func(s *Series) bool { return s.System == name })
	}
	if has("memo") {
		lines = append(lines,
			"MEMO: W_h is I x I. Its I^2 term, which the paper's complexity analysis leaves out, is the highest one above.")
	}
	if has("dnc") {
		lines = append(lines,
			"DNC, I slots: as many slots as rows make I steps over I x I links: cubic. With a fixed number it is linear.",
			"DNC, training: where the memories of all steps would not fit into 1 GiB, some are computed again, and counts are no polynomial.")
	}
	for _, l := range r.limits() {
		lines = append(lines, "NOT TIMED: "+l+".")
	}
	return lines
}

// significant prints three significant digits, or all digits of the integer part.
func significant(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	case x >= 0.1:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.3g", x)
}
