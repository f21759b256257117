// Package evaluate asks models questions and counts right answers, in the same way for
// every model.
//
// What comes in: a model, a source of data and the Questions of a split; or the file of a
// run's weights, from which the model is rebuilt. What goes out: Counts by kind of
// question, which records and learning curves hold; on request the answer to every
// question (predictions.jsonl), and where a model attended (Attention).
//
//	Model(ctx, m, src, q)        counts of a model in memory
//	Stored(ctx, path, options)   counts of stored weights; can write a record of them
//	Shifts(path, axes, hops, o)  evaluations of stored weights on questions unlike those of training
//	Attention(ctx, path, o)      attention weights of stored weights on one question
//	CheckQuestions, CheckMemory  refuse, before training, what cannot be evaluated
//
// An answer is the highest score. A question with several answers is right when all of
// them are; each answer is also counted alone, first with the model's own answers in the
// queries (free running), then, for models that can, with the right ones (teacher
// forcing). Where a question has other right answers than its target, they are counted too.
package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
)

// Questions says which questions to ask.
type Questions struct {
	Split   datasets.Split
	Seed    uint64
	PerKind int
	Batch   int
	Keep    bool // also keep the answers

	Asked func(*datasets.Batch) // called after each batch; nil for nothing
}

// ValidationQuestions returns the questions that are asked while training.
func ValidationQuestions(p *config.Protocol) Questions {
	return Questions{Split: datasets.Validation, Seed: p.ValidationSeed, PerKind: p.ValidationPerKind, Batch: p.BatchSize}
}

// TestQuestions returns the questions of the final evaluation.
func TestQuestions(p *config.Protocol) Questions {
	return Questions{Split: datasets.Test, Seed: p.TestSeed, PerKind: p.TestPerKind, Batch: p.BatchSize}
}

// Counts are the result of an evaluation.
type Counts struct {
	Kinds      []record.Kind
	Loss       float64   // mean over the questions and their answers, nats
	Hops       *float64  // mean over the questions and their answers; nil for a model without hops
	AnswerHops []float64 // [A] mean over the questions; nil for one answer, and for a model without hops

	Predictions *predictions // the answers themselves; nil when they are not asked for
}

// Evaluation returns the counts as a record has them.
func (v *Counts) Evaluation(split datasets.Split) record.Evaluation {
	return record.Evaluation{Split: split.String(), Kinds: v.Kinds, Loss: &v.Loss, Hops: v.Hops, AnswerHops: v.AnswerHops}
}

// Model asks m the questions and counts right answers, the same way for
// every model (see counter). Where a question asks for several answers in turn, it
// is asked with the model's own answers in its queries, and then, of a model
// that can be asked so, with the right ones.
func Model(ctx context.Context, m models.Model, src datasets.Source, q Questions) (*Counts, error) {
	shape := src.Shape()
	guide := TeacherForced(m, shape)
	t := newCounter(src, guide != nil)
	if q.Keep {
		t.kept = newPredictions(src, q.Split)
	}
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
		if guide != nil {
			if p, err = predict(guide.PredictTeacherForced, b, shape); err != nil {
				return nil, fmt.Errorf("%s split, given the right answers: %w", q.Split, err)
			}
			t.countTeacherForced(b, p.Scores)
		}
		if q.Asked != nil {
			q.Asked(b)
		}
	}
	if total == 0 {
		return nil, fmt.Errorf("%s split: no questions", q.Split)
	}
	v := &Counts{Kinds: t.kinds, Loss: lossSum / float64(total), Predictions: t.kept}
	v.setHops(hops, total)
	return v, nil
}

// setHops sets the means of the hops, by answer, that questions took together.
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

// TeacherForced returns m as a model that can be asked with the right answers in its
// queries; nil where it cannot, or where there is one answer.
func TeacherForced(m models.Model, shape datasets.Shape) models.Autoregressive {
	guide, ok := m.(models.Autoregressive)
	if !ok || shape.Answers < 2 || !guide.FeedsBack() {
		return nil
	}
	return guide
}

// predict asks a model for its answers to a batch and checks their number.
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

// Batches yields the questions in valid batches until the context ends. Errors name
// the split, and end it.
func Batches(ctx context.Context, src datasets.Source, q Questions) func(yield func(*datasets.Batch, error) bool) {
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

// NoneRight counts the questions and no right answer: the result of a run of m
// that diverged.
func NoneRight(ctx context.Context, m models.Model, src datasets.Source, q Questions) (*Counts, error) {
	t := newCounter(src, TeacherForced(m, src.Shape()) != nil)
	if q.Keep {
		t.kept = newPredictions(src, q.Split)
	}
	nan := []float32{float32(math.NaN())}
	for b, err := range Batches(ctx, src, q) {
		if err != nil {
			return nil, err
		}
		t.count(b, slices.Repeat(nan, b.Size()*b.Answers*t.words))
	}
	return &Counts{Kinds: t.kinds, Predictions: t.kept}, nil
}
