package gate

import (
	"fmt"
	"os"
	"strings"

	"memobench/benchmarks/record"
	"memobench/datasets/binfile"
	"memobench/report/results"
)

// Read reads the results at a path: run directories, recorded studies, files of records, and
// files in the Go benchmark format, which are read in a directory only where it has no
// records. PATH:NAME has only the runs of that name.
func Read(path string) (*Set, error) {
	at, name := path, ""
	if _, err := os.Stat(path); err != nil { // a path with a colon is a path
		if i := strings.LastIndex(path, ":"); i > 0 {
			at, name = path[:i], path[i+1:]
		}
	}
	read, err := results.Read(at)
	if err != nil {
		return nil, err
	}
	var runs []recorded
	for _, run := range read.Runs {
		if name == "" || run.Record.Identity.Name == name {
			runs = append(runs, recorded{run.Record, run.Source, run.Predictions})
		}
	}
	if len(runs) == 0 && name != "" {
		return nil, fmt.Errorf("%s has no run of the name %s", at, name)
	}
	s, err := newSet(path, runs)
	if err != nil || len(read.Runs) > 0 {
		return s, err
	}
	for _, file := range read.BenchFiles {
		data, err := binfile.ReadFile(file, record.MaxTextSize)
		if err == nil {
			err = s.addBench(file, data)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(s.groups) == 0 {
		return nil, fmt.Errorf("no results: there is no record and no file in the Go benchmark format in or below %s", path)
	}
	return s, nil
}
