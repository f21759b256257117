package train

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/checkpoint"
)

// conclude evaluates on the test split and writes the results, record.json last.
func (t *trainer) conclude(ctx context.Context, limited bool) (*record.Record, error) {
	t.progress.Evaluating(datasets.Test.String())
	v, err := t.evaluateSelected(ctx)
	if err != nil {
		return nil, fmt.Errorf("evaluating: %w; %s holds a checkpoint: resuming evaluates again", err, t.dir.path)
	}
	t.addTimes()
	rec := t.record(v, limited)
	rec.Files = map[string]string{record.CurveName: fmt.Sprintf("%x", sha256.Sum256([]byte(t.state.CurveText)))}
	if err := rec.CheckFile(t.dir.path, record.CurveName); err != nil {
		t.progress.Warned(fmt.Sprintf("%s was changed or removed during the run and is written again (%v)", record.CurveName, err))
		if err := checkpoint.WriteBytes(t.dir.file(record.CurveName), []byte(t.state.CurveText)); err != nil {
			return nil, err
		}
	}
	if rec.Status != record.Diverged { // whose weights may be NaN
		if rec.Files[evaluate.WeightsName], err = t.writeWeights(); err != nil {
			return nil, err
		}
	}
	return evaluate.WriteRecord(t.dir.path, rec, v.Predictions)
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
		if err != nil || !t.state.diverges(*v.Loss) {
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
		Identity: record.Identity{Study: c.Study, Task: c.Task, Name: c.Name, Title: c.Title, Model: c.Model,
			Seed: c.Seed, Cell: c.Hash()},
		Origin:   record.Trained,
		Status:   record.Complete,
		Protocol: record.Protocol{Hash: c.ProtocolHash(), Values: c.Protocol.Values(c.Task, c.Settings)},
		Dataset:  record.DatasetOf(c.Task, t.src.Spec()),
		Model:    record.Model{Config: study.Values(c.Config), Training: study.Values(&c.Training)},
		Training: record.Training{Steps: t.step, Examples: s.Examples, SelectedStep: t.step, Loss: s.TrainLoss,
			Warnings: s.Warnings},
		Curve:       s.Curve,
		Evaluation:  v.Evaluation,
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
	rec.Caveats = slices.Concat(datasets.Caveats{}, rec.Dataset.Caveats, c.Caveats())
	caveat := func(kind datasets.CaveatKind, format string, args ...any) {
		rec.Caveats = append(rec.Caveats, datasets.Caveat{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	switch {
	case s.DivergedAt > 0:
		rec.Status = record.Diverged
		rec.Training.DivergedAt, rec.Training.Loss = s.DivergedAt, nil
		rec.Evaluation.Loss, rec.Evaluation.Hops, rec.Evaluation.AnswerHops = nil, nil, nil
		caveat(datasets.Diverged, "diverged at step %d: accuracy counted as 0", s.DivergedAt)
	case limited:
		rec.Status = record.Interrupted
		caveat(datasets.TimeLimit, "stopped by a time limit at step %d of %d", t.step, c.Protocol.Steps)
	case s.Stopped && t.step < c.Protocol.Steps:
		rec.Status = record.EarlyStopped
		caveat(datasets.EarlyStop, "early stopped at step %d of %d", t.step, c.Protocol.Steps)
	}
	for _, text := range s.Labels {
		caveat(datasets.OtherBLAS, "%s", text)
	}
	return rec
}

// writeWeights writes the weights that are evaluated and returns the file's SHA-256.
func (t *trainer) writeWeights() (sha256 string, err error) {
	meta := evaluate.WeightsMeta{Schema: 1, Step: t.step, Cell: *t.cell, Shape: t.src.Shape(),
		Vocabulary: study.Vocabulary(t.src), DatasetHash: t.src.Spec().Hash, Labels: t.src.Spec().Caveats.Texts()}
	if t.selected != nil {
		meta.Step = t.state.Selected
	}
	data, err := json.Marshal(meta)
	st, err2 := models.StateOf(t.model)
	if err := cmp.Or(err, err2); err != nil {
		return "", err
	}
	return checkpoint.SaveWeights(t.dir.file(evaluate.WeightsName), data, st.Tensors)
}

// addPredictions writes the answers of a finished run that has not kept them.
func (t *trainer) addPredictions(ctx context.Context, rec *record.Record) error {
	_, err := os.Stat(t.dir.file(record.PredictionsName))
	if err == nil || !t.opts.KeepPredictions {
		return nil
	}
	if rec.Status == record.Diverged { // without weights
		t.state.DivergedAt = rec.Training.DivergedAt
		v, err := t.evaluateSelected(ctx)
		if err != nil {
			return err
		}
		return v.Predictions.WriteTo(t.dir.file(record.PredictionsName), rec.Protocol.Hash)
	}
	o := evaluate.Options{Split: datasets.Test, KeepPredictions: true}
	if task, _ := datasets.Lookup(t.cell.Task); task.ReadsData {
		o.DataPath = t.opts.DataPath
	}
	_, err = evaluate.Stored(ctx, t.dir.path, o)
	return err
}
