package benchmarks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/checkpoint"
)

// EvalOptions say which questions EvalRun asks. The zero value of each field
// but Split means the protocol's value.
type EvalOptions struct {
	Split    datasets.Split
	DataPath string
	PerKind  int     // questions of each kind
	All      bool    // all questions of a finite dataset
	Seed     *uint64 // of the questions

	// KeepPredictions writes the answers beside the run's record. The questions
	// must then be those of the record, and the answers give its counts.
	KeepPredictions bool

	// Out names a new or empty directory for a record of this judgement, whose
	// questions must be those of the run's record; answers that are kept go there.
	// The empty name asks for none.
	Out  string
	BLAS string // as the record names it
}

// EvalResult is the judgement of trained weights.
type EvalResult struct {
	Cell       Cell
	Step       int    // of the weights
	Path       string // of the weights' file
	Dataset    datasets.Spec
	Evaluation record.Evaluation

	Kept string // path of the answers, empty when they were not asked for

	// SameData says that the dataset is the one the weights were trained on.
	SameData bool

	// TrainedOn has the labels of the data that the weights were trained on.
	TrainedOn []string
}

// EvalRun judges the weights at path, a model.safetensors or a directory of a
// run that holds one. The file alone is enough: its metadata rebuilds the
// model. It fails when the weights give a loss that is not a number.
func EvalRun(ctx context.Context, path string, o EvalOptions) (*EvalResult, error) {
	t, err := openTrained(path, o.Split, o.DataPath)
	if err != nil {
		return nil, err
	}
	path, meta := t.path, t.meta
	var of *record.Record // that the judgement is to be recorded beside
	if o.Out != "" {
		if of, err = o.recordable(t); err != nil {
			return nil, err
		}
	} else if err := t.consistent(); err != nil {
		return nil, err
	}
	if err := meta.Cell.fits(ctx, t.model, t.src, o.Split, false); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	q := o.questions(&meta.Cell.Protocol)
	q.keep = o.KeepPredictions
	v, err := evaluate(ctx, t.model, t.src, q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !finite(v.loss) {
		return nil, fmt.Errorf("%s: loss is %v on the %s split", path, v.loss, o.Split)
	}
	spec := t.src.Spec()
	r := &EvalResult{
		Cell: meta.Cell, Step: meta.Step, Path: path, Dataset: spec, SameData: spec.Hash == meta.DatasetHash, TrainedOn: meta.Labels,
		Evaluation: v.evaluation(o.Split),
	}
	switch {
	case o.Out != "":
		of.Evaluation = r.Evaluation
		err = v.recordIn(o.Out, o.BLAS, of)
		if o.KeepPredictions {
			r.Kept = filepath.Join(o.Out, record.PredictionsName)
		}
	case o.KeepPredictions:
		r.Kept, err = v.keepBeside(t)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// trained is a model rebuilt from its weights, with the data to ask it about.
type trained struct {
	path  string // of the weights
	meta  *weightsMeta
	model models.Model
	src   datasets.Source
}

// openTrained rebuilds the model whose weights are at path, a model.safetensors
// or a directory with one, and opens a split of its task's data.
func openTrained(path string, split datasets.Split, dataPath string) (*trained, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, WeightsName)
	}
	if err := checkWeights(path); err != nil {
		return nil, err
	}
	meta, model, err := loadModel(path)
	if err != nil {
		return nil, err
	}
	src, err := openSource(&meta.Cell, datasets.Options{
		DataPath: dataPath, Splits: []datasets.Split{split},
		Trained: &datasets.Trained{Shape: meta.Shape, Vocabulary: meta.Vocabulary},
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
	return &trained{path, meta, model, src}, nil
}

// checkWeights compares the weights at path with the SHA-256 in the record next to
// them, where there is one.
func checkWeights(path string) error {
	dir, name := filepath.Split(path)
	rec, err := record.ReadFile(filepath.Join(dir, record.FileName))
	if errors.Is(err, fs.ErrNotExist) || name != WeightsName {
		return nil
	}
	if err != nil {
		return err
	}
	return rec.CheckFile(dir, name)
}

// questions merges the options with the protocol's values.
func (o *EvalOptions) questions(p *Protocol) questions {
	q := p.validation()
	if o.Split == datasets.Test {
		q = p.test()
	}
	q.split = o.Split
	if o.PerKind > 0 {
		q.perKind = o.PerKind
	}
	if o.All {
		q.perKind = 0
	}
	if o.Seed != nil {
		q.seed = *o.Seed
	}
	return q
}

// loadModel rebuilds a model from a file of its weights.
func loadModel(path string) (*weightsMeta, models.Model, error) {
	data, weights, err := checkpoint.LoadWeights(path)
	if err != nil {
		return nil, nil, err
	}
	meta := new(weightsMeta)
	if err := json.Unmarshal(data, meta); err != nil {
		return nil, nil, fmt.Errorf("%s: metadata: %w", path, err)
	}
	if meta.Schema != 1 {
		return nil, nil, fmt.Errorf("%s: metadata of schema version %d: this program reads version 1", path, meta.Schema)
	}
	m, err := buildModel(&meta.Cell, meta.Shape)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	st, err := checkpoint.WithWeights(m.State(), weights)
	if err == nil {
		err = m.Restore(st)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return meta, m, nil
}
