package benchmarks

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"memobench/benchmarks/record"
)

// recordIn writes a record of a judgement of the weights at path into the
// directory out: that of the weights' run, which must stand beside them, with
// the counts, the environment and the time of this judgement. With it, package
// report/gate judges whether today's code still gets from trained weights what
// they gave when they were recorded.
func (v *verdict) recordIn(out, path, blas string, r *EvalResult) error {
	file := filepath.Join(filepath.Dir(path), record.FileName)
	rec, err := record.ReadFile(file)
	if err != nil {
		return fmt.Errorf("recording the judgement: %w", err)
	}
	// Not by the cell's hash: settings that came later have changed it.
	if have, want := rec.Identity, r.Cell; have.Task != want.Task || have.Label != want.Label || have.Seed != want.Seed || rec.Training.SelectedStep != r.Step {
		return fmt.Errorf("recording the judgement: %s is of %s %s seed %d, step %d; the weights are of %s, step %d", file,
			have.Task, have.Label, have.Seed, rec.Training.SelectedStep, want.Name(), r.Step)
	}
	if rec.Dataset.Hash != r.Dataset.Hash {
		return fmt.Errorf("recording the judgement: %s is of other data: hash %s, now %s", file, rec.Dataset.Hash, r.Dataset.Hash)
	}
	if err := emptyDir(out); err != nil {
		return fmt.Errorf("recording the judgement: %w", err)
	}
	now := time.Now().UTC().Format(time.RFC3339)
	rec.Evaluation = r.Evaluation
	rec.Environment = record.Host(blas)
	rec.Times = record.Times{Started: now, Finished: now, Sessions: 1, ParallelRuns: 1}
	if v.kept != nil {
		if err := v.kept.writeTo(filepath.Join(out, record.PredictionsName), rec.Protocol.Hash); err != nil {
			return err
		}
	}
	_, err = writeRecord(out, rec)
	return err
}

// emptyDir makes a directory, or fails if it holds something.
func emptyDir(path string) error {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return err
	}
	list, err := os.ReadDir(path)
	if err == nil && len(list) > 0 {
		err = fmt.Errorf("%s is not empty: take another directory", path)
	}
	return err
}
