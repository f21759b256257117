package cli

import (
	"fmt"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/benchmarks/sweep"
	"memobench/report/results"
	"memobench/report/table"
)

// recordedRuns is the directory whose records have the times of steps, in a copy of the repository.
const recordedRuns = "benchmarks/recorded"

// printPlan prints the runs that are finished in the directory of a study, and the time that the
// others take, by the recorded times of steps.
func (p *program) printPlan(r *runFlags, cells []study.Cell) error {
	var recorded []*record.Record
	if list, err := results.Read(recordedRuns); err == nil {
		recorded = mapped(list.Runs, func(r results.Run) *record.Record { return r.Record })
	}
	plan := sweep.Plan(cells, r.options.Dir, recorded)
	if r.json {
		return p.printJSON(plan)
	}
	total := sweep.Planned{Task: "all"}
	for _, row := range plan {
		total.Runs, total.Finished = total.Runs+row.Runs, total.Finished+row.Finished
		total.Hours, total.Unknown = total.Hours+row.Hours, total.Unknown+row.Unknown
	}
	t := &table.Table{ID: "plan", Title: "Runs of the study", Corner: "task and run", Sections: []table.Section{{}}}
	for _, title := range []string{"runs", "finished", "CPU hours left"} {
		t.Columns = append(t.Columns, table.Column{Group: title})
	}
	for _, row := range append(plan, total) {
		hours := fmt.Sprintf("%.2f", row.Hours)
		if row.Unknown > 0 {
			hours += fmt.Sprintf(" and %d unknown", row.Unknown)
		}
		t.Sections[0].Rows = append(t.Sections[0].Rows, table.Row{Label: strings.TrimSpace(row.Task + " " + row.Name),
			Cells: []table.Cell{table.Words(fmt.Sprint(row.Runs)), table.Words(fmt.Sprint(row.Finished)), table.Words(hours)}})
	}
	return t.Text(p.stdout, p.style(false))
}
