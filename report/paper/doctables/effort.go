package doctables

import (
	"strings"

	"memobench/report/figure"
	"memobench/report/results"
	"memobench/report/table"
)

// equalTime is the table over-time of a report without second nodes and how runs ended.
func equalTime(s *source) (rows [][]string) {
	kept := results.Deduplicate(s.all)
	curves, err := figure.ReadCurves(kept)
	if err != nil {
		s.fail("%v", err)
	}
	for _, section := range table.OverTime(kept, curves).Sections {
		task, _, _ := strings.Cut(section.Title, ":")
		if strings.HasSuffix(task, "node 2") {
			continue
		}
		for _, row := range section.Rows {
			line := []string{task, row.Label}
			for i, c := range row.Cells {
				if i < 6 || i == 7 {
					line = append(line, c.String())
				}
			}
			rows = append(rows, line)
		}
	}
	return rows
}

// effort is the report's table of what was tried on the paper's data: settings, runs and
// CPU minutes of each model, in a cell.
func effort(s *source) (rows [][]string) {
	for _, section := range table.Effort(results.Deduplicate(s.all)).Sections {
		if section.Title != section.Task && section.Title != section.Task+", substitute data" {
			continue
		}
		row := []string{section.Title, none, none, none, none}
		for _, r := range section.Rows {
			for i, model := range []string{"MEMO", "EMN", "DNC", "UT"} {
				if r.Label == model {
					row[i+1] = r.Cells[0].String() + " / " + r.Cells[1].String() + " / " + r.Cells[2].String()
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}
