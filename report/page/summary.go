package page

import (
	"fmt"
	"math"
	"slices"

	"memobench/report/document"
	"memobench/report/figure"
	"memobench/report/results"
	"memobench/report/table"
)

// summary is the small table of the first screen: the hardest query of each task, one
// column per model.
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

// summaryOf is nil if no such query has a number.
func summaryOf(d *document.Document) *summary {
	var s summary
	panels := figure.Hardest(d.Results)
	for _, panel := range panels { // a column each model with a number
		for _, a := range panel.Answers {
			for _, m := range a.Models {
				if m.Here.State == table.Number {
					s.Models = results.AddNew(s.Models, m.Title)
				}
			}
		}
	}
	if s.Models == nil {
		return nil
	}
	for _, panel := range panels {
		for _, a := range panel.Answers {
			row := summaryRow{Name: a.Name, Cells: make([]summaryCell, len(s.Models))}
			if len(panel.Answers) == 1 {
				row.Name = panel.Title + ", " + a.Name
			}
			best := math.Inf(-1)
			for _, m := range a.Models {
				at := slices.Index(s.Models, m.Title)
				if at < 0 {
					continue
				}
				c := &row.Cells[at]
				if m.Published.State == table.Number {
					c.Paper = fmt.Sprintf("%.*f", m.Published.Decimals, m.Published.Mean)
				}
				if m.Here.State == table.Number {
					best = max(best, m.Here.Mean)
					c.Value, c.Half = fmt.Sprintf("%.1f", m.Here.Mean), " (one seed)"
					if half, known := m.Here.HalfWidth(); known {
						c.Half = fmt.Sprintf(" ± %.1f", half)
					}
				}
			}
			for i := range row.Cells {
				row.Cells[i].Best = row.Cells[i].Value == fmt.Sprintf("%.1f", best)
			}
			s.Rows = append(s.Rows, row)
		}
	}
	return &s
}
