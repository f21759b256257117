// Package evaluate evaluates models on the questions of a split: it counts right answers,
// in the same way for every model.
//
// What comes in: a model, a source of data and the Questions of a split; or the file of a
// run's weights, from which the model is rebuilt. What goes out: Counts by kind of
// question, which records and learning curves hold; on request the answer to every
// question (predictions.jsonl), and the attention weights (Attention).
//
//	Model(ctx, m, src, q)        counts of a model in memory
//	Stored(ctx, path, options)   counts of stored weights; can write a record of them
//	Shifts(path, axes, hops, o)  evaluations of stored weights on questions unlike those of training
//	Attention(ctx, path, o)      attention weights of stored weights on one question
//	CheckQuestions, CheckMemory  refuse, before training, what cannot be evaluated
//
// A model's answer is the word with the highest score. A question with several answers is
// right when all of them are. Each answer is also counted alone: free running, with the
// model's own answers in the queries, and, for models that support it, with teacher
// forcing, with the right answers in the queries. If answers other than the target are
// right as well, they are counted separately.
package evaluate

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
)

// Questions selects the questions of an evaluation.
type Questions struct {
	Split   datasets.Split
	Seed    uint64
	PerKind int
	Batch   int
	Keep    bool // also keep the answers

	AfterBatch func(*datasets.Batch) // nil for none
}

// QuestionsOf returns the protocol's questions of a split. Those of the training split have
// the seed and the number of those of validation.
func QuestionsOf(p *config.Protocol, split datasets.Split) Questions {
	q := Questions{Split: split, Seed: p.ValidationSeed, PerKind: p.ValidationPerKind, Batch: p.BatchSize}
	if split == datasets.Test {
		q.Seed, q.PerKind = p.TestSeed, p.TestPerKind
	}
	return q
}

// Counts are the result of an evaluation.
type Counts struct {
	Kinds      []record.Kind
	Loss       float64   // mean over the questions and their answers, nats
	Hops       *float64  // mean over the questions and their answers; nil for a model without hops
	AnswerHops []float64 // [A] mean over the questions; nil for one answer, and for a model without hops

	Predictions *predictions // nil unless Questions.Keep
}

// Evaluation returns the counts in the form of a record.
func (v *Counts) Evaluation(split datasets.Split) record.Evaluation {
	return record.Evaluation{Split: split.String(), Kinds: v.Kinds, Loss: &v.Loss, Hops: v.Hops, AnswerHops: v.AnswerHops}
}

// Model evaluates m on the questions. If they ask for several answers, m is evaluated free
// running and, if it supports that, also with teacher forcing.
func Model(ctx context.Context, m models.Model, src datasets.Source, q Questions) (*Counts, error) {
	shape := src.Shape()
	forced := TeacherForced(m, shape)
	t := newCounter(src, q, forced != nil)
	total, lossSum := 0, 0.0
	var hops []int // [A]
	for b, err := range Batches(ctx, src, q) {
		if err != nil {
			return nil, err
		}
		p, err := predict(m.Predict, b, shape)
		if err != nil {
			return nil, fmt.Errorf("%s split: %w", q.Split, err)
		}
		total += b.Size()
		lossSum += p.Loss * float64(b.Size())
		if p.Hops != nil && hops == nil {
			hops = make([]int, b.Answers)
		}
		for i, h := range p.Hops {
			hops[i%b.Answers] += h
		}
		t.count(b, p.Scores)
		t.countHops(b, p.Hops)
		if forced != nil {
			if p, err = predict(forced.PredictTeacherForced, b, shape); err != nil {
				return nil, fmt.Errorf("%s split, given the right answers: %w", q.Split, err)
			}
			t.countTeacherForced(b, p.Scores)
		}
		if q.AfterBatch != nil {
			q.AfterBatch(b)
		}
	}
	if total == 0 {
		return nil, fmt.Errorf("%s split: no questions", q.Split)
	}
	v := &Counts{Kinds: t.kinds, Loss: lossSum / float64(total), Predictions: t.kept}
	v.setHops(hops, total)
	return v, nil
}

// setHops sets the mean hops from their sums over the questions, [A]; nil for a model
// without hops.
func (v *Counts) setHops(hops []int, questions int) {
	if hops == nil {
		return
	}
	sum := 0
	for _, h := range hops {
		sum += h
		if len(hops) > 1 {
			v.AnswerHops = append(v.AnswerHops, float64(h)/float64(questions))
		}
	}
	v.Hops = new(float64(sum) / float64(questions*len(hops)))
}

// TeacherForced returns m as a model that predicts with teacher forcing; nil if it does
// not support that, or if questions ask for one answer.
func TeacherForced(m models.Model, shape datasets.Shape) models.Autoregressive {
	chained, ok := m.(models.Autoregressive)
	if !ok || shape.Answers < 2 || !chained.FeedsBack() {
		return nil
	}
	return chained
}

// predict predicts the answers to a batch and checks their number.
func predict(model func(*datasets.Batch) (*models.Prediction, error), b *datasets.Batch, shape datasets.Shape) (*models.Prediction, error) {
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

// Batches yields the questions in valid batches until the first error, which names the
// split, or until the context ends, which is an error.
func Batches(ctx context.Context, src datasets.Source, q Questions) iter.Seq2[*datasets.Batch, error] {
	return func(yield func(*datasets.Batch, error) bool) {
		shape := src.Shape()
		for b, err := range src.Examine(q.Split, q.Seed, q.PerKind, q.Batch) {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				err = b.Validate(shape)
			}
			if err != nil {
				yield(nil, fmt.Errorf("%s split: %w", q.Split, err))
				return
			}
			if !yield(b, nil) {
				return
			}
		}
	}
}

// AllWrong counts all questions as wrong: the result of a run of m that diverged.
func AllWrong(ctx context.Context, m models.Model, src datasets.Source, q Questions) (*Counts, error) {
	t := newCounter(src, q, TeacherForced(m, src.Shape()) != nil)
	nan := []float32{float32(math.NaN())}
	for b, err := range Batches(ctx, src, q) {
		if err != nil {
			return nil, err
		}
		t.count(b, slices.Repeat(nan, b.Size()*b.Answers*t.words))
	}
	return &Counts{Kinds: t.kinds, Predictions: t.kept}, nil
}
