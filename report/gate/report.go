package gate

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/table"
)

// Text writes the report for a terminal: a table, what must be known of it, and the verdict.
func (r *Report) Text(w io.Writer, style table.Style) error { return r.table().Text(w, style) }

// table returns the report as a table with a section for each task and name. The verdict is
// before the columns that a narrow terminal shows below.
func (r *Report) table() *table.Table {
	t := &table.Table{ID: "compare", Title: "A: " + r.A, About: []string{"B: " + r.B}, Corner: "number", Remarks: r.lines()}
	heading := []string{"A", "B", "B less A [95 %]", "by seed [95 %]", "lost:won by seed (p)"}
	if r.Options != nil {
		heading = []string{"A", "B", "B less A", "verdict", "margin", "detectable", "p", "adjusted", "test"}
	}
	for _, h := range heading {
		t.Columns = append(t.Columns, table.Column{Group: h, Role: table.Measured})
	}
	for i := range r.Differences {
		d := &r.Differences[i]
		title := strings.TrimSpace(d.Task + " " + d.Name)
		if n := len(t.Sections); n == 0 || t.Sections[n-1].Title != title {
			t.Sections = append(t.Sections, table.Section{Title: title})
		}
		row := table.Row{Label: d.number.String()}
		for _, text := range d.row() {
			row.Cells = append(row.Cells, table.Words(text))
		}
		section := &t.Sections[len(t.Sections)-1]
		section.Rows = append(section.Rows, row)
	}
	t.DropEmpty()
	return t
}

func (d *Difference) row() []string {
	row := []string{d.A.text(d.digits(d.A.Mean)), d.B.text(d.digits(d.B.Mean))}
	if f := d.Finding; f != nil {
		detectable := ""
		if f.Detectable != nil {
			detectable = d.text(*f.Detectable)
		}
		drop := fmt.Sprintf("%+.*f", d.digits(d.A.Mean), d.Change.Value)
		if d.Same {
			drop = "same"
		}
		return append(row, drop, string(f.Verdict), d.text(f.Margin), detectable, pText(f.P), pText(f.Adjusted), string(f.Method))
	}
	var answers []string
	for _, a := range d.Answers {
		answers = append(answers, fmt.Sprintf("%d: %d:%d (%s)", a.Seed, a.Lost, a.Won, pText(a.P)))
	}
	return append(row, d.change(&d.Change), d.change(d.Paired), strings.Join(answers, ", "))
}

// change prints a difference with its interval.
func (d *Difference) change(c *change) string {
	digits := d.digits(d.A.Mean)
	switch {
	case c == nil:
		return ""
	case d.Same:
		return "same"
	case c.Method == identical:
		return "equal"
	case c.Low == nil:
		return fmt.Sprintf("%+.*f (%s)", digits, c.Value, c.Why)
	}
	text := fmt.Sprintf("%+.*f [%+.*f, %+.*f]", digits, c.Value, digits, *c.Low, digits, *c.High)
	switch {
	case d.Better == "" || *c.Low <= 0 && *c.High >= 0:
	case (*c.Low > 0) == (d.Better == record.Higher):
		text += " better"
	default:
		text += " worse"
	}
	if c.Method.withoutSeeds() {
		text += " *"
	}
	return text
}

// lines returns what must be known of the table, then problems, then the summary.
func (r *Report) lines() (list []string) {
	if slices.ContainsFunc(r.Differences, func(d Difference) bool { return d.Change.Method.withoutSeeds() && !d.Same }) {
		list = append(list, "* By the questions of the trained networks at hand; what another seed would give is not in the interval.")
	}
	if o := r.Options; o != nil {
		list = append(list, fmt.Sprintf("p: one-sided, adjusted over %d numbers. detectable: the drop that is found in %g %% of cases if this number alone drops.", len(r.Differences), 100*o.Power))
	} else if len(r.OnlyA) > 0 {
		list = append(list, "Only in A: "+strings.Join(r.OnlyA, ", "))
	}
	if len(r.OnlyB) > 0 {
		list = append(list, "Only in B: "+strings.Join(r.OnlyB, ", "))
	}
	list = append(list, r.Notes...)
	for _, text := range r.Slower {
		list = append(list, "SLOWER "+text)
	}
	for _, v := range []Verdict{Fail, Inconclusive} {
		for _, text := range r.problems(v) {
			list = append(list, strings.ToUpper(string(v))+" "+text)
		}
	}
	if r.Options != nil {
		list = append(list, r.Summary())
	}
	return list
}

func (r *Report) problems(v Verdict) (list []string) {
	if v == Fail {
		list = slices.Clone(r.Failures)
	}
	for i := range r.Differences {
		if d := &r.Differences[i]; d.Finding != nil && d.Verdict == v {
			list = append(list, d.label()+": "+strings.Join(d.Reasons, "; "))
		}
	}
	return list
}

// Summary is the verdict of a check with counts, in one line.
func (r *Report) Summary() string {
	return fmt.Sprintf("%s: %d numbers checked, %d problems, %d inconclusive", strings.ToUpper(string(r.Verdict)),
		len(r.Differences), len(r.problems(Fail)), len(r.problems(Inconclusive)))
}

func (d *Difference) label() string {
	return strings.TrimSpace(d.Task+" "+d.Name) + " " + d.number.String()
}

// text prints the mean, its standard deviation and the number of runs: "98.30 ± 0.70 (3)".
func (s summary) text(digits int) string {
	if s.SD == nil {
		return fmt.Sprintf("%.*f (%d)", digits, s.Mean, s.N)
	}
	return fmt.Sprintf("%.*f ± %.*f (%d)", digits, s.Mean, digits, *s.SD, s.N)
}

// digits returns the number of decimals for a value.
func (d *Difference) digits(v float64) int {
	switch v = math.Abs(v); {
	case v >= 1000:
		return 0
	case v > 0 && v < 1 && !isAccuracy(d.Metric):
		return 4
	}
	return 2
}

func (d *Difference) text(v float64) string { return strconv.FormatFloat(v, 'f', d.digits(v), 64) }

func pText(p float64) string {
	if p < 0.0005 {
		return "<0.0005"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// GitHub writes a check as annotations of GitHub Actions: a notice with the verdict, errors for
// failures and warnings for inconclusive numbers.
func (r *Report) GitHub(w io.Writer) error {
	err := Annotate(w, "notice", "regression gate", r.Summary())
	for _, text := range r.problems(Fail) {
		err = errors.Join(err, Annotate(w, "error", "accuracy regressed", text))
	}
	for _, text := range append(r.problems(Inconclusive), r.Slower...) {
		err = errors.Join(err, Annotate(w, "warning", "too few runs to tell", text))
	}
	return err
}

// Annotate writes one annotation: an error, a warning or a notice.
func Annotate(w io.Writer, command, title, text string) error {
	escaped := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
	_, err := fmt.Fprintf(w, "::%s title=memobench%%3A %s::%s\n", command, title, escaped)
	return err
}
