package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/checkpoint"
)

// Options say on which questions Stored evaluates. Except for Split, zero values mean
// those of the protocol.
type Options struct {
	Split    datasets.Split
	DataPath string
	PerKind  int     // questions of each kind
	All      bool    // all questions of a finite dataset
	Seed     *uint64 // of the questions

	// KeepPredictions writes the answers next to the run's record. Their counts must be
	// those of the record.
	KeepPredictions bool

	// Out is a new or empty directory for a record of this evaluation and for kept
	// answers; empty for no record. The questions must be those of the run's record.
	Out string

	// AllowCommand allows the weights of an external model to start the command that
	// they name.
	AllowCommand bool
	BLAS         string // as the record names it
}

// Result is the evaluation of stored weights.
type Result struct {
	Cell       config.Cell
	Step       int    // of the weights
	Path       string // of the weights' file
	Dataset    datasets.Spec
	Evaluation record.Evaluation

	Predictions string // path of the answers; empty if they were not kept

	SameData  bool     // the dataset is the one that the weights were trained on
	TrainedOn []string // caveats of the data that the weights were trained on
}

// Stored evaluates the weights at path, a model.safetensors or the directory of a run.
// The file alone is enough: its metadata rebuilds the model. It fails when the loss is NaN
// or infinite.
func Stored(ctx context.Context, path string, o Options) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t, err := openStored(path, o.DataPath, o.AllowCommand, o.Split)
	if err != nil {
		return nil, err
	}
	path, meta := t.path, t.meta
	var rec *record.Record
	if o.Out != "" {
		if rec, err = o.recordToUpdate(t); err != nil {
			return nil, err
		}
	}
	if err := CheckMemory(ctx, &meta.Cell, t.model, t.src, o.Split, false); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	q := o.questions(&meta.Cell.Protocol)
	q.Keep = o.KeepPredictions
	v, err := Model(ctx, t.model, t.src, q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !record.Finite(v.Loss) {
		return nil, fmt.Errorf("%s: loss is %v on the %s split", path, v.Loss, o.Split)
	}
	spec := t.src.Spec()
	r := &Result{
		Cell: meta.Cell, Step: meta.Step, Path: path, Dataset: spec, SameData: spec.Hash == meta.DatasetHash, TrainedOn: meta.Labels,
		Evaluation: v.Evaluation(o.Split),
	}
	switch {
	case o.Out != "":
		rec.Evaluation = r.Evaluation
		err = v.writeRecord(o.Out, o.BLAS, rec)
		if o.KeepPredictions {
			r.Predictions = filepath.Join(o.Out, record.PredictionsName)
		}
	case o.KeepPredictions:
		r.Predictions, err = v.writePredictions(t)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// storedModel is a model rebuilt from its weights, with the data of its task.
type storedModel struct {
	path  string         // of the weights
	rec   *record.Record // next to the weights; nil where there is none
	meta  *WeightsMeta
	model models.Model
	src   datasets.Source
}

// WeightsPath returns the path of the weights, given that or the directory of a run.
func WeightsPath(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, WeightsName)
	}
	return path
}

// openStored rebuilds the model whose weights are at path, a model.safetensors or the
// directory of a run, and opens splits of its task's data.
func openStored(path, dataPath string, allowCommand bool, splits ...datasets.Split) (*storedModel, error) {
	path = WeightsPath(path)
	rec, err := recordOf(path)
	if err != nil {
		return nil, err
	}
	w, err := loadWeights(path, allowCommand)
	if err != nil {
		return nil, err
	}
	meta := w.meta
	model, _, err := w.build(&meta.Cell, meta.Shape)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	src, err := config.OpenSource(&meta.Cell, datasets.Options{
		DataPath: dataPath,
		Splits:   append([]datasets.Split{}, splits...), // not nil, which means all
		Trained:  &datasets.Trained{Shape: meta.Shape, Vocabulary: meta.Vocabulary},
	})
	if err != nil {
		return nil, err
	}
	// A model is built for the sizes it was trained with; smaller data fit.
	if have := src.Shape(); have.Vocabulary != meta.Shape.Vocabulary || have.MaxRows > meta.Shape.MaxRows ||
		have.RowWidth != meta.Shape.RowWidth || have.QueryWidth != meta.Shape.QueryWidth ||
		have.Answers != meta.Shape.Answers || have.QuerySlot != meta.Shape.QuerySlot || have.ItemDim != meta.Shape.ItemDim {
		return nil, fmt.Errorf("%s: the model was trained on data of shape %+v, these have %+v", path, meta.Shape, have)
	}
	return &storedModel{path, rec, meta, model, src}, nil
}

// missingWeights says why there are no weights at path where the directory shows it, else
// it returns err.
func missingWeights(path string, err error) error {
	dir := filepath.Dir(path)
	err = fmt.Errorf("reading weights: %w; name a run's directory or the %s in it", err, WeightsName)
	if filepath.Base(path) != WeightsName {
		return err
	}
	if _, failed := os.Stat(filepath.Join(dir, record.FileName)); failed == nil {
		return fmt.Errorf("%s: the run has ended without weights, as one that diverged does: %w", dir, err)
	}
	if _, failed := os.Stat(filepath.Join(dir, CheckpointName)); failed == nil {
		return fmt.Errorf("%s: the run has not ended and has no weights: continue it first, with the command that began it and --resume", dir)
	}
	if runs, _ := filepath.Glob(filepath.Join(dir, "*", WeightsName)); len(runs) > 0 { // the pattern is valid
		return fmt.Errorf("%s holds runs: name one, for example %s", dir, filepath.Dir(runs[0]))
	}
	return err
}

// recordOf reads the record next to the weights at path; nil where there is none, since
// weights may have been copied alone. The record must agree with its own protocol, and
// the weights with their SHA-256 in it.
func recordOf(path string) (*record.Record, error) {
	dir, name := filepath.Split(path)
	file := filepath.Join(dir, record.FileName)
	rec, err := record.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the record next to the weights: %w", err)
	}
	if err := rec.CheckProtocol(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if name == WeightsName {
		err = rec.CheckFile(dir, name)
	}
	return rec, err
}

// questions merges the options with the protocol's values.
func (o *Options) questions(p *config.Protocol) Questions {
	q := QuestionsOf(p, o.Split)
	if o.PerKind > 0 {
		q.PerKind = o.PerKind
	}
	if o.All {
		q.PerKind = 0
	}
	if o.Seed != nil {
		q.Seed = *o.Seed
	}
	return q
}

// storedWeights are the contents of a file of weights.
type storedWeights struct {
	meta    *WeightsMeta
	tensors []models.Tensor
}

// loadWeights reads a file of weights. It refuses one that would start a command, unless
// the user allows that.
func loadWeights(path string, allowCommand bool) (*storedWeights, error) {
	data, weights, err := checkpoint.LoadWeights(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missingWeights(path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	meta := new(WeightsMeta)
	if err := json.Unmarshal(data, meta); err != nil {
		return nil, fmt.Errorf("%s: metadata: %w", path, err)
	}
	if meta.Schema != 1 {
		return nil, fmt.Errorf("%s: metadata of schema version %d: this program reads version 1", path, meta.Schema)
	}
	if c, ok := meta.Cell.Config.(interface{ StartsCommand() string }); ok && !allowCommand {
		return nil, fmt.Errorf("%s: this external model is the command %q; eval, ask and generalize start it with --allow-command, if you trust it", path, c.StartsCommand())
	}
	return &storedWeights{meta, weights}, nil
}

// build builds a cell's model with these weights for data of the given shape. extended
// names the weights that were extended to more memory rows.
func (w *storedWeights) build(c *config.Cell, shape datasets.Shape) (m models.Model, extended []string, err error) {
	if m, err = config.BuildModel(c, shape); err != nil {
		return nil, nil, err
	}
	st, err := models.StateOf(m)
	var weights []models.Tensor
	if err == nil {
		weights, extended, err = fit(m, st, w.tensors)
	}
	if err == nil {
		st, err = checkpoint.WithWeights(st, weights)
	}
	if err == nil {
		err = m.Restore(st)
	}
	if err != nil {
		models.Close(m)
		return nil, nil, err
	}
	return m, extended, nil
}

// fit extends the weights whose shapes differ from those in m, whose state is st.
func fit(m models.Model, st models.State, weights []models.Tensor) (fitting []models.Tensor, extended []string, err error) {
	for _, w := range weights {
		i := slices.IndexFunc(st.Tensors, func(t models.Tensor) bool { return t.Name == w.Name && t.Role == models.Weight })
		if i >= 0 && !slices.Equal(st.Tensors[i].Shape, w.Shape) {
			want, ok := st.Tensors[i].Shape, false
			if e, can := m.(models.Extender); can {
				w, ok = e.Extend(w, want)
			}
			if !ok {
				return nil, nil, fmt.Errorf("the weight %s was trained with the shape %v and cannot have %v", w.Name, w.Shape, want)
			}
			extended = append(extended, w.Name)
		}
		fitting = append(fitting, w)
	}
	return fitting, extended, nil
}

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
	Cell        config.Cell    `json:"cell"`
	Shape       datasets.Shape `json:"shape"`
	Vocabulary  []string       `json:"vocabulary,omitempty"`
	DatasetHash string         `json:"dataset"`
	Labels      []string       `json:"dataset_labels,omitempty"` // of the data that the weights were trained on
}

// WriteRecord writes into dir the answers, unless nil, and the record, in the Go benchmark
// format and, last, as record.json. It returns the record as a reader of the file sees it.
// A record with a shift is not written in the Go benchmark format, which has no shifts.
func WriteRecord(dir string, rec *record.Record, answers *predictions) (*record.Record, error) {
	data, err := rec.Marshal()
	if err != nil {
		return nil, err
	}
	bench, err := rec.Bench()
	if err != nil {
		return nil, err
	}
	if answers != nil {
		if err := answers.WriteTo(filepath.Join(dir, record.PredictionsName), rec.Protocol.Hash); err != nil {
			return nil, err
		}
	}
	if rec.Shift == nil {
		if err := checkpoint.WriteBytes(filepath.Join(dir, record.BenchName), bench); err != nil {
			return nil, err
		}
	}
	if err := checkpoint.WriteBytes(filepath.Join(dir, record.FileName), data); err != nil {
		return nil, err
	}
	return record.Parse(data)
}
