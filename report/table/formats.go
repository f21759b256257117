package table

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/report/results"
)

// escapeMarkdown escapes the special characters of Markdown.
var escapeMarkdown = strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "#", `\#`, "[", `\[`, "]", `\]`)

// Markdown writes a table in GitHub's form with its title and notes. It has no merged
// headings: a column's heading has that of its group.
func (t *Table) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", escapeMarkdown.Replace(t.Title))
	for _, line := range t.About {
		b.WriteString(escapeMarkdown.Replace(line) + "\n\n")
	}
	t.markdownRows(&b, escapeMarkdown.Replace, func(notes []int) string { return "<sup>" + joinMarks(notes) + "</sup>" })
	b.WriteString("\n")
	for i, n := range t.Notes {
		fmt.Fprintf(&b, "<sup>%d</sup> %s  \n", i+1, escapeMarkdown.Replace(n))
	}
	for _, r := range t.Remarks {
		b.WriteString(escapeMarkdown.Replace(r) + "  \n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// MarkdownRows writes only the rows, for documents, without footnotes. Labels may be Markdown.
func (t *Table) MarkdownRows(w io.Writer) error {
	var b strings.Builder
	t.markdownRows(&b, asIs, func([]int) string { return "" })
	_, err := io.WriteString(w, b.String())
	return err
}

func asIs(s string) string { return s }

// texts returns the label of a row and its cells, with the marks of their footnotes.
func (r *Row) texts(escape func(string) string, marks func(notes []int) string) []string {
	list := []string{escape(r.Label)}
	for _, c := range r.Cells {
		text := escape(c.String())
		if len(c.Notes) > 0 {
			text += marks(c.Notes)
		}
		list = append(list, text)
	}
	return list
}

func (t *Table) markdownRows(b *strings.Builder, escape func(string) string, marks func(notes []int) string) {
	heads, rule := []string{escape(t.Corner)}, []string{"---"}
	for i, c := range t.Columns {
		heading := c.Heading()
		switch {
		case i > 0 && c.Role == Published: // next to the number that it belongs to
			heading = c.Title
		case c.Role == Measured && c.Title == allSeeds:
			heading = c.Group
		}
		heads, rule = append(heads, escape(heading)), append(rule, "---:")
	}
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(heads)
	line(rule)
	for _, s := range t.Sections {
		if s.Title != "" {
			line(append([]string{"**" + escape(s.Title) + "**"}, make([]string, len(t.Columns))...))
		}
		for _, r := range s.Rows {
			line(r.texts(escape, marks))
		}
	}
}

// escapeLaTeX replaces the special characters of LaTeX and the signs of tables.
var escapeLaTeX = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "%", `\%`, "#", `\#`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `$<$`, ">", `$>$`, "|", `$|$`, `"`, `''`,
	"±", `$\pm$`, "–", "--", "—", "---", "×", `$\times$`, "≥", `$\geq$`, "≤", `$\leq$`, "≈", `$\approx$`, "→", `$\rightarrow$`)

// latexWidth is the number of characters of \scriptsize that fit into a line of the text.
const latexWidth = 110

// LaTeX writes a table for booktabs and longtable; one that is too wide is written in parts.
func (t *Table) LaTeX(w io.Writer) error {
	var b strings.Builder
	e, marks := escapeLaTeX.Replace, func(notes []int) string { return "\\textsuperscript{" + joinMarks(notes) + "}" }
	b.WriteString("{\\scriptsize\\setlength{\\tabcolsep}{3pt}\n")
	for from := 0; from < len(t.Columns); {
		to := t.columnsThatFit(from, latexWidth, Style{})
		p := t.part(from, to)
		fmt.Fprintf(&b, "\\begin{longtable}{@{}p{0.28\\textwidth}%s@{}}\n", strings.Repeat("r", to-from))
		if from == 0 {
			fmt.Fprintf(&b, "\\caption{%s}\\label{tab:%s}\\\\\n", e(t.Title), t.ID)
		}
		b.WriteString("\\toprule\n")
		groups, titles := p.headings(Style{})
		for i := 0; i < len(groups); {
			to := i + 1
			for i > 0 && to < len(groups) && groups[to] == groups[i] {
				to++
			}
			if i > 0 {
				fmt.Fprintf(&b, " & \\multicolumn{%d}{c}{%s}", to-i, e(groups[i]))
			} else {
				b.WriteString(e(groups[0]))
			}
			i = to
		}
		b.WriteString(" \\\\\n")
		if titles != nil {
			for i, title := range titles {
				titles[i] = e(title)
			}
			b.WriteString(strings.Join(titles, " & ") + " \\\\\n")
		}
		b.WriteString("\\midrule\\endhead\n")
		for i, s := range p.Sections {
			if i > 0 {
				b.WriteString("\\midrule\n")
			}
			if s.Title != "" {
				fmt.Fprintf(&b, "\\multicolumn{%d}{@{}l}{\\textbf{%s}} \\\\\n", len(p.Columns)+1, e(s.Title))
			}
			for _, r := range s.Rows {
				b.WriteString(strings.Join(r.texts(e, marks), " & ") + " \\\\\n")
			}
		}
		b.WriteString("\\bottomrule\n\\end{longtable}\n")
		from = to
	}
	for i, n := range t.Notes {
		fmt.Fprintf(&b, "\\textsuperscript{%d}\\,%s\\par\n", i+1, e(n))
	}
	for _, r := range t.Remarks {
		b.WriteString(e(r) + "\\par\n")
	}
	b.WriteString("}\n\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// CSV writes tables with one line per cell: table, section, row, column, role, mean, standard
// deviation, seeds, text.
func CSV(w io.Writer, tables []*Table) error {
	out := csv.NewWriter(w)
	out.Write([]string{"table", "section", "row", "column", "role", "mean", "sd", "n", "text"})
	for _, t := range tables {
		for _, s := range t.Sections {
			for _, r := range s.Rows {
				for i, c := range r.Cells {
					if c.Empty() {
						continue
					}
					column := t.Columns[i]
					line := []string{t.ID, s.Title, r.Label, column.Group, string(column.Role), "", "", "", c.Text}
					if column.Title != "" && column.Role == Measured {
						line[3] = column.Heading()
					}
					if c.Number {
						line[5] = strconv.FormatFloat(c.Mean, 'g', -1, 64)
					}
					if c.HasSD {
						line[6] = strconv.FormatFloat(c.SD, 'g', -1, 64)
					}
					if c.N > 0 {
						line[7] = strconv.Itoa(c.N)
					}
					out.Write(line)
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// JSON writes tables as an array of objects.
func JSON(w io.Writer, tables []*Table) error {
	data, err := json.MarshalIndent(tables, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(printable.JSON(data), '\n'))
	return err
}

// TidyCSV writes one line per run, kind of question and metric, for pandas and R. Counts over
// all kinds have an empty kind, whole questions an empty answer.
func TidyCSV(w io.Writer, runs []results.Run) error {
	out := csv.NewWriter(w)
	out.Write([]string{"study", "task", "name", "model", "seed", "origin", "status", "steps", "shift", "shift_value", "kind", "answer", "metric", "value", "questions"})
	for _, run := range runs {
		r := run.Record
		id := r.Identity
		head := []string{id.Study, id.Task, id.Name, id.Model, strconv.FormatUint(id.Seed, 10), string(r.Origin), string(r.Status), strconv.Itoa(r.Training.Steps), "", ""}
		if r.Shift != nil {
			head[8], head[9] = r.Shift.Setting, r.Shift.Evaluated
		}
		write := func(kind, answer string, m record.Metric, value float64, questions int) {
			out.Write(append(append([]string{}, head...), kind, answer, m.Name, strconv.FormatFloat(value, 'g', -1, 64), strconv.Itoa(questions)))
		}
		for _, m := range record.Metrics {
			if v, ok := m.Overall(r); ok {
				write("", "", m, v, 0)
			}
			for i, k := range r.Evaluation.Kinds {
				if v, ok := m.Value(r, i); ok {
					write(k.Name, "", m, v, k.Total)
				}
				for a, answer := range k.Answers {
					if v, ok := m.OfAnswer(r, i, a); ok {
						write(k.Name, answer.Name, m, v, k.Total)
					}
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}
