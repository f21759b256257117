package evaluate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memobench/benchmarks/record"
	"memobench/datasets"
)

// recordToUpdate returns the record of the run whose weights are evaluated, and makes
// o.Out, which must be new or empty. It precedes the evaluation, which may take long.
func (o *Options) recordToUpdate(t *storedModel) (*record.Record, error) {
	if o.Split != datasets.Test || o.PerKind > 0 || o.All || o.Seed != nil {
		return nil, errors.New("recording the evaluation: the questions must be those of the run's record, the protocol's of the test split")
	}
	rec, err := t.record()
	if err == nil {
		err = makeEmptyDir(o.Out)
	}
	if err != nil {
		return nil, fmt.Errorf("recording the evaluation: %w", err)
	}
	return rec, nil
}

// record returns the record next to the weights. It must be of their run and of the same
// data.
func (t *storedModel) record() (*record.Record, error) {
	rec, err := recordOfRun(t.path, t.rec, t.meta)
	if err != nil {
		return nil, err
	}
	if now := t.src.Spec().Hash; rec.Dataset.Hash != now {
		return nil, fmt.Errorf("%s is of other data: hash %s, now %s", filepath.Join(filepath.Dir(t.path), record.FileName), rec.Dataset.Hash, now)
	}
	return rec, nil
}

// recordOfRun returns rec, the record next to the weights at path. It fails if rec is nil
// or of another run.
func recordOfRun(path string, rec *record.Record, meta *WeightsMeta) (*record.Record, error) {
	file := filepath.Join(filepath.Dir(path), record.FileName)
	if rec == nil {
		return nil, fmt.Errorf("%s: %w", file, fs.ErrNotExist)
	}
	// The cell's hash is not compared: settings that were added later have changed it.
	have, want := rec.Identity, &meta.Cell
	if have.Task != want.Task || have.Label != want.Label || have.Seed != want.Seed || rec.Training.SelectedStep != meta.Step {
		return nil, fmt.Errorf("%s is of %s %s seed %d, step %d; the weights are of %s, step %d", file,
			have.Task, have.Label, have.Seed, rec.Training.SelectedStep, want.Name(), meta.Step)
	}
	values := want.Protocol.Values(want.Task, want.Settings)
	for key, v := range rec.Protocol.Values {
		if key != "settings" && record.HashOf(v) != record.HashOf(values[key]) { // settings are in the hash of the data
			return nil, fmt.Errorf("%s has protocol.values.%s = %v; the weights were trained with %v", file, key, v, values[key])
		}
	}
	return rec, nil
}

// writeRecord writes a record of this evaluation into the directory out: rec, which has
// the new counts already, with the environment and the time of the evaluation. Package
// report/gate compares it with the record of the training run.
func (v *Counts) writeRecord(out, blas string, rec *record.Record) error {
	now := time.Now().UTC().Format(time.RFC3339)
	rec.Origin, rec.Environment, rec.Files = record.Evaluated, record.Host(blas), nil
	rec.Times = record.Times{Started: now, Finished: now, Sessions: 1, ParallelRuns: 1}
	_, err := WriteRecord(out, rec, v.Predictions)
	return err
}

// makeEmptyDir makes a directory, or fails if it is not empty.
func makeEmptyDir(path string) error {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return err
	}
	list, err := os.ReadDir(path)
	if err == nil && len(list) > 0 {
		err = fmt.Errorf("%s is not empty: take another directory", path)
	}
	return err
}
