package main

import (
	"fmt"
	"strings"

	"memobench/benchmarks/sweep"
)

// sweepMerge joins directories of results.
func (p *program) sweepMerge(args []string) error {
	f := p.groupFlags("sweep merge OUT DIR... [flags]",
		`Copy the runs below each DIR into OUT, each into the directory that a sweep gives
it. The same run found twice must have the same result and the same weights; where
they differ, all such cells are named and nothing is copied. A copy with intact
weights is preferred. Runs without a record are left out.`,
		[2]string{"sweep merge runs/all runs/shard-0 runs/shard-1", "the results of two machines"})
	var quiet, json bool
	f.BoolVar(&quiet, "quiet", false, "print nothing")
	f.BoolVar(&json, "json", false, "print JSON")
	if err := f.parse(args, "OUT DIR..."); err != nil {
		return err
	}
	if f.NArg() < 2 {
		return usagef("%s: a directory for the result and others to take it from are needed, for example: memobench sweep merge runs/all runs/a runs/b", f.Name())
	}
	out := f.Arg(0)
	m, err := sweep.Merge(out, f.Args()[1:]...)
	if err != nil {
		return err
	}
	switch {
	case json:
		err = p.printJSON(m)
	case !quiet:
		fmt.Fprintf(p.stdout, "%s: %d runs added, %d were there, %d were found again with the same result\n", out, len(m.Added), m.Kept, m.Twice)
		for _, dir := range m.Unfinished {
			fmt.Fprintf(p.stdout, "Left out, without a record: %s\n", dir)
		}
	}
	if err == nil && len(m.Damaged) > 0 {
		err = fmt.Errorf("merged, but the weights of %d runs are damaged in every copy: %s", len(m.Damaged), strings.Join(m.Damaged, ", "))
	}
	return err
}
