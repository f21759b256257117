package evaluate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/export"
	"memobench/models"
	"memobench/models/checkpoint"
)

// Names in the directory of a run: the file of the evaluated weights, and the directory of
// the checkpoints.
const (
	WeightsName    = "model.safetensors"
	CheckpointName = "checkpoint"
)

// WeightsMeta is the metadata of model.safetensors, from which the model is rebuilt.
type WeightsMeta struct {
	Schema      int            `json:"schema"`
	Step        int            `json:"step"` // of the weights
	Cell        study.Cell     `json:"cell"`
	Shape       datasets.Shape `json:"shape"`
	Vocabulary  []string       `json:"vocabulary,omitempty"`
	DatasetHash string         `json:"dataset"`
	Labels      []string       `json:"dataset_labels,omitempty"` // of the data that the weights were trained on
}

// weights are the contents of a file of weights, with the record next to it.
type weights struct {
	WeightsMeta
	path    string
	rec     *record.Record // nil where there is none
	tensors []models.Tensor
}

// readWeights reads the weights at path, a model.safetensors or the directory of a run, and
// the record next to them, if any: weights may have been copied alone. The record must agree
// with its own protocol, and the weights with their SHA-256 in it. Weights that would start a
// command are refused, unless the user allows that.
func readWeights(path string, o *Options) (*weights, error) {
	w := &weights{path: path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		w.path = filepath.Join(path, WeightsName)
	}
	dir, name := filepath.Split(w.path)
	var err error
	if w.rec, err = record.ReadFile(filepath.Join(dir, record.FileName)); err == nil && name == WeightsName {
		err = w.rec.CheckFile(dir, name)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the record next to the weights: %w", err)
	}
	data, tensors, err := checkpoint.LoadWeights(w.path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, missing := os.Stat(filepath.Join(dir, CheckpointName)); missing == nil && w.rec == nil {
			return nil, fmt.Errorf("%s: the run has not ended and has no weights yet; continue it with the command that began it and --resume", filepath.Clean(dir))
		}
		err = fmt.Errorf("%w; name the directory of a run that has ended, or the %s in it (a run that diverged has none)", err, WeightsName)
	}
	if err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	w.tensors = tensors
	if err = json.Unmarshal(data, &w.WeightsMeta); err == nil && w.Schema != 1 {
		err = fmt.Errorf("schema version %d: this program reads version 1", w.Schema)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: metadata: %w", w.path, err)
	}
	if err := study.CheckData(o.DataPath, w.Cell.Task); err != nil {
		return nil, fmt.Errorf("%s: %w", w.path, err)
	}
	if commands := w.Cell.Commands(); len(commands) > 0 && !o.AllowCommand {
		return nil, fmt.Errorf("%s: the external model is the command %q, which is not started unless you trust it; eval, ask and generalize start it with --allow-command", w.path, commands[0])
	}
	return w, nil
}

// ownRecord returns the record next to the weights. It fails unless there is one of their run.
func (w *weights) ownRecord() (*record.Record, error) {
	file := filepath.Join(filepath.Dir(w.path), record.FileName)
	if w.rec == nil {
		return nil, fmt.Errorf("%s: %w", file, fs.ErrNotExist)
	}
	// The cell's hash is not compared: settings that were added later have changed it.
	have, want := w.rec.Identity, &w.Cell
	if have.Task != want.Task || have.Model != want.Model || have.Seed != want.Seed || w.rec.Training.SelectedStep != w.Step {
		return nil, fmt.Errorf("%s is of %s %s seed %d, step %d; the weights are of %v, step %d", file,
			have.Task, have.Name, have.Seed, w.rec.Training.SelectedStep, want, w.Step)
	}
	values := want.Protocol.Values(want.Task, want.Settings)
	for key, v := range w.rec.Protocol.Values {
		if key != "settings" && record.HashOf(v) != record.HashOf(values[key]) { // settings are in the hash of the data
			return nil, fmt.Errorf("%s has protocol.values.%s = %v; the weights were trained with %v", file, key, v, values[key])
		}
	}
	return w.rec, nil
}

// open opens splits of a task's data for the trained model. Of data at a path of the user's
// own, kinds of question may be missing.
func (w *weights) open(c *study.Cell, dataPath string, shifted bool, splits ...datasets.Split) (datasets.Source, error) {
	o := datasets.Options{DataPath: dataPath, Partial: dataPath != "", Shifted: shifted,
		Splits:  append([]datasets.Split{}, splits...), // not nil, which means all
		Trained: &datasets.Trained{Shape: w.Shape, Vocabulary: w.Vocabulary}}
	src, err := study.OpenSource(c, o)
	if err != nil || shifted {
		return src, err
	}
	shape := src.Shape()
	shape.MaxRows = max(shape.MaxRows, w.Shape.MaxRows) // smaller memories fit
	if err := datasets.CheckTrained(shape, o); err != nil {
		return nil, fmt.Errorf("%s: %w", w.path, err)
	}
	return src, nil
}

// build rebuilds the model of the weights for data of the given shape. c is the cell of the
// weights, or one with another number of hops. extended names the weights that were
// extended to more memory rows.
func (w *weights) build(c *study.Cell, shape datasets.Shape) (m models.Model, extended []string, err error) {
	if m, err = study.BuildModel(c, shape, 1); err == nil {
		if extended, err = w.restore(m); err != nil {
			models.Close(m)
		}
	}
	return m, extended, err
}

// restore gives the weights to a model. It extends those whose shapes differ from the
// model's and returns their names.
func (w *weights) restore(m models.Model) (extended []string, err error) {
	st, err := models.StateOf(m)
	if err != nil {
		return nil, err
	}
	fitting := slices.Clone(w.tensors)
	for n, trained := range fitting {
		i := slices.IndexFunc(st.Tensors, func(t models.Tensor) bool { return t.Name == trained.Name && t.Role == models.Weight })
		if i < 0 || slices.Equal(st.Tensors[i].Shape, trained.Shape) {
			continue
		}
		want, ok := st.Tensors[i].Shape, false
		if e, can := m.(models.Extender); can {
			fitting[n], ok = e.Extend(trained, want)
		}
		if !ok {
			return nil, fmt.Errorf("the weight %s was trained with the shape %v and cannot have %v", trained.Name, trained.Shape, want)
		}
		extended = append(extended, trained.Name)
	}
	if st, err = checkpoint.WithWeights(st, fitting); err != nil {
		return nil, err
	}
	return extended, m.Restore(st)
}

// stored is a model rebuilt from its weights, with the data of its task.
type stored struct {
	*weights
	model models.Model
	src   datasets.Source
}

// openStored rebuilds the model whose weights are at path and opens splits of its task's data.
func openStored(path string, o *Options, splits ...datasets.Split) (*stored, error) {
	w, err := readWeights(path, o)
	if err != nil {
		return nil, err
	}
	src, err := w.open(&w.Cell, o.DataPath, false, splits...)
	if err != nil {
		return nil, err
	}
	m, _, err := w.build(&w.Cell, w.Shape)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.path, err)
	}
	return &stored{w, m, src}, nil
}

// writeNewRecord is WriteRecord for a directory that does not exist, or is empty. After an error
// nothing is left.
func writeNewRecord(dir string, rec *record.Record, answers *Answers) (written *record.Record, err error) {
	err = export.Stage(dir, func(staged string) (err error) {
		written, err = WriteRecord(staged, rec, answers)
		return err
	})
	return written, err
}

// WriteRecord writes into dir the answers, unless nil, and the record, in the Go benchmark
// format and, last, as record.json. It returns the record as a reader of the file sees it.
// A record with a shift is not written in the Go benchmark format, which has no shifts.
func WriteRecord(dir string, rec *record.Record, answers *Answers) (*record.Record, error) {
	data, err := rec.Marshal()
	bench, err2 := rec.Bench()
	if err = cmp.Or(err, err2); err == nil && answers != nil {
		err = answers.WriteTo(filepath.Join(dir, record.PredictionsName), rec.Protocol.Hash)
	}
	if err == nil && rec.Shift == nil {
		err = checkpoint.WriteBytes(filepath.Join(dir, record.BenchName), bench)
	}
	if err == nil {
		err = checkpoint.WriteBytes(filepath.Join(dir, record.FileName), data)
	}
	if err != nil {
		return nil, err
	}
	return record.Parse(data)
}
