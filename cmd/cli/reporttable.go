package cli

import (
	"fmt"
	"slices"
	"strings"

	"memobench/report/format"
	"memobench/report/paper"
	"memobench/report/paper/doctables"
	"memobench/report/results"
	"memobench/report/table"
)

// tableNames lists the tables of report --table: those of the documents, from recorded
// runs, and those of a report.
func tableNames() []string {
	return slices.Concat(doctables.Names(), paper.TableIDs(), []string{table.FurtherID, table.EffortID, table.OverTimeID, table.GeneralizationID + "-TASK-SETTING"})
}

// printTable prints one table.
func (p *program) printTable(name, out string, formats, dirs, presets []string, ascii bool) error {
	if !slices.Contains(tableNames(), name) && !strings.HasPrefix(name, table.GeneralizationID+"-") {
		return usage(unknown("table", name, tableNames()))
	}
	if out != "" || len(formats) > 1 {
		return usagef("report: --table %s prints one table: give it no --out and one --format", name)
	}
	style := p.style(ascii)
	if slices.Contains(doctables.Names(), name) {
		found, err := results.Open(dirs...)
		if err == nil {
			err = found.NeedRecords()
		}
		if err != nil {
			return err
		}
		one, err := doctables.Make(name, found)
		if err != nil {
			return err
		}
		if formats == nil {
			return format.Rows(p.stdout, one)
		}
		return format.Table(p.stdout, formats[0], one, style)
	}
	d, err := p.document(dirs, presets)
	if err != nil {
		return err
	}
	for _, t := range d.Tables() {
		if t.ID == name {
			return format.Table(p.stdout, append(formats, "text")[0], t, style)
		}
	}
	return fmt.Errorf("report: %s is empty: no run is in it", name)
}
