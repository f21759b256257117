package format

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"memobench/report/document"
	"memobench/report/figure"
	"memobench/report/table"
)

// latexSigns replaces the special characters of LaTeX and the non-ASCII signs in titles,
// notes and cells.
var latexSigns = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "%", `\%`, "#", `\#`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `$<$`, ">", `$>$`, "|", `$|$`, `"`, `''`, "--", `-{}-`,
	"±", `$\pm$`, "–", "--", "—", "---", "×", `$\times$`, "≥", `$\geq$`, "≤", `$\leq$`, "·", `$\cdot$`, "→", `$\rightarrow$`, "≈", `$\approx$`,
	"’", "'", "…", `\ldots{}`)

// longWord matches words that may be broken.
var longWord = regexp.MustCompile(`[^\s]{12,}`)

// latex escapes text; characters that LaTeX's fonts lack become question marks. Long words
// may be broken after punctuation.
func latex(s string) string {
	s = longWord.ReplaceAllStringFunc(s, func(word string) string {
		return strings.NewReplacer(".", ".\x00", "=", "=\x00", "/", "/\x00", "_", "_\x00", ",", ",\x00", "-", "-\x00", ":", ":\x00").Replace(word)
	})
	s = strings.ReplaceAll(latexSigns.Replace(s), "\x00", `\allowbreak{}`)
	return strings.Map(func(r rune) rune {
		if r > 0x24f {
			return '?'
		}
		return r
	}, s)
}

// preamble begins a document that compiles without other files.
const preamble = `\documentclass[10pt,a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=14mm]{geometry}
\usepackage{array,booktabs,longtable,graphicx,textcomp}
\setlength{\parindent}{0pt}
\setlength{\parskip}{3pt}
\raggedright
\emergencystretch=3em
`

// latexRoom is the text width in characters of \scriptsize; a column takes latexGap more
// than its text.
const (
	latexRoom = 74
	latexGap  = 1.8
)

// latexWidths divides the text width among the columns, that of the labels first: each has
// room for its longest word, the rest goes to those with the longest lines. fits is false
// if there is no room.
func latexWidths(t *table.Table) (shares []float64, fits bool) {
	n := t.NumColumns() + 1
	word, line := make([]float64, n), make([]float64, n)
	see := func(i int, text string, marks []int) {
		raised := 0.0
		if len(marks) > 0 {
			raised = 0.8 * float64(len(table.JoinMarks(marks)))
		}
		words := strings.Fields(longWord.ReplaceAllStringFunc(text, func(w string) string {
			return strings.NewReplacer(".", ". ", "=", "= ", "-", "- ", "/", "/ ", "_", "_ ").Replace(w)
		}))
		for k, w := range words {
			length := signs(w)
			if k == len(words)-1 {
				length += raised
			}
			word[i] = max(word[i], length)
		}
		line[i] = max(line[i], min(30, signs(text)+raised))
	}
	see(0, t.Corner, nil)
	i := 1
	for _, g := range t.Groups {
		if len(g.Columns) == 1 {
			see(i, g.Title, g.Marks)
		}
		for _, c := range g.Columns {
			see(i, c.Title, nil)
			i++
		}
	}
	for _, s := range t.Sections {
		for _, r := range s.Rows {
			see(0, r.Label, r.Marks)
			for i, c := range r.Cells {
				see(i+1, c.String(), c.Marks)
			}
		}
	}
	used, wanted := 0.0, 0.0
	for i := range word {
		used += word[i] + latexGap
		wanted += max(0, line[i]-word[i])
	}
	left := latexRoom - used
	for i := range word {
		share := word[i] + latexGap
		if wanted > 0 {
			share += max(0, left) * min(1, wanted/max(left, 1)) * max(0, line[i]-word[i]) / wanted
		}
		shares = append(shares, share/max(latexRoom, used))
	}
	return shares, left >= 0
}

// signs returns the width of text in digits: capitals are wider.
func signs(text string) float64 {
	n := 0.0
	for _, r := range text {
		n++
		if unicode.IsUpper(r) {
			n += 0.4
		}
	}
	return n
}

// latexTable writes a table with booktabs and longtable in the text width, divided into
// several parts if it has too many columns.
func latexTable(w io.Writer, t *table.Table) error {
	if err := t.Validate(); err != nil {
		return err
	}
	t = t.Merged()
	var b strings.Builder
	b.WriteString("% needs \\usepackage{array,booktabs,longtable}\n{\\setlength{\\tabcolsep}{3pt}\\setlength{\\LTcapwidth}{\\textwidth}\\raggedright\\emergencystretch=3em\n")
	for from := 0; from < len(t.Groups); {
		to := from + 1
		for to < len(t.Groups) {
			if _, fits := latexWidths(t.Part(from, to+1)); !fits {
				break
			}
			to++
		}
		latexPart(&b, t.Part(from, to), from == 0)
		from = to
	}
	b.WriteString("{\\scriptsize\n")
	for _, line := range t.About {
		b.WriteString(latex(line) + "\\par\n")
	}
	for i, n := range t.Notes {
		fmt.Fprintf(&b, "\\textsuperscript{%d}\\,%s\\par\n", i+1, latex(n))
	}
	for _, r := range t.Remarks {
		b.WriteString(latex(r) + "\\par\n")
	}
	b.WriteString("}}\n\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// latexPart writes some of the table's groups with all rows; the first part has the
// caption and the label.
func latexPart(b *strings.Builder, t *table.Table, first bool) {
	b.WriteString("{\\scriptsize\n\\begin{longtable}{@{}")
	shares, _ := latexWidths(t)
	for _, share := range shares {
		fmt.Fprintf(b, ">{\\raggedright\\arraybackslash}p{\\dimexpr%.3f\\textwidth-2\\tabcolsep\\relax}", share-0.0005)
	}
	b.WriteString("@{}}\n")
	if first {
		caption := t.Title
		if name, rest, ok := strings.Cut(t.Title, ". "); ok && strings.HasPrefix(name, "Table ") { // LaTeX has numbers of its own
			caption = rest + " (" + name + " of the report)"
		}
		fmt.Fprintf(b, "\\caption{%s.}", latex(strings.TrimSuffix(caption, ".")))
		if t.ID != "" {
			fmt.Fprintf(b, "\\label{tab:%s}", t.ID)
		}
		b.WriteString("\\\\\n")
	}
	var groups, rules, leaves []string
	at := 2
	for _, g := range t.Groups {
		width := 0.0
		for i := range g.Columns {
			width += shares[at-1+i]
		}
		groups = append(groups, fmt.Sprintf("\\multicolumn{%d}{>{\\raggedright\\arraybackslash}p{\\dimexpr%.3f\\textwidth-2\\tabcolsep\\relax}}{%s%s}", len(g.Columns), width-0.0005, latex(g.Title), textsup(g.Marks)))
		rules = append(rules, fmt.Sprintf("\\cmidrule(lr){%d-%d}", at, at+len(g.Columns)-1))
		at += len(g.Columns)
		for _, c := range g.Columns {
			leaves = append(leaves, latex(c.Title))
		}
	}
	head := fmt.Sprintf("\\toprule\n & %s \\\\\n%s\n%s & %s \\\\\n\\midrule\n", strings.Join(groups, " & "), strings.Join(rules, " "), latex(t.Corner), strings.Join(leaves, " & "))
	b.WriteString(head + "\\endfirsthead\n" + head + "\\endhead\n")
	for i, s := range t.Sections {
		if i > 0 {
			b.WriteString("\\midrule\n")
		}
		if s.Title != "" {
			fmt.Fprintf(b, "\\multicolumn{%d}{@{}>{\\raggedright\\arraybackslash}p{0.98\\textwidth}@{}}{\\textbf{%s}%s} \\\\\n", t.NumColumns()+1, latex(s.Title), textsup(s.Marks))
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
	if !first {
		b.WriteString("\\addtocounter{table}{-1}\n")
	}
}

// textsup returns the superscript marks of a cell.
func textsup(marks []int) string {
	if len(marks) == 0 {
		return ""
	}
	return "\\textsuperscript{" + strings.ReplaceAll(table.JoinMarks(marks), ",", ",\\allowbreak{}") + "}"
}

// LaTeX writes the report's tables and the differences from the paper as a complete
// document.
func LaTeX(w io.Writer, d *document.Document) error {
	return latexDocument(w, d, "", func(b *strings.Builder, t *table.Table) error { return latexTable(b, t) }, nil)
}

// LaTeXFile is a file next to report.tex.
type LaTeXFile struct {
	Name  string
	Write func(w io.Writer) error
}

// LaTeXFiles returns files for a paper: each table, a macro for each headline number, and
// the document report.tex, which includes these and the figures in figures/.
func LaTeXFiles(d *document.Document) []LaTeXFile {
	list := []LaTeXFile{{"latex/macros.tex", func(w io.Writer) error { return macros(w, d) }}}
	for _, t := range d.Tables() {
		list = append(list, LaTeXFile{"latex/" + t.ID + ".tex", func(w io.Writer) error { return latexTable(w, t) }})
	}
	return append(list, LaTeXFile{"report.tex", func(w io.Writer) error {
		return latexDocument(w, d, "\\input{latex/macros}\n", func(b *strings.Builder, t *table.Table) error {
			fmt.Fprintf(b, "\\input{latex/%s}\n", t.ID)
			return t.Validate()
		}, d.Figures)
	}})
}

// latexDocument writes the document: each table with the given function, and the figures.
func latexDocument(w io.Writer, d *document.Document, start string, each func(*strings.Builder, *table.Table) error, figures []*figure.Figure) error {
	var b strings.Builder
	b.WriteString(preamble + start)
	fmt.Fprintf(&b, "\\title{%s}\n\\author{}\n\\date{}\n\\begin{document}\n\\maketitle\n", latex(d.Title))
	for _, p := range d.About {
		b.WriteString(latex(p) + "\n\n")
	}
	for _, t := range d.Tables() {
		if err := each(&b, t); err != nil {
			return err
		}
	}
	for _, f := range figures {
		if f.Empty() {
			continue
		}
		fmt.Fprintf(&b, "\\begin{figure}[htbp]\n\\centering\n\\includegraphics[width=%.3f\\textwidth,height=0.8\\textheight,keepaspectratio]{figures/%s.pdf}\n\\caption{%s.\\label{fig:%s}}\n{\\scriptsize %s\\par}\n\\end{figure}\n\\clearpage\n",
			f.Share(), f.ID, latex(f.Title), f.ID, latex(strings.Join(f.Caption, " ")))
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
