package main

import (
	"fmt"

	"memobench/report"
)

// table prints the tables of existing runs.
func (p *program) table(args []string) error {
	f := p.flags("table DIR...",
		`Print a table for each task among the runs found in or below the directories:
mean, standard deviation and number of seeds, with the paper's value beside
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
	runs, links, err := report.Read(f.Args()...)
	if err != nil {
		return err
	}
	if links != nil {
		fmt.Fprintln(p.stderr, "memobench: "+report.LinksNote(links))
	}
	tables, err := report.Tables(runs)
	if err != nil {
		return err
	}
	return p.print(tables)
}
