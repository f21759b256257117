// Package format writes reports as text for a terminal, Markdown, LaTeX, CSV and
// JSON.
//
// What comes in: a document.Document. What goes out: one file per format. What always
// holds: all formats have the same numbers and footnotes, from the same table values; an
// invalid table is an error, and nothing is written.
package format

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"memobench/report/document"
	"memobench/report/table"
)

// markdown escapes the special characters of Markdown.
var markdown = strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "#", `\#`, "[", `\[`, "]", `\]`)

// markdownTable writes a table in GitHub's form. It has no merged headings: a column's
// heading has that of its group.
func markdownTable(w io.Writer, t *table.Table) error {
	if err := t.Validate(); err != nil {
		return err
	}
	t = t.Merged()
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", markdown.Replace(t.Title))
	for _, line := range t.About {
		b.WriteString(markdown.Replace(line) + "\n")
	}
	if len(t.About) > 0 {
		b.WriteString("\n")
	}
	writeRows(&b, t, (*table.Group).Heading, markdown.Replace, "---:|")
	b.WriteString("\n")
	for i, n := range t.Notes {
		fmt.Fprintf(&b, "<sup>%d</sup> %s  \n", i+1, markdown.Replace(n))
	}
	for _, r := range t.Remarks {
		b.WriteString(markdown.Replace(r) + "  \n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Rows writes only the rows of a table, for documents. Its text is Markdown. A further column
// of a group has its own heading alone, to be short.
func Rows(w io.Writer, t *table.Table) error {
	if err := t.Validate(); err != nil {
		return err
	}
	var b strings.Builder
	heading := func(g *table.Group, c table.Column) string { return cmp.Or(c.Title, g.Title) }
	writeRows(&b, t, heading, func(s string) string { return s }, "---|")
	_, err := io.WriteString(w, strings.ReplaceAll(b.String(), "|  |", "| |"))
	return err
}

// writeRows writes headings and rows; rule is below the heading of a column.
func writeRows(b *strings.Builder, t *table.Table, heading func(*table.Group, table.Column) string, escape func(string) string, rule string) {
	heads := []string{escape(t.Corner)}
	for _, g := range t.Groups {
		for _, c := range g.Columns {
			heads = append(heads, escape(heading(&g, c))+sup(g.Marks))
		}
	}
	b.WriteString("| " + strings.Join(heads, " | ") + " |\n")
	b.WriteString("|---|" + strings.Repeat(rule, t.NumColumns()) + "\n")
	for _, s := range t.Sections {
		if s.Title != "" {
			b.WriteString("| **" + escape(s.Title) + "**" + sup(s.Marks) + " |" + strings.Repeat(" |", t.NumColumns()) + "\n")
		}
		for _, r := range s.Rows {
			cells := []string{escape(r.Label) + sup(r.Marks)}
			for _, c := range r.Cells {
				cells = append(cells, strings.TrimSpace(escape(c.String())+sup(c.Marks)))
			}
			b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
		}
	}
}

// sup returns the superscript marks of a cell.
func sup(marks []int) string {
	if len(marks) == 0 {
		return ""
	}
	return "<sup>" + table.JoinMarks(marks) + "</sup>"
}

// Markdown writes the report. Figures are links to files in figures/, which the caller
// writes.
func Markdown(w io.Writer, d *document.Document) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", markdown.Replace(d.Title), markdown.Replace(strings.Join(d.About, "\n\n")))
	for i, t := range d.Tables() {
		switch {
		case t == d.Found:
			b.WriteString("## Findings\n\n")
		case i == 0 || d.Found != nil && i == 1:
			b.WriteString("## Tables\n\n")
		case len(d.Settings) > 0 && t == d.Settings[0]:
			b.WriteString("## Settings\n\n")
		}
		if err := markdownTable(&b, t); err != nil {
			return err
		}
		b.WriteString("\n")
	}
	b.WriteString("## Figures\n\n")
	for _, f := range d.Figures {
		fmt.Fprintf(&b, "### %s\n\n", markdown.Replace(f.Title))
		if f.Empty() {
			fmt.Fprintf(&b, "No data. To make it: `%s`\n\n", f.Fill)
			continue
		}
		fmt.Fprintf(&b, "![%s](figures/%s.svg)\n\n%s\n\n", markdown.Replace(f.Title), f.ID, markdown.Replace(strings.Join(f.Caption, " ")))
	}
	b.WriteString("## Differences from the paper\n\n| Where | Paper | Here |\n|---|---|---|\n")
	for _, x := range d.Differences {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", markdown.Replace(x.Where), markdown.Replace(x.Paper), markdown.Replace(x.Here))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
