package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
	"memobench/report/results"
	"memobench/report/table"
)

// maxRows is the maximum number of cells in the table.
const maxRows = 1000

// Print writes the comparison as a table.
func (c *Comparison) Print(w io.Writer, style table.Style) error {
	t := &table.Table{
		Title: "B less A", Corner: "cell",
		About: []string{"A: " + c.A, "B: " + c.B},
		Groups: []table.Group{
			{Title: "A", Columns: []table.Column{{Title: "mean ± sd (n)"}}},
			{Title: "B", Columns: []table.Column{{Title: "mean ± sd (n)"}}},
			{Title: "B less A", Columns: []table.Column{{Title: fmt.Sprintf("difference [%g %%]", 100*c.Confidence)}}},
			{Title: "paired by seed", Columns: []table.Column{{Title: fmt.Sprintf("difference [%g %%] (pairs)", 100*c.Confidence)}}},
		},
		Remarks: []string{"mean ± sd (n): mean and sample standard deviation over n runs. In brackets: confidence interval, " +
			"each for itself; of many cells some miss their difference. + better, - worse: zero is outside the interval. same: " +
			"all numbers of these runs agree, times aside. none: no difference and no spread."},
	}
	answers := slices.ContainsFunc(c.Differences, func(d Difference) bool { return len(d.Answers) > 0 })
	if answers {
		t.Groups = append(t.Groups, table.Group{Title: "answers, by seed", Columns: []table.Column{{Title: "lost:won (McNemar's p)"}}})
	}
	shown := c.Differences
	if len(shown) > maxRows {
		shown = shown[:maxRows]
		t.Remarks = append(t.Remarks, fmt.Sprintf("The table has the first %d of %d cells; --json prints all, --filter chooses.", maxRows, len(c.Differences)))
	}
	notes := map[results.GroupKey][]string{}
	for _, r := range c.Runs {
		notes[r.GroupKey] = r.Notes
	}
	var section *table.Section
	var of results.GroupKey
	for _, d := range shown {
		group, rest := results.Key{Name: d.Name, Unit: d.Unit}.Split()
		if d.Config.Protocol != "" {
			group += ", protocol " + d.Config.Protocol
		}
		if key := (results.Key{Name: d.Name, Config: d.Config}).Group(); section == nil || of != key {
			of = key
			t.Sections = append(t.Sections, table.Section{Title: group})
			section = &t.Sections[len(t.Sections)-1]
			if notes[of] != nil {
				section.Marks = []int{t.Note("%s", strings.Join(notes[of], " "))}
			}
		}
		row := table.Row{Label: rest, Cells: []table.Cell{d.A.Cell(), d.B.Cell(), d.Change.cell(t, d), d.paired(t)}}
		if answers {
			row.Cells = append(row.Cells, table.Words(d.mcnemar()))
		}
		section.Rows = append(section.Rows, row)
	}
	for _, note := range c.Notes {
		t.Remarks = append(t.Remarks, note+".")
	}
	for _, side := range []struct {
		name  string
		cells []string
	}{{"A", c.OnlyA}, {"B", c.OnlyB}} {
		if len(side.cells) > 0 {
			t.Remarks = append(t.Remarks, fmt.Sprintf("In %s alone: %s.", side.name, strings.Join(side.cells, ", ")))
		}
	}
	return t.Terminal(w, style)
}

// Cell returns the summary as a cell of a table.
func (s Summary) Cell() table.Cell {
	c := table.Cell{State: table.Number, Mean: s.Mean, N: s.N, Decimals: decimals(s.Mean)}
	if s.SD != nil {
		c.SD, c.HasSD = *s.SD, true
	}
	return c
}

// decimals returns the number of decimals for a value: two, more for small values.
func decimals(v float64) int {
	switch v = math.Abs(v); {
	case v >= 1000:
		return 0
	case v < 1 && v != 0:
		return 4
	}
	return 2
}

// cell prints the change. If it has no interval, a footnote says why.
func (c Change) cell(t *table.Table, d Difference) table.Cell {
	if d.SameRuns {
		return table.Words("same")
	}
	digits := decimals(max(math.Abs(d.A.Mean), math.Abs(d.B.Mean)))
	text := signed(c.Value, digits)
	if c.Method == hypothesis.Identical {
		return table.Words("none")
	}
	if c.Low == nil {
		cell := table.Words(text)
		cell.Marks = []int{t.Note("no interval: %s", c.Why)}
		return cell
	}
	text += fmt.Sprintf(" [%s, %s]", signed(*c.Low, digits), signed(*c.High, digits))
	if c.N > 0 {
		text += fmt.Sprintf(" (%d)", c.N)
	}
	cell := table.Words(text + verdict(*c.Low, *c.High, d.Better))
	switch {
	case c.Method.OfTwoRuns():
		cell.Marks = []int{t.Note("interval by %s: of these two networks; what another seed would give is not in it", c.Method)}
	case c.Method != hypothesis.WelchT && c.Method != hypothesis.PairedT && c.Method != hypothesis.Exact:
		cell.Marks = []int{t.Note("interval by %s", c.Method)}
	}
	return cell
}

// signed prints a number with its sign, and zero as +0.
func signed(v float64, digits int) string {
	return table.Cell{State: table.Number, Mean: v, Decimals: digits, Signed: true}.String()
}

// verdict marks a difference whose interval excludes zero.
func verdict(low, high float64, better record.Direction) string {
	switch {
	case better == "" || low <= 0 && high >= 0:
		return "  "
	case (low > 0) == (better == record.Higher):
		return " +"
	}
	return " -"
}

func (d *Difference) paired(t *table.Table) table.Cell {
	if d.Paired == nil || d.SameRuns {
		return table.Cell{}
	}
	return d.Paired.cell(t, *d)
}

// mcnemar lists the tests of the seeds.
func (d *Difference) mcnemar() string {
	var parts []string
	for _, a := range d.Answers {
		parts = append(parts, fmt.Sprintf("%d: %d:%d (%.3f)", a.Seed, a.Lost, a.Won, a.P))
	}
	return strings.Join(parts, ", ")
}
