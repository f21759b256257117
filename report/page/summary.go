package page

import (
	"fmt"
	"math"

	"memobench/report/document"
	"memobench/report/figure"
	"memobench/report/table"
)

// summary is the small table of the first screen: the hardest query of each task, a
// column a model.
type summary struct {
	Models []string
	Rows   []summaryRow
}

type summaryRow struct {
	Name  string
	Cells []summaryCell
}

type summaryCell struct {
	Value, Half, Paper string
	Best               bool
}

// summaryOf is nil where no such query was answered.
func summaryOf(d *document.Document) *summary {
	var s summary
	run := false
	for _, panel := range figure.Hardest(d.Results) {
		for _, a := range panel.Answers {
			row := summaryRow{Name: a.Name}
			if len(panel.Answers) == 1 {
				row.Name = panel.Title + ", " + a.Name
			}
			best := math.Inf(-1)
			for _, m := range a.Models {
				if len(s.Rows) == 0 {
					s.Models = append(s.Models, m.Title)
				}
				var c summaryCell
				if m.Published.State == table.Number {
					c.Paper = fmt.Sprintf("%.*f", m.Published.Decimals, m.Published.Mean)
				}
				if m.Here.State == table.Number {
					best, run = max(best, m.Here.Mean), true
					c.Value, c.Half = fmt.Sprintf("%.1f", m.Here.Mean), " (one seed)"
					if half, known := m.Here.HalfWidth(); known {
						c.Half = fmt.Sprintf(" ± %.1f", half)
					}
				}
				row.Cells = append(row.Cells, c)
			}
			for i := range row.Cells {
				row.Cells[i].Best = row.Cells[i].Value == fmt.Sprintf("%.1f", best)
			}
			s.Rows = append(s.Rows, row)
		}
	}
	if !run {
		return nil
	}
	return &s
}
