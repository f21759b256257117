package table

import (
	"fmt"
	"io"
	"strings"
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
	t.markdownRows(&b, escapeMarkdown.Replace, true)
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
	t.markdownRows(&b, func(s string) string { return s }, false)
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Table) markdownRows(b *strings.Builder, escape func(string) string, marks bool) {
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
			cells := []string{escape(r.Label)}
			for _, c := range r.Cells {
				text := escape(c.String())
				if marks && len(c.Notes) > 0 {
					text += "<sup>" + joinMarks(c.Notes) + "</sup>"
				}
				cells = append(cells, text)
			}
			line(cells)
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
	e := escapeLaTeX.Replace
	b.WriteString("{\\scriptsize\\setlength{\\tabcolsep}{3pt}\n")
	for from := 0; from < len(t.Columns); {
		to := t.columnsThatFit(from, latexWidth)
		p := t.part(from, to)
		fmt.Fprintf(&b, "\\begin{longtable}{@{}p{0.28\\textwidth}%s@{}}\n", strings.Repeat("r", to-from))
		if from == 0 {
			fmt.Fprintf(&b, "\\caption{%s}\\label{tab:%s}\\\\\n", e(t.Title), t.ID)
		}
		b.WriteString("\\toprule\n")
		groups, titles := p.headings()
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
				cells := []string{e(r.Label)}
				for _, c := range r.Cells {
					text := e(c.String())
					if len(c.Notes) > 0 {
						text += "\\textsuperscript{" + joinMarks(c.Notes) + "}"
					}
					cells = append(cells, text)
				}
				b.WriteString(strings.Join(cells, " & ") + " \\\\\n")
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
