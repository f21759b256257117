package format

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"memobench/report/document"
	"memobench/report/table"
)

// latexSigns are the signs of LaTeX and those outside ASCII that titles, notes
// and cells use.
var latexSigns = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "%", `\%`, "#", `\#`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `$<$`, ">", `$>$`, "|", `$|$`, `"`, `''`, "--", `-{}-`,
	" ± ", `\,$\pm$\,`, "±", `$\pm$`, "–", "--", "—", "---", "×", `$\times$`, "≥", `$\geq$`, "≤", `$\leq$`, "·", `$\cdot$`, "→", `$\rightarrow$`, "≈", `$\approx$`,
	"’", "'", "…", `\ldots{}`)

// latex escapes text; what LaTeX's fonts lack becomes a question mark.
func latex(s string) string {
	return strings.Map(func(r rune) rune {
		if r > 0x24f {
			return '?'
		}
		return r
	}, latexSigns.Replace(s))
}

// preamble begins a document that compiles by itself. Tables are long ones, which
// may go over a page.
const preamble = `\documentclass[10pt,a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=14mm]{geometry}
\usepackage{textcomp}
\usepackage{booktabs}
\usepackage{longtable}
\setlength{\parindent}{0pt}
\setlength{\parskip}{3pt}
\setlength{\tabcolsep}{3pt}
\setlength{\LTleft}{0pt}
\raggedright
`

// latexColumns is how many columns of numbers a page has room for.
const latexColumns = 8

// latexRoom is how many signs of such columns a line has room for beside the
// labels, with two for the gap before each: as measured on digits of Computer
// Modern.
const latexRoom = 114

// fits reports whether a page is wide enough for a table.
func fits(t *table.Table) bool {
	need := make([]int, t.NumColumns())
	i := 0
	for _, g := range t.Groups {
		for _, c := range g.Columns {
			need[i] = len(c.Title)
			i++
		}
	}
	for _, s := range t.Sections {
		for _, r := range s.Rows {
			for i, c := range r.Cells {
				need[i] = max(need[i], utf8.RuneCountInString(c.String()))
			}
		}
	}
	room := latexRoom
	for _, n := range need {
		room -= n + 2
	}
	return t.NumColumns() <= latexColumns && room >= 0
}

// latexTable writes a table with booktabs and longtable: in several parts, one
// below the other, where it has more columns than a page has room for.
func latexTable(w io.Writer, t *table.Table) error {
	if err := t.Validate(); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\\subsection*{%s}\n", latex(t.Title))
	for _, line := range t.About {
		b.WriteString(latex(line) + "\n\n")
	}
	for from := 0; from < len(t.Groups); {
		to := from + 1
		for to < len(t.Groups) && fits(t.Part(from, to+1)) {
			to++
		}
		latexPart(&b, t.Part(from, to))
		from = to
	}
	b.WriteString("{\\footnotesize\n")
	for i, n := range t.Notes {
		fmt.Fprintf(&b, "\\textsuperscript{%d}\\,%s\n\n", i+1, latex(n))
	}
	for _, r := range t.Remarks {
		b.WriteString(latex(r) + "\n\n")
	}
	b.WriteString("}\n\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// latexPart writes some of the table's groups with all rows.
func latexPart(b *strings.Builder, t *table.Table) {
	size := "scriptsize"
	if t.NumColumns() > latexColumns {
		size = "tiny"
	}
	fmt.Fprintf(b, "{\\"+size+"\n\\begin{longtable}{@{}p{40mm}%s@{}}\n\\toprule\n", strings.Repeat("r", t.NumColumns()))
	var groups, rules, leaves []string
	at := 2
	for _, g := range t.Groups {
		groups = append(groups, fmt.Sprintf("\\multicolumn{%d}{c}{%s%s}", len(g.Columns), latex(g.Title), textsup(g.Marks)))
		rules = append(rules, fmt.Sprintf("\\cmidrule(lr){%d-%d}", at, at+len(g.Columns)-1))
		at += len(g.Columns)
		for _, c := range g.Columns {
			leaves = append(leaves, latex(c.Title))
		}
	}
	fmt.Fprintf(b, " & %s \\\\\n%s\n%s & %s \\\\\n\\midrule\n\\endhead\n", strings.Join(groups, " & "), strings.Join(rules, " "), latex(t.Corner), strings.Join(leaves, " & "))
	for i, s := range t.Sections {
		if i > 0 {
			b.WriteString("\\midrule\n")
		}
		if s.Title != "" {
			title := fmt.Sprintf("\\textbf{%s}%s", latex(s.Title), textsup(s.Marks))
			if len(s.Title) > latexRoom {
				title = "\\parbox[t]{0.95\\linewidth}{\\raggedright " + title + "}"
			}
			fmt.Fprintf(b, "\\multicolumn{%d}{@{}l}{%s} \\\\\n", t.NumColumns()+1, title)
		}
		for _, r := range s.Rows {
			cells := []string{latex(r.Label) + textsup(r.Marks)}
			for _, c := range r.Cells {
				cells = append(cells, latex(c.String())+textsup(c.Marks))
			}
			b.WriteString(strings.Join(cells, " & ") + " \\\\\n")
		}
	}
	b.WriteString("\\bottomrule\n\\end{longtable}}\n")
}

// textsup is the raised marks of a cell.
func textsup(marks []int) string {
	if len(marks) == 0 {
		return ""
	}
	return "\\textsuperscript{" + join(marks) + "}"
}

// LaTeX writes the report's tables and the differences from the paper as a
// document that compiles by itself; figures are files of their own.
func LaTeX(w io.Writer, d *document.Document) error {
	var b strings.Builder
	b.WriteString(preamble)
	fmt.Fprintf(&b, "\\title{%s}\n\\date{}\n\\begin{document}\n\\maketitle\n", latex(d.Title))
	for _, p := range d.About {
		b.WriteString(latex(p) + "\n\n")
	}
	for _, t := range d.Tables() {
		if err := latexTable(&b, t); err != nil {
			return err
		}
	}
	if len(d.Differences) > 0 {
		b.WriteString("\\subsection*{Differences from the paper}\n\\begin{description}\n")
		for _, x := range d.Differences {
			fmt.Fprintf(&b, "\\item[%s] Paper: %s. Here: %s.\n", latex(x.Where), latex(x.Paper), latex(x.Here))
		}
		b.WriteString("\\end{description}\n")
	}
	b.WriteString("\\end{document}\n")
	_, err := io.WriteString(w, b.String())
	return err
}
