package main

import (
	"encoding/json"
	"fmt"

	"memobench/benchmarks/record"
	"memobench/report/results"
	"memobench/report/table"
)

// printRecords prints the runs' records as a JSON array, of whatever length.
func (p *program) printRecords(runs []results.Run) error {
	records := make([]*record.Record, 0, len(runs))
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
func (p *program) print(tables []*table.Table) error {
	style := table.StyleFor(p.stdout, p.getenv)
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
