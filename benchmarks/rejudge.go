package benchmarks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"memobench/benchmarks/record"
	"memobench/datasets"
)

// recordable returns the record of the run whose weights are judged, which must
// stand beside them, and sees that o.Out can take another one. It is asked before the
// questions are, which may take long.
func (o *EvalOptions) recordable(t *trained) (*record.Record, error) {
	if o.Split != datasets.Test || o.PerKind > 0 || o.All || o.Seed != nil {
		return nil, errors.New("recording the judgement: the questions must be those of the run's record, the protocol's of the test split")
	}
	file := filepath.Join(filepath.Dir(t.path), record.FileName)
	rec, err := record.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("recording the judgement: %w", err)
	}
	// Not by the cell's hash: settings that came later have changed it.
	have, want := rec.Identity, &t.meta.Cell
	if have.Task != want.Task || have.Label != want.Label || have.Seed != want.Seed || rec.Training.SelectedStep != t.meta.Step {
		return nil, fmt.Errorf("recording the judgement: %s is of %s %s seed %d, step %d; the weights are of %s, step %d", file,
			have.Task, have.Label, have.Seed, rec.Training.SelectedStep, want.Name(), t.meta.Step)
	}
	if now := t.src.Spec().Hash; rec.Dataset.Hash != now {
		return nil, fmt.Errorf("recording the judgement: %s is of other data: hash %s, now %s", file, rec.Dataset.Hash, now)
	}
	if err := emptyDir(o.Out); err != nil {
		return nil, fmt.Errorf("recording the judgement: %w", err)
	}
	return rec, nil
}

// recordIn writes a record of this judgement into the directory out: that of the
// weights' run, with today's counts in it already, and the environment and the time
// of the judgement. With it, package report/gate judges whether today's code still
// gets from trained weights what they gave when they were recorded.
func (v *verdict) recordIn(out, blas string, rec *record.Record) error {
	now := time.Now().UTC().Format(time.RFC3339)
	rec.Environment, rec.Files = record.Host(blas), nil
	rec.Times = record.Times{Started: now, Finished: now, Sessions: 1, ParallelRuns: 1}
	if v.kept != nil {
		if err := v.kept.writeTo(filepath.Join(out, record.PredictionsName), rec.Protocol.Hash); err != nil {
			return err
		}
	}
	_, err := writeRecord(out, rec)
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
