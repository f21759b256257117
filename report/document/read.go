package document

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/trace"
	"memobench/report"
	"memobench/report/compare/results"
	"memobench/report/figure"
)

// Read reads what there is below the directories: records, attention traces,
// measurements of scaling, and accuracies in the Go benchmark format of runs that
// have no record beside them. A directory without any record is an error, as is a
// file that cannot be read.
func Read(dirs ...string) (Input, error) {
	var in Input
	var err error
	if in.Runs, err = report.Read(dirs...); err != nil {
		return in, err
	}
	seen := map[string]bool{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			abs, err := filepath.Abs(path)
			if err != nil || seen[abs] {
				return err
			}
			seen[abs] = true
			return in.add(path)
		})
		if err != nil {
			return in, err
		}
	}
	return in, nil
}

// add reads a file if it is of a kind that a report shows beside records.
func (in *Input) add(path string) error {
	switch {
	case report.IsTrace(path):
		t, err := trace.Read(path)
		if err != nil {
			return fmt.Errorf("reading attention: %w", err)
		}
		in.Traces = append(in.Traces, t)
	case strings.HasSuffix(path, ".txt"):
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(data, []byte("BenchmarkScaling/")) {
			points, err := figure.ReadScaling(path)
			if err != nil {
				return err
			}
			in.Scaling = append(in.Scaling, points...)
		}
		_, err = os.Stat(filepath.Join(filepath.Dir(path), record.FileName))
		if twin := err == nil; twin || !bytes.Contains(data, []byte("BenchmarkEval/")) {
			return nil
		}
		set, err := results.Read(path)
		if err != nil {
			return err
		}
		in.Samples = append(in.Samples, set)
	}
	return nil
}
