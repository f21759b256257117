package format

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"memobench/report/table"
)

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
							name := t.ID
							if name == "" {
								name = t.Title
							}
							lines = append(lines, append([]string{name, s.Title, r.Label, g.Title, column.Title, column.Role.String()},
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
