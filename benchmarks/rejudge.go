package benchmarks

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

// recordable returns the record of the run whose weights are evaluated, and checks
// that o.Out can take another one. It is called before the questions are asked, which
// may take long.
func (o *EvalOptions) recordable(t *trained) (*record.Record, error) {
	if o.Split != datasets.Test || o.PerKind > 0 || o.All || o.Seed != nil {
		return nil, errors.New("recording the evaluation: the questions must be those of the run's record, the protocol's of the test split")
	}
	rec, err := t.record()
	if err == nil {
		err = emptyDir(o.Out)
	}
	if err != nil {
		return nil, fmt.Errorf("recording the evaluation: %w", err)
	}
	return rec, nil
}

// beside reads the record next to the weights, which must agree with its own protocol.
func (t *trained) beside() (rec *record.Record, file string, err error) {
	file = filepath.Join(filepath.Dir(t.path), record.FileName)
	if rec, err = record.ReadFile(file); err != nil {
		return nil, file, err
	}
	if err = rec.CheckProtocol(); err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return rec, file, err
}

// consistent refuses weights next to a record that contradicts its own protocol. Weights
// without a record are accepted: they may have been copied alone.
func (t *trained) consistent() error {
	_, _, err := t.beside()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// record reads the record beside the weights. It must agree with its own protocol,
// and be of the run of the weights and of the same data.
func (t *trained) record() (*record.Record, error) {
	rec, file, err := t.beside()
	if err != nil {
		return nil, err
	}
	// Not by the cell's hash: settings that came later have changed it.
	have, want := rec.Identity, &t.meta.Cell
	if have.Task != want.Task || have.Label != want.Label || have.Seed != want.Seed || rec.Training.SelectedStep != t.meta.Step {
		return nil, fmt.Errorf("%s is of %s %s seed %d, step %d; the weights are of %s, step %d", file,
			have.Task, have.Label, have.Seed, rec.Training.SelectedStep, want.Name(), t.meta.Step)
	}
	values := want.Protocol.values(want.Task, want.Settings)
	for key, v := range rec.Protocol.Values {
		if key != "settings" && record.HashOf(v) != record.HashOf(values[key]) { // those are in the hash of the data
			return nil, fmt.Errorf("%s has protocol.values.%s = %v; the weights were trained with %v", file, key, v, values[key])
		}
	}
	if now := t.src.Spec().Hash; rec.Dataset.Hash != now {
		return nil, fmt.Errorf("%s is of other data: hash %s, now %s", file, rec.Dataset.Hash, now)
	}
	return rec, nil
}

// recordIn writes a record of this judgement into the directory out: that of the
// weights' run, with today's counts in it already, and the environment and the time
// of the judgement. With it, package report/gate judges whether today's code still
// gets from trained weights what they gave when they were recorded.
func (v *verdict) recordIn(out, blas string, rec *record.Record) error {
	now := time.Now().UTC().Format(time.RFC3339)
	rec.Origin, rec.Environment, rec.Files = record.Evaluated, record.Host(blas), nil
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
