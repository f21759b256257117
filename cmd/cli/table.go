package cli

import (
	"fmt"
	"runtime"

	"memobench/benchmarks/record"
	"memobench/models/engine"
	"memobench/report/results"
	"memobench/report/table"
)

// table prints the tables of existing runs.
func (p *program) table(args []string) error {
	f := p.flags("table DIR...",
		`Print a table for each task among the runs found in or below the directories:
mean, standard deviation and number of seeds, with the paper's value next to
them. Runs of different protocols or on different data are refused, since their
numbers must not be compared.`,
		[2]string{"table runs/quick", "the tables that memobench run printed"},
		[2]string{"table runs/memo-1 runs/emn-1", "two runs side by side"})
	if err := f.parse(args, "run directories"); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return usagef("table: name one run directory or more, for example: memobench table runs/quick")
	}
	found, err := results.Open(f.Args()...)
	if err == nil {
		err = found.NeedRecords()
	}
	if err != nil {
		return err
	}
	if links := found.Links(); links != nil {
		fmt.Fprintln(p.stderr, "memobench: "+results.LinksNote(links))
	}
	results.SortRuns(found.Runs)
	tables, err := table.Tables(found.Runs)
	if err == nil {
		err = p.print(tables)
	}
	for _, text := range found.Unfinished() {
		fmt.Fprintln(p.stdout, text)
	}
	return err
}

// printRecords prints the runs' records as a JSON array.
func (p *program) printRecords(runs []results.Run) error {
	return p.printJSON(mapped(runs, func(r results.Run) *record.Record { return r.Record }))
}

// version prints the versions of the code, of Go and of the BLAS.
func (p *program) version(args []string) error {
	f := p.flags("version", "Print the versions of the code, of Go and of the BLAS.")
	if err := f.parse(args, ""); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "memobench %s\n%s %s/%s\n%s\n",
		record.CodeVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, engine.BLAS().Name)
	return nil
}
