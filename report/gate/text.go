package gate

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"memobench/report/results"
	"memobench/report/table"
)

// maxRows is the maximum number of cells in the table.
const maxRows = 1000

// Print writes the report as text: a table of the evaluated cells, the problems, and the
// verdict.
func (r *Report) Print(w io.Writer, style table.Style) error {
	if len(r.Findings) > 0 {
		if err := r.table().Terminal(w, style); err != nil {
			return err
		}
	}
	for _, line := range r.problems() {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, r.summary())
	return err
}

// problems lists the reasons why the verdict is not pass, failures first.
func (r *Report) problems() []string {
	var list []string
	for _, f := range r.failing() {
		list = append(list, fmt.Sprintf("FAIL %s: %s", f.Label, f.text(r.Options.AllowMissing)))
	}
	for _, label := range r.Missing {
		list = append(list, fmt.Sprintf("FAIL %s: missing: the baseline has it, the results have not", label))
	}
	ambiguous := r.ambiguous()
	for _, v := range []Verdict{Fail, Inconclusive} {
		for _, f := range r.Findings {
			if f.Verdict == v {
				where := f.Label
				if ambiguous[f.Label] {
					where += ", protocol " + f.Config.Protocol
				}
				list = append(list, fmt.Sprintf("%s %s: %s", strings.ToUpper(string(v)), where, strings.Join(f.Reasons, "; ")))
			}
		}
	}
	return list
}

// summary is the overall verdict with counts, in one line.
func (r *Report) summary() string {
	return strings.ToUpper(string(r.Verdict)) + ": " + r.Counts()
}

// Counts returns the numbers of cells by verdict.
func (r *Report) Counts() string {
	text := fmt.Sprintf("%d cells checked, %d fail, %d inconclusive", len(r.Findings), r.count(Fail), r.count(Inconclusive))
	if len(r.Missing) > 0 {
		text += fmt.Sprintf(", %d missing", len(r.Missing))
	}
	if groups := r.failing(); len(groups) > 0 {
		text += fmt.Sprintf(", failed or missing runs of %d models", len(groups))
	}
	return text
}

func (r *Report) table() *table.Table {
	t := &table.Table{
		Title: "Regression gate", Corner: "cell",
		About: []string{"Baseline A: " + r.A, "Results B: " + r.B},
		Groups: []table.Group{
			{Title: "A", Columns: []table.Column{{Title: "mean ± sd (n)"}}},
			{Title: "B", Columns: []table.Column{{Title: "mean ± sd (n)"}}},
			{Title: "drop", Columns: []table.Column{{Title: "A less B"}, {Title: "margin"}, {Title: "detectable"}}},
			{Title: "p", Columns: []table.Column{{Title: "alone"}, {Title: "adjusted"}, {Title: "test"}}},
			{Title: "worst of B", Columns: []table.Column{{Title: "run"}, {Title: "floor"}}},
			{Title: "", Columns: []table.Column{{Title: "verdict"}}},
		},
		Remarks: []string{
			fmt.Sprintf("Fails: a drop beyond the margin with adjusted p (Benjamini-Hochberg, %d cells) of at most %g; a run beyond a floor that was given; more failed or missing runs; a missing cell. "+
				"detectable: the drop that is found in %g %% of cases if the cell alone drops; p is one-sided.", len(r.Findings), r.Options.Alpha, 100*r.Options.Power),
		},
	}
	group, ambiguous := "", r.ambiguous()
	shown := r.Findings
	if len(shown) > maxRows {
		shown = slices.Clone(shown)
		order := []Verdict{Fail, Inconclusive, Pass}
		slices.SortStableFunc(shown, func(f, g Finding) int {
			return cmp.Compare(slices.Index(order, f.Verdict), slices.Index(order, g.Verdict))
		})
		shown = shown[:maxRows]
		t.Remarks = append(t.Remarks, fmt.Sprintf("The table has %d of %d cells, those that do not pass first; --json prints all.", maxRows, len(r.Findings)))
	}
	for _, f := range shown {
		g, rest := results.Key{Name: f.Name, Unit: f.Unit}.Split()
		if ambiguous[f.Label] {
			g += ", protocol " + f.Config.Protocol
		}
		if g != group || len(t.Sections) == 0 {
			t.Sections = append(t.Sections, table.Section{Title: g})
			group = g
		}
		s := &t.Sections[len(t.Sections)-1]
		s.Rows = append(s.Rows, table.Row{Label: rest, Cells: []table.Cell{
			f.A.Cell(), f.B.Cell(), table.Words(f.number(f.Drop)), table.Words(f.number(f.Margin)), f.optional(f.Detectable),
			table.Words(probability(f.P)), table.Words(probability(f.Adjusted)), table.Words(string(f.Method)), table.Words(f.number(f.Worst)), f.optional(f.Floor), table.Words(string(f.Verdict)),
		}})
	}
	for _, f := range r.Findings {
		if f.Method.OfTwoRuns() {
			t.Remarks = results.AddNew(t.Remarks, fmt.Sprintf("%s: one run a side; about these two networks, what another seed would give is not in it.", f.Method))
		}
	}
	for _, note := range r.Notes {
		t.Remarks = append(t.Remarks, note+".")
	}
	if len(r.New) > 0 {
		t.Remarks = append(t.Remarks, "Not in the baseline, not checked: "+strings.Join(r.New, ", ")+".")
	}
	if len(r.Ignored) > 0 {
		t.Remarks = append(t.Remarks, "Units without a margin, not checked: "+strings.Join(r.Ignored, ", ")+".")
	}
	return t
}

// optional prints a number of the cell; nil is unknown.
func (f *Finding) optional(v *float64) table.Cell {
	if v == nil {
		return table.Cell{State: table.Unknown}
	}
	return table.Words(f.number(*v))
}

// number prints a value of the cell or a difference, with two decimals for accuracies, and
// four for other small numbers.
func (f *Finding) number(v float64) string {
	digits := 2
	switch {
	case v == 0 || results.IsAccuracy(f.Unit):
	case math.Abs(v) < 0.1:
		digits = 4
	case math.Abs(v) >= 1000:
		digits = 0
	}
	return table.Cell{State: table.Number, Mean: v, Decimals: digits}.String()
}

// ambiguous returns the labels of several findings, with different protocols or data.
func (r *Report) ambiguous() map[string]bool {
	labels := map[string]bool{} // true when seen twice
	for _, f := range r.Findings {
		_, labels[f.Label] = labels[f.Label]
	}
	return labels
}

// probability prints a p-value.
func probability(p float64) string {
	if p > 0 && p < 0.0001 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}

// maxAnnotations is the number of errors, and of warnings, that GitHub shows per step.
const maxAnnotations = 10

// GitHub writes the report as workflow commands, which GitHub Actions shows as
// annotations: errors for failures, warnings for inconclusive cells, and a notice with the
// overall verdict. If there are too many, the last annotation has the number of the others.
func (r *Report) GitHub(w io.Writer) error {
	var errors, warnings []string
	for _, line := range r.problems() {
		if rest, ok := strings.CutPrefix(line, "FAIL "); ok {
			errors = append(errors, rest)
		} else {
			warnings = append(warnings, strings.TrimPrefix(line, "INCONCLUSIVE "))
		}
	}
	for _, level := range []struct {
		command, title string
		lines          []string
	}{
		{"error", "accuracy regressed", errors},
		{"warning", "too few runs to tell", warnings},
		{"notice", "regression gate", []string{r.summary()}},
	} {
		if rest := len(level.lines) - (maxAnnotations - 1); rest > 1 {
			level.lines = append(level.lines[:maxAnnotations-1], fmt.Sprintf("and %d more: see the log", rest))
		}
		for _, line := range level.lines {
			if err := Annotate(w, level.command, level.title, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// Annotate writes one workflow command: an error, a warning or a notice.
func Annotate(w io.Writer, command, title, text string) error {
	_, err := fmt.Fprintf(w, "::%s title=memobench%%3A %s::%s\n", command, title, githubEscape.Replace(text))
	return err
}

// githubEscape escapes the message of a workflow command.
var githubEscape = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
