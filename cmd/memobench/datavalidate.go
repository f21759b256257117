package main

import (
	"fmt"

	"memobench/cmd/memobench/data"
)

// dataValidate looks for errors in files.
func (p *program) dataValidate(args []string) error {
	f := p.groupFlags("data validate PATH [flags]",
		`Read files to their end and look for errors: bAbI files (one, a directory or the
archive), the released PAI shards, .npy files, and what "memobench data gen"
wrote. Each error names file and line or offset; all are counted and the first
ten shown. The exit status is 1 if there is any.`,
		[2]string{"data validate data/babi", "a directory of bAbI files"},
		[2]string{"data validate mine.txt", "a file of stories of your own"},
		[2]string{"data validate data/pai3 --json", "a generated dataset, result as JSON"})
	var quiet, asJSON bool
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	if err := f.parse(args, "a path"); err != nil {
		return err
	}
	path, err := f.one("a path", "data/babi")
	if err != nil {
		return err
	}
	m := p.meter("checking", quiet)
	report, err := data.Validate(p.ctx, path, m.showBytes)
	m.close()
	if err != nil {
		return p.stopped(err, "nothing is changed", "validate", args)
	}
	if asJSON {
		err = p.printJSON(report)
	} else {
		err = report.WriteText(p.stdout)
	}
	if err == nil && report.Errors > 0 {
		err = fmt.Errorf("%s: errors found: %d", path, report.Errors)
	}
	return err
}
