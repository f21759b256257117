package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"memobench/benchmarks/config"
	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/checkpoint"
)

// conclude evaluates on the test split and writes the results, record.json last.
func (t *trainer) conclude(ctx context.Context, limited bool) (*record.Record, error) {
	t.progress.Evaluating(datasets.Test.String())
	v, err := t.evaluateSelected(ctx)
	if err != nil {
		return nil, t.keepWeights(ctx, err)
	}
	if err := t.dir.inPlace(); err != nil {
		return nil, err
	}
	t.session.addTo(&t.state)
	rec := t.record(v, limited)
	rec.Files = map[string]string{CurveName: t.curve.sum()}
	if rec.Status != record.Diverged { // whose weights may be NaN
		if rec.Files[evaluate.WeightsName], err = t.writeWeights(); err != nil {
			return nil, t.dir.explain(err)
		}
	}
	rec, err = evaluate.WriteRecord(t.dir.path, rec, v.Predictions)
	return rec, t.dir.explain(err)
}

// keepWeights writes the weights of a run whose evaluation failed. Its checkpoint was
// saved before.
func (t *trainer) keepWeights(ctx context.Context, failed error) error {
	if ctx.Err() != nil || t.state.DivergedAt > 0 || t.dir.inPlace() != nil {
		return failed
	}
	if _, err := t.writeWeights(); err != nil {
		return errors.Join(failed, err)
	}
	return fmt.Errorf("evaluating: %w; %s holds the weights and a checkpoint: resuming evaluates again", failed,
		t.dir.path)
}

// evaluateSelected puts the selected weights in place and evaluates them.
func (t *trainer) evaluateSelected(ctx context.Context) (*evaluate.Counts, error) {
	questions := evaluate.QuestionsOf(&t.cell.Protocol, datasets.Test)
	questions.Keep = t.opts.KeepPredictions
	if t.state.DivergedAt == 0 {
		if t.selected != nil && t.state.Selected != t.step {
			st, err := checkpoint.WithWeights(t.model.State(), t.selected)
			if err == nil {
				err = t.model.Restore(st)
			}
			if err != nil {
				return nil, fmt.Errorf("selected weights: %w", err)
			}
		}
		v, err := evaluate.Model(ctx, t.model, t.src, questions)
		if err != nil || !t.state.diverges(v.Loss) {
			return v, err
		}
		t.state.DivergedAt = t.step
	}
	return evaluate.AllWrong(ctx, t.model, t.src, questions)
}

// record returns the run's record. limited says that a time limit ended training.
func (t *trainer) record(v *evaluate.Counts, limited bool) *record.Record {
	c, s := t.cell, &t.state
	rec := &record.Record{
		Schema: record.Version,
		Identity: record.Identity{Preset: c.Preset, Task: c.Task, Label: c.Label, Title: c.Title, Model: c.Model,
			Seed: c.Seed, Cell: c.Hash(), Overrides: c.Overrides},
		Origin:   record.Trained,
		Status:   record.Complete,
		Protocol: record.Protocol{Hash: c.ProtocolHash(), Values: c.Protocol.Values(c.Task, c.Settings)},
		Dataset:  record.DatasetOf(c.Task, t.src.Spec()),
		Model:    record.Model{Config: config.Values(c.Config), Training: config.Values(&c.Training)},
		Training: record.Training{Steps: t.step, Examples: s.Examples, SelectedStep: t.step, Loss: s.TrainLoss,
			Warnings: s.Warnings},
		Curve:       s.Curve,
		Evaluation:  v.Evaluation(datasets.Test),
		Environment: record.Host(t.opts.BLAS),
		Times: record.Times{
			Started: s.Started, Finished: time.Now().UTC().Format(time.RFC3339), WallSeconds: s.Wall, CPUSeconds: s.CPU,
			TrainSeconds: s.Training, Sessions: s.Sessions, Damaged: s.Damaged, ParallelRuns: max(1, t.opts.Jobs),
		},
	}
	if m, ok := t.model.(models.Counter); ok {
		rec.Model.Parameters = m.Parameters()
	}
	if s.Training > 0 {
		rec.Times.ExamplesPerSec = float64(s.Examples) / s.Training
	}
	if len(c.Training.Phases) > 0 {
		rec.Training.Phases = append(slices.Clone(s.Phases), t.phaseRun())
	}
	switch {
	case t.selected != nil:
		rec.Training.SelectedStep, rec.Curve.SelectedLoss = s.Selected, new(s.Curve.BestLoss)
	case s.Evaluated != t.step:
		rec.Curve.SelectedLoss = nil
	}
	switch {
	case s.DivergedAt > 0:
		rec.Status = record.Diverged
		rec.Training.DivergedAt, rec.Training.Loss = s.DivergedAt, nil
		rec.Evaluation.Loss, rec.Evaluation.Hops, rec.Evaluation.AnswerHops = nil, nil, nil
	case limited:
		rec.Status = record.Interrupted
	case s.Stopped && t.step < c.Protocol.Steps:
		rec.Status = record.EarlyStopped
	}
	rec.Caveats = t.caveats(rec)
	return rec
}

// caveats lists the caveats of the data, the cell and the run.
func (t *trainer) caveats(rec *record.Record) datasets.Caveats {
	list := slices.Concat(datasets.Caveats{}, rec.Dataset.Caveats, t.cell.Caveats())
	if rec.Status == record.Interrupted {
		list = untilLimit(list, len(t.cell.Training.Phases), rec.Training.Phases)
	}
	step := t.step
	if rec.Status == record.Diverged {
		step = rec.Training.DivergedAt
	}
	list = append(list, record.Ending(rec.Status, step, t.cell.Protocol.Steps)...)
	for _, text := range t.state.Labels {
		list = append(list, record.Caveat{Kind: datasets.OtherBLAS, Text: text})
	}
	if len(t.cell.Overrides) > 0 {
		list = append(list, record.ChangedFromPreset(t.cell.Overrides))
	}
	return list
}

// untilLimit returns the caveats of a run that a time limit ended in the last of the given
// phases: the planned steps are a bound, and later ones of the planned phases have not begun.
// The mixture of tasks is a caveat of the same kind, before those of the phases.
func untilLimit(list datasets.Caveats, planned int, phases []record.Phase) datasets.Caveats {
	begun := -planned
	for _, c := range list {
		if c.Kind == datasets.Curriculum {
			begun++
		}
	}
	for _, p := range phases[max(0, len(phases)-1):] {
		begun += p.Phase
	}
	var out datasets.Caveats
	for _, c := range list {
		if c.Kind == datasets.Curriculum {
			if begun--; begun < 0 {
				continue
			}
		}
		if c.Kind == datasets.OtherSteps {
			c.Text = "up to " + c.Text
		}
		out = append(out, c)
	}
	return out
}

// writeWeights writes the weights that are evaluated and returns the file's SHA-256.
func (t *trainer) writeWeights() (sha256 string, err error) {
	meta := evaluate.WeightsMeta{Schema: 1, Step: t.step, Cell: *t.cell, Shape: t.src.Shape(),
		Vocabulary: config.Vocabulary(t.src), DatasetHash: t.src.Spec().Hash, Labels: t.src.Spec().Caveats.Texts()}
	if t.selected != nil {
		meta.Step = t.state.Selected
	}
	data, err := json.Marshal(meta)
	if err != nil {
		return "", err
	}
	st, err := models.StateOf(t.model)
	if err != nil {
		return "", err
	}
	return checkpoint.SaveWeights(t.dir.file(evaluate.WeightsName), data, st.Tensors)
}

// addPredictions writes the answers of a finished run that has not kept them.
func (t *trainer) addPredictions(ctx context.Context, rec *record.Record) error {
	path := t.dir.file(record.PredictionsName)
	if _, err := os.Stat(path); err == nil || !t.opts.KeepPredictions {
		return nil
	}
	if rec.Status != record.Diverged {
		_, err := evaluate.Stored(ctx, t.dir.path,
			evaluate.Options{Split: datasets.Test, DataPath: t.opts.DataPath, KeepPredictions: true})
		return err
	}
	q := evaluate.QuestionsOf(&t.cell.Protocol, datasets.Test)
	q.Keep = true
	v, err := evaluate.AllWrong(ctx, t.model, t.src, q)
	if err != nil {
		return err
	}
	return v.Predictions.WriteTo(path, rec.Protocol.Hash)
}
