package benchmarks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/checkpoint"
)

// judge asks the test questions and writes the results, record.json last.
func (t *trainer) judge(ctx context.Context, limited bool) (*record.Record, error) {
	t.progress.Judging(datasets.Test.String())
	v, err := t.verdict(ctx)
	if err != nil {
		return nil, t.unevaluated(ctx, err)
	}
	moved, err := t.leaveIfMoved()
	if err != nil {
		return nil, err
	}
	t.session.book(&t.ledger)
	rec := t.record(v, limited)
	rec.Files = map[string]string{CurveName: t.curve.sum()}
	if rec.Status != record.Diverged { // weights that are not numbers are of no use
		if rec.Files[WeightsName], err = t.writeWeights(); err != nil {
			return nil, err
		}
	}
	if v.kept != nil {
		if err := v.kept.writeTo(t.dir.file(record.PredictionsName), rec.Protocol.Hash); err != nil {
			return nil, err
		}
	}
	if rec, err = writeRecord(t.dir.path, rec); err != nil || moved != nil {
		return nil, cmp.Or(err, moved)
	}
	return rec, nil
}

// unevaluated keeps the weights of a run whose evaluation failed. Its checkpoint
// was saved before.
func (t *trainer) unevaluated(ctx context.Context, failed error) error {
	if ctx.Err() != nil || t.ledger.DivergedAt > 0 || !t.dir.inPlace() {
		return failed
	}
	if _, err := t.writeWeights(); err != nil {
		return errors.Join(failed, err)
	}
	return fmt.Errorf("evaluating: %w; %s holds the weights and a checkpoint: resuming evaluates again", failed, t.dir.path)
}

// writeRecord writes a record and its twin in the Go benchmark format into dir,
// record.json last, and returns the record as a reader of the file sees it.
func writeRecord(dir string, rec *record.Record) (*record.Record, error) {
	data, err := rec.Marshal()
	if err != nil {
		return nil, err
	}
	bench, err := rec.Bench()
	if err != nil {
		return nil, err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{record.BenchName, bench}, {record.FileName, data}} {
		err := checkpoint.WriteFile(filepath.Join(dir, f.name), func(w io.Writer) error {
			_, err := w.Write(f.data)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return record.Parse(data)
}

// verdict puts the selected weights in place and judges them.
func (t *trainer) verdict(ctx context.Context) (*verdict, error) {
	questions := t.cell.Protocol.test()
	questions.keep = t.opts.KeepPredictions
	if t.ledger.DivergedAt == 0 {
		if t.selected != nil && t.ledger.Selected != t.step {
			st, err := checkpoint.WithWeights(t.model.State(), t.selected)
			if err == nil {
				err = t.model.Restore(st)
			}
			if err != nil {
				return nil, fmt.Errorf("selected weights: %w", err)
			}
		}
		v, err := evaluate(ctx, t.model, t.src, questions)
		if err != nil || !t.ledger.diverges(v.loss) {
			return v, err
		}
		t.ledger.DivergedAt = t.step
	}
	return allWrong(ctx, t.model, t.src, questions)
}

// record sums up the run.
func (t *trainer) record(v *verdict, limited bool) *record.Record {
	c, l, spec := t.cell, &t.ledger, t.src.Spec()
	rec := &record.Record{
		Schema: record.Version,
		Identity: record.Identity{Preset: c.Preset, Task: c.Task, Label: c.Label, Title: c.Title, Model: c.Model,
			Seed: c.Seed, Cell: c.Hash(), Overrides: c.Overrides},
		Origin:   record.Trained,
		Status:   record.Complete,
		Protocol: record.Protocol{Hash: c.ProtocolHash(), Values: c.Protocol.values(c.Task, c.Settings)},
		Dataset: record.Dataset{Task: spec.Task, Settings: spec.Settings, Hash: spec.Hash, Caveats: spec.Caveats,
			Presentation: datasets.Present(c.Task, spec.Task, spec.Settings)},
		Model:       record.Model{Config: withoutLegacy(c.Config), Training: mapOf(&c.Training)},
		Training:    record.Training{Steps: t.step, Examples: l.Examples, SelectedStep: t.step, Loss: l.TrainLoss, Warnings: l.Warnings},
		Curve:       l.Curve,
		Evaluation:  v.evaluation(datasets.Test),
		Environment: record.Host(t.opts.BLAS),
		Times: record.Times{
			Started: l.Started, Finished: time.Now().UTC().Format(time.RFC3339), WallSeconds: l.Wall, CPUSeconds: l.CPU,
			TrainSeconds: l.Training, Sessions: l.Sessions, Damaged: l.Damaged, ParallelRuns: max(1, t.opts.Jobs),
		},
	}
	if m, ok := t.model.(models.Counter); ok {
		rec.Model.Parameters = m.Parameters()
	}
	if l.Training > 0 {
		rec.Times.ExamplesPerSec = float64(l.Examples) / l.Training
	}
	if len(c.Training.Phases) > 0 {
		rec.Training.Phases = append(slices.Clone(l.Phases), t.phaseRun())
	}
	switch {
	case t.selected != nil:
		rec.Training.SelectedStep, rec.Curve.SelectedLoss = l.Selected, new(l.Curve.BestLoss)
	case l.Evaluated != t.step:
		rec.Curve.SelectedLoss = nil
	}
	switch {
	case l.DivergedAt > 0:
		rec.Status = record.Diverged
		rec.Training.DivergedAt, rec.Training.Loss = l.DivergedAt, nil
		rec.Evaluation.Loss, rec.Evaluation.Hops, rec.Evaluation.AnswerHops = nil, nil, nil
	case limited:
		rec.Status = record.Interrupted
	case l.Stopped && t.step < c.Protocol.Steps:
		rec.Status = record.EarlyStopped
	}
	rec.Caveats = t.caveats(rec)
	return rec
}

// caveats lists those of the run's numbers.
func (t *trainer) caveats(rec *record.Record) datasets.Caveats {
	list := slices.Concat(datasets.Caveats{}, rec.Dataset.Caveats, t.cell.caveats())
	step := t.step
	if rec.Status == record.Diverged {
		step = rec.Training.DivergedAt
	}
	list = append(list, record.Ending(rec.Status, step, t.cell.Protocol.Steps)...)
	for _, text := range t.ledger.Labels {
		list = append(list, record.Caveat{Kind: datasets.OtherBLAS, Text: text})
	}
	if len(t.cell.Overrides) > 0 {
		list = append(list, record.Caveat{Kind: datasets.ChangedSettings, Text: "changed from the preset: " + strings.Join(t.cell.Overrides, " ")})
	}
	return list
}

// weightsMeta is the metadata of model.safetensors: what building the model
// again takes.
type weightsMeta struct {
	Schema      int            `json:"schema"`
	Step        int            `json:"step"` // of the weights
	Cell        Cell           `json:"cell"`
	Shape       datasets.Shape `json:"shape"`
	Vocabulary  []string       `json:"vocabulary,omitempty"`
	DatasetHash string         `json:"dataset"`
	Labels      []string       `json:"dataset_labels,omitempty"` // of the data that the weights were trained on
}

// writeWeights writes the weights that are evaluated and returns the file's SHA-256.
func (t *trainer) writeWeights() (sha256 string, err error) {
	meta := weightsMeta{Schema: 1, Step: t.step, Cell: *t.cell, Shape: t.src.Shape(), Vocabulary: vocabulary(t.src), DatasetHash: t.src.Spec().Hash, Labels: t.src.Spec().Caveats.Texts()}
	if t.selected != nil {
		meta.Step = t.ledger.Selected
	}
	data, err := json.Marshal(meta)
	if err != nil {
		return "", err
	}
	return checkpoint.SaveWeights(t.dir.file(WeightsName), data, t.model.State().Tensors)
}
