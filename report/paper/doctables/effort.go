package doctables

import (
	"strings"

	"memobench/report/figure"
	"memobench/report/results"
	"memobench/report/table"
)

// equalTime is the table over-time of a report without second nodes and how runs ended.
func equalTime(s *source) (rows []table.Row) {
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
		for _, r := range section.Rows {
			rows = append(rows, row(task, r.Label, r.Cells[:6], r.Cells[7]))
		}
	}
	return rows
}

// effort is the report's table of what was tried on the paper's data: settings, runs and
// CPU minutes of each model, in a cell.
func effort(s *source) (rows []table.Row) {
	for _, section := range table.Effort(results.Deduplicate(s.all)).Sections {
		if section.Title != section.Task && section.Title != section.Task+", substitute data" {
			continue
		}
		line := row(section.Title, none, none, none, none)
		for _, r := range section.Rows {
			for i, model := range []string{"MEMO", "EMN", "DNC", "UT"} {
				if r.Label == model {
					line.Cells[i] = table.Words(r.Cells[0].String() + " / " + r.Cells[1].String() + " / " + r.Cells[2].String())
				}
			}
		}
		rows = append(rows, line)
	}
	return rows
}
