package document

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/trace"
	"memobench/report"
	"memobench/report/compare/results"
	"memobench/report/figure"
)

// Read reads what there is below the directories: records, attention traces,
// measurements of scaling, and accuracies in the Go benchmark format of runs that
// have no record beside them. A directory with none of these, directories without
// any record together, and a file that cannot be read are errors.
func Read(dirs ...string) (Input, error) {
	var in Input
	seen := map[string]bool{}
	for _, dir := range dirs {
		before := in.others()
		if _, err := os.Stat(dir); err == nil { // else report.Read says so
			if err := in.walk(dir, seen); err != nil {
				return in, err
			}
		}
		runs, err := report.Read(dir)
		var none *report.NoRecordsError
		if err != nil && !(errors.As(err, &none) && in.others() > before) {
			return in, err
		}
		in.Runs = append(in.Runs, runs...)
	}
	in.Runs = once(in.Runs)
	if len(in.Runs) == 0 {
		return in, &report.NoRecordsError{Path: strings.Join(dirs, ", ")}
	}
	return in, nil
}

// once drops runs whose file was read before, by another path.
func once(runs []report.Run) []report.Run {
	seen := map[string]bool{}
	return slices.DeleteFunc(runs, func(r report.Run) bool {
		abs, err := filepath.Abs(r.Path)
		twice := err == nil && seen[abs]
		seen[abs] = true
		return twice
	})
}

// others counts what is no record.
func (in *Input) others() int { return len(in.Traces) + len(in.Scaling) + len(in.Samples) }

// walk adds the files below a directory.
func (in *Input) walk(dir string, seen map[string]bool) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
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
