// Package evaluate evaluates models on the questions of a split: it counts right answers,
// in the same way for every model.
//
// What comes in: a model, a source of data and the Questions of a split; or the file of a
// run's weights, from which the model is rebuilt; or the answers of another program. What
// goes out: Counts by kind of question, which records and learning curves hold; on request
// the answer to every question (predictions.jsonl), and attention weights (package trace).
//
//	Model(ctx, m, src, q)        counts of a model in memory
//	Stored(ctx, path, options)   counts of stored weights; can write a record of them
//	OpenAsker(path, options)     answers of stored weights to typed questions
//	Attention(ctx, path, ...)    attention of stored weights on one question
//	Shifts(path, axes, hops, o)  evaluations of stored weights on questions unlike those of training
//	Score(ctx, cell, src, ...)   a record of another program's answers
//	CheckQuestions(...)          refuses, before training, what cannot be evaluated
//
// A model's answer is the word with the highest score. A question with several answers is
// right when all of them are. Each answer is also counted alone: free running, with the
// model's own answers in the queries, and, for models that support it, with teacher
// forcing, with the right answers in the queries. If answers other than the target are
// right as well, they are counted separately.
package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/export"
	"memobench/models"
)

// Questions selects the questions of an evaluation.
type Questions struct {
	Split   datasets.Split
	Seed    uint64
	PerKind int
	Batch   int
	Keep    bool // also keep the answers
}

// QuestionsOf returns the protocol's questions of a split. Those of the training split have
// the seed and the number of those of validation.
func QuestionsOf(p *study.Protocol, split datasets.Split) Questions {
	q := Questions{Split: split, Seed: p.ValidationSeed, PerKind: p.ValidationPerKind, Batch: p.BatchSize}
	if split == datasets.Test {
		q.Seed, q.PerKind = p.TestSeed, p.TestPerKind
	}
	return q
}

// QuestionIDs returns the prefix of the ids of a split's questions, from the hashes of the
// protocol and the data. The question's number follows, from 0, in order.
func QuestionIDs(protocol, data string, split datasets.Split) string {
	return fmt.Sprintf("%s-%s-", split, record.HashOf([]string{protocol, data})[:8])
}

// Batches yields the questions in valid batches until the first error, which names the
// split, or until the context ends, which is an error. No questions are an error.
func Batches(ctx context.Context, src datasets.Source, q Questions) iter.Seq2[*datasets.Batch, error] {
	return func(yield func(*datasets.Batch, error) bool) {
		shape, empty := src.Shape(), true
		for b, err := range src.Examine(q.Split, q.Seed, q.PerKind, q.Batch) {
			if err = cmp.Or(err, ctx.Err()); err == nil {
				err = b.Validate(shape)
			}
			if err != nil {
				yield(nil, fmt.Errorf("%s split: %w", q.Split, err))
				return
			}
			if empty = false; !yield(b, nil) {
				return
			}
		}
		if empty {
			yield(nil, fmt.Errorf("%s split: no questions", q.Split))
		}
	}
}

// CheckQuestions refuses, before anything is trained, a cell that cannot be trained or
// evaluated on src: it draws the first questions of both splits, and of training if a memory
// has several.
func CheckQuestions(ctx context.Context, c *study.Cell, src datasets.Source) error {
	if err := c.CheckKinds(src.Kinds()); err != nil {
		return fmt.Errorf("task %s: %w", c.Task, err)
	}
	ofKinds := func(p models.Phase) bool { return len(p.Kinds) > 0 || p.Below > 0 }
	if _, ok := src.(datasets.Mixer); !ok && (c.Protocol.Mixture != "" || slices.ContainsFunc(c.Training.Phases, ofKinds)) {
		return &study.SettingError{Err: fmt.Errorf("task %s draws its kinds by itself: it has no mixture, nor phases of some kinds", c.Task)}
	}
	for i := range len(c.Training.Phases) + 1 {
		during, err := c.During(study.PhaseStart{Index: i})
		if err != nil || during.Training.Questions < 2 {
			continue // Validate reports the error
		}
		var weights []float64
		if p := c.Phase(i); c.Protocol.Mixture != "" || p != nil && ofKinds(*p) {
			weights = make([]float64, len(src.Kinds()))
		}
		if err := Draw(new(datasets.Batch), src, c.Seed, 0, during.Protocol.BatchSize, during.Training.Questions, weights); err != nil {
			return &study.SettingError{Err: fmt.Errorf("task %s: %w", c.Task, err)}
		}
	}
	for _, split := range []datasets.Split{datasets.Validation, datasets.Test} {
		q := QuestionsOf(&c.Protocol, split)
		for _, err := range Batches(ctx, src, q) {
			if err == nil {
				break
			}
			err = fmt.Errorf("task %s: protocol.%s_per_kind = %d: %w", c.Task, q.Split, q.PerKind, err)
			if q.PerKind == 0 && ctx.Err() == nil { // all questions of an endless generator
				err = &study.SettingError{Err: err}
			}
			return err
		}
	}
	return nil
}

// Counts are the result of an evaluation, always with a loss.
type Counts struct {
	record.Evaluation
	Predictions *Answers // nil unless Questions.Keep
}

// predictor predicts the answers to a batch.
type predictor func(*datasets.Batch) (*models.Prediction, error)

// Model evaluates m on the questions. If they ask for several answers, m is evaluated free
// running and, if it supports that, also with teacher forcing.
func Model(ctx context.Context, m models.Model, src datasets.Source, q Questions) (*Counts, error) {
	return countAnswers(ctx, src, q, m.Predict, teacherForced(m, src.Shape()))
}

// AllWrong counts all questions as wrong: the result of a run of m that diverged.
func AllWrong(ctx context.Context, m models.Model, src datasets.Source, q Questions) (*Counts, error) {
	shape := src.Shape()
	wrong := func(b *datasets.Batch) (*models.Prediction, error) {
		return &models.Prediction{Scores: slices.Repeat([]float32{float32(math.NaN())}, len(b.Targets)*shape.Vocabulary)}, nil
	}
	forced := teacherForced(m, shape)
	if forced != nil {
		forced = wrong
	}
	return countAnswers(ctx, src, q, wrong, forced)
}

// teacherForced returns how m predicts with teacher forcing; nil if it does not support that, or
// if questions ask for one answer.
func teacherForced(m models.Model, shape datasets.Shape) predictor {
	chained, ok := m.(models.Autoregressive)
	if !ok || shape.Answers < 2 || !chained.FeedsBack() {
		return nil
	}
	return chained.PredictTeacherForced
}

// countAnswers counts the right answers to the questions. forced predicts with teacher
// forcing; nil where that is not counted.
func countAnswers(ctx context.Context, src datasets.Source, q Questions, model, forced predictor) (*Counts, error) {
	shape := src.Shape()
	t := newCounter(src, q, forced != nil)
	for b, err := range Batches(ctx, src, q) {
		if err != nil {
			return nil, err
		}
		p, err := predict(model, b, shape)
		if err != nil {
			return nil, fmt.Errorf("%s split: %w", q.Split, err)
		}
		t.count(b, p)
		if forced != nil {
			if p, err = predict(forced, b, shape); err != nil {
				return nil, fmt.Errorf("%s split, with teacher forcing: %w", q.Split, err)
			}
			t.countTeacherForced(b, p.Scores)
		}
	}
	return t.counts(q.Split), nil
}

// predict predicts the answers to a batch and checks their number.
func predict(model predictor, b *datasets.Batch, shape datasets.Shape) (*models.Prediction, error) {
	p, err := model(b)
	if err != nil {
		return nil, fmt.Errorf("predicting: %w", err)
	}
	n := b.Size() * b.Answers
	if len(p.Scores) != n*shape.Vocabulary || p.Hops != nil && len(p.Hops) != n {
		return nil, fmt.Errorf("model returned %d scores and %d hops for %d questions of %d answers among %d words",
			len(p.Scores), len(p.Hops), b.Size(), b.Answers, shape.Vocabulary)
	}
	return p, nil
}

// ExportPlan returns the export of what a model sees under a cell's protocol: the given number of training
// batches, below 0 without end, and the questions of validation and test.
func ExportPlan(ctx context.Context, c *study.Cell, src datasets.Source, steps int) (export.Plan, error) {
	protocol := &c.Protocol
	if protocol.Mixture == study.Adaptive && steps != 0 {
		return export.Plan{}, &study.SettingError{Err: fmt.Errorf(
			"protocol.mixture = %s: the training batches depend on what the model has learned; --steps 0 writes the questions alone, --set mixture=uniform batches of another protocol",
			protocol.Mixture)}
	}
	p := export.Plan{
		Task: c.Task, Seed: c.Seed, Source: src, Code: record.CodeVersion(), Splits: []datasets.Split{datasets.Train, datasets.Validation, datasets.Test},
		Protocol: export.Protocol{Preset: c.Study, Hash: c.ProtocolHash(), Values: protocol.Values(c.Task, c.Settings)},
		IDs: func(split datasets.Split) string {
			ids := QuestionIDs(c.ProtocolHash(), src.Spec().Hash, split)
			if split == datasets.Train {
				ids += fmt.Sprintf("seed%d-", c.Seed)
			}
			return ids
		},
		Batches: func(ctx context.Context, split datasets.Split) iter.Seq2[*datasets.Batch, error] {
			if split == datasets.Train {
				return trainingBatches(ctx, c, src, steps)
			}
			return Batches(ctx, src, QuestionsOf(protocol, split))
		},
	}
	if steps == 0 {
		p.Splits = p.Splits[1:]
	}
	return p, CheckQuestions(ctx, c, src)
}

// Draw fills a training batch of size examples with the given number of questions about each
// memory and the given weights of kinds, nil for the task's own mixture.
func Draw(b *datasets.Batch, src datasets.Source, seed uint64, step, size, questions int, weights []float64) error {
	switch asker, asks := src.(datasets.Asker); {
	case questions > 1 && !asks:
		return fmt.Errorf("training.questions = %d: want 1 for a task that has one question about a memory", questions)
	case questions > 1 && weights != nil:
		return fmt.Errorf("training.questions = %d: want 1 with a mixture or with phases of some kinds", questions)
	case questions > 1 && size%questions > 0:
		return fmt.Errorf("batch_size = %d: want a multiple of training.questions (%d)", size, questions)
	case questions > 1:
		return asker.BatchAsked(b, datasets.Train, seed, step, size, questions)
	case weights == nil:
		return src.Batch(b, datasets.Train, seed, step, size)
	}
	return src.(datasets.Mixer).BatchMixed(b, datasets.Train, seed, step, size, weights) // see CheckQuestions
}

func trainingBatches(ctx context.Context, c *study.Cell, src datasets.Source, steps int) iter.Seq2[*datasets.Batch, error] {
	return func(yield func(*datasets.Batch, error) bool) {
		weights, err := c.Protocol.Mixture.Weights(src.Kinds(), nil)
		var b datasets.Batch
		for step := 0; step != steps; step++ {
			if err = cmp.Or(err, ctx.Err()); err == nil {
				err = Draw(&b, src, c.Seed, step, c.Protocol.BatchSize, c.Training.Questions, weights)
			}
			if !yield(&b, err) || err != nil {
				return
			}
		}
	}
}
