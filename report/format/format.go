package format

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"memobench/report/document"
	"memobench/report/paper"
	"memobench/report/table"
)

// Text writes the report for a terminal: tables with frames, attention as shaded blocks,
// and the captions of other figures.
func Text(w io.Writer, d *document.Document, style table.Style) error {
	var b strings.Builder
	for i, t := range d.Tables() {
		if i > 0 {
			b.WriteString("\n")
		}
		if err := t.Terminal(&b, style); err != nil {
			return err
		}
	}
	for _, f := range d.Figures {
		fmt.Fprintf(&b, "\n%s\n", f.Title)
		switch {
		case f.Empty():
			fmt.Fprintf(&b, "  no data. To make it: %s\n", f.Fill)
		case f.Lines != nil:
			b.WriteString("  " + strings.Join(f.Lines(style.ASCII), "\n  ") + "\n")
		default:
			fmt.Fprintf(&b, "  drawn in figures/%s.svg, .pdf and .png by memobench report --out\n", f.ID)
		}
	}
	b.WriteString("\nDifferences from the paper\n")
	for _, x := range d.Differences {
		fmt.Fprintf(&b, "  %s: paper: %s; here: %s.\n", x.Where, x.Paper, x.Here)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// version is the version of the JSON form.
const version = 1

// documentJSON is the JSON form of a report. Numbers in cells are unrounded; mark n refers
// to notes[n-1] of its table.
type documentJSON struct {
	Schema      int                `json:"schema"`
	Title       string             `json:"title"`
	About       []string           `json:"about"`
	Findings    []table.Finding    `json:"findings"`
	Tables      []*table.Table     `json:"tables"` // that of the findings first
	Figures     []figureJSON       `json:"figures"`
	Differences []paper.Difference `json:"differences"`
	Records     []string           `json:"records"` // paths of all records that were read
}

// figureJSON names a figure; its drawing is a file.
type figureJSON struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Caption []string `json:"caption,omitempty"`
	Command string   `json:"command,omitempty"` // that would give the data, where there are none
}

// JSON writes the report as one object.
func JSON(w io.Writer, d *document.Document) error {
	out := documentJSON{Schema: version, Title: d.Title, About: d.About, Findings: d.Findings, Tables: d.Tables(), Differences: d.Differences}
	for _, t := range out.Tables {
		if err := t.Validate(); err != nil {
			return err
		}
	}
	for _, f := range d.Figures {
		out.Figures = append(out.Figures, figureJSON{f.ID, f.Title, f.Caption, f.Fill})
	}
	for _, r := range d.Runs {
		out.Records = append(out.Records, r.Path)
	}
	return writeJSON(w, out)
}

func writeJSON(w io.Writer, v any) error {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// Table writes one table as text, markdown, latex, csv or json.
func Table(w io.Writer, name string, t *table.Table, style table.Style) error {
	switch name {
	case "text":
		return t.Terminal(w, style)
	case "markdown":
		return markdownTable(w, t)
	case "latex":
		return latexTable(w, t)
	case "csv":
		return CSV(w, []*table.Table{t})
	}
	return writeJSON(w, t)
}

// csvHead names the columns of the CSV form: one line per cell, as statistics programs
// read it.
var csvHead = []string{"table", "section", "row", "group", "column", "role", "state", "mean", "sd", "sd_is_fraction", "n", "text", "notes", "command", "records"}

// CSV writes all tables as one file with a line for each cell that is not blank. Means and
// deviations are unrounded; sd_is_fraction is true for deviations that the paper prints as
// fractions of 1, next to means in per cent. Notes are those of the cell, its row, section
// and group; they are separated by " | ", records by a blank.
func CSV(w io.Writer, tables []*table.Table) error {
	lines := [][]string{csvHead}
	for _, t := range tables {
		if err := t.Validate(); err != nil {
			return err
		}
		for _, s := range t.Sections {
			for _, r := range s.Rows {
				i := 0
				for _, g := range t.Groups {
					for _, column := range g.Columns {
						if c := r.Cells[i]; c.State != table.Blank {
							lines = append(lines, append([]string{cmp.Or(t.ID, t.Title), s.Title, r.Label, g.Title, column.Title, column.Role.String()},
								csvCell(t, c, s.Marks, r.Marks, g.Marks)...))
						}
						i++
					}
				}
			}
		}
	}
	out := csv.NewWriter(w)
	return out.WriteAll(lines)
}

// csvCell returns the part of a line for the cell.
func csvCell(t *table.Table, c table.Cell, marks ...[]int) []string {
	number := func(x float64, there bool) string {
		if !there {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	var notes, records []string
	for _, list := range append([][]int{c.Marks}, marks...) {
		for _, m := range list {
			notes = append(notes, t.Notes[m-1])
		}
	}
	for _, s := range c.Sources {
		records = append(records, s.Path)
	}
	n, fraction := "", ""
	if c.N > 0 {
		n = strconv.Itoa(c.N)
	}
	if c.Fraction {
		fraction = "true"
	}
	return []string{c.State.String(), number(c.Mean, c.State == table.Number), number(c.SD, c.HasSD), fraction, n, c.String(),
		strings.Join(notes, " | "), c.Fill, strings.Join(records, " ")}
}
