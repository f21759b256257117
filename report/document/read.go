package document

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/trace"
	"memobench/datasets/binfile"
	"memobench/report/results"
)

// Read reads the results below the directories: records, attention traces, measurements of
// scaling, and accuracies in the Go benchmark format of runs without a record. The order of
// the directories does not matter. It fails for a directory without any results, if no
// directory has a record, and for a file that cannot be read.
func Read(dirs ...string) (Input, error) {
	var in Input
	found, err := results.Open(slices.Sorted(slices.Values(dirs))...)
	if err != nil {
		return in, err
	}
	for _, p := range found.Paths {
		before := in.others()
		for _, path := range p.Others {
			if err := in.add(path); err != nil {
				return in, err
			}
		}
		if p.Records+p.Shifted == 0 && in.others() == before && len(found.Unfinished()) == 0 {
			return in, results.NoRecords(p.Path, p.Links)
		}
	}
	in.Runs, in.Shifted, in.Links, in.Unfinished = found.Runs, found.Shifted, found.Links(), found.Unfinished()
	if len(in.Runs)+len(in.Shifted) == 0 && in.Unfinished != nil {
		return in, fmt.Errorf("no run has finished yet: %s", strings.Join(in.Unfinished, "; "))
	}
	if len(in.Runs)+len(in.Shifted) == 0 {
		return in, results.NoRecords(strings.Join(dirs, ", "), in.Links)
	}
	results.SortRuns(in.Runs)
	return in, nil
}

// others counts the results other than records.
func (in *Input) others() int { return len(in.Traces) + len(in.Scaling) + len(in.Samples) }

// add reads a file if it is an attention trace or has benchmark results.
func (in *Input) add(path string) error {
	switch {
	case results.IsTrace(path):
		t, err := trace.Read(path)
		if err != nil {
			return fmt.Errorf("reading attention: %w", err)
		}
		in.Traces = append(in.Traces, t)
	case strings.HasSuffix(path, ".txt"):
		data, err := binfile.ReadFile(path, record.MaxTextSize)
		if err != nil {
			return err
		}
		_, err = os.Stat(filepath.Join(filepath.Dir(path), record.FileName))
		benchText := err == nil
		scaling := bytes.Contains(data, []byte("BenchmarkScaling/"))
		samples := !benchText && bytes.Contains(data, []byte("BenchmarkEval/"))
		if !scaling && !samples {
			return nil
		}
		set, err := results.Read(path)
		if err != nil {
			return err
		}
		if scaling {
			in.Scaling = append(in.Scaling, set)
		}
		if samples {
			in.Samples = append(in.Samples, set)
		}
	}
	return nil
}
