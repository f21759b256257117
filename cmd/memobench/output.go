package main

import (
	"encoding/json"
	"fmt"

	"memobench/report"
)

// printRecords prints runs as a table, or with --json as their records: one
// object for one run, else an array.
func (p *program) printRecords(asJSON bool, runs []report.Run) error {
	if !asJSON {
		tables, err := report.Tables(runs)
		if err != nil {
			return err
		}
		return p.print(tables)
	}
	if len(runs) == 1 {
		data, err := runs[0].Record.Marshal()
		if err != nil {
			return err
		}
		_, err = p.stdout.Write(data)
		return err
	}
	records := make([]any, 0, len(runs))
	for _, r := range runs {
		records = append(records, r.Record)
	}
	return p.printJSON(records)
}

func (p *program) printJSON(v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s\n", data)
	return err
}

// print writes tables to standard output, a blank line between them.
func (p *program) print(tables []*report.Table) error {
	style := report.StyleFor(p.stdout, p.getenv)
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(p.stdout)
		}
		if err := t.Terminal(p.stdout, style); err != nil {
			return err
		}
	}
	return nil
}
