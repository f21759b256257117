package benchmarks

import (
	"context"
	"fmt"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
)

// questions says which questions to ask.
type questions struct {
	split   datasets.Split
	seed    uint64
	perKind int
	batch   int
	keep    bool // the answers, in the verdict
}

// verdict is the result of asking them.
type verdict struct {
	kinds      []record.Kind
	loss       float64   // mean over the questions and their answers, nats
	hops       *float64  // mean over the questions and their answers; nil for a model without hops
	answerHops []float64 // [A] mean over the questions; nil for one answer, and for a model without hops

	kept *kept // the answers themselves; nil when they are not asked for
}

// evaluation returns the verdict as it stands in a record.
func (v *verdict) evaluation(split datasets.Split) record.Evaluation {
	return record.Evaluation{Split: split.String(), Kinds: v.kinds, Loss: &v.loss, Hops: v.hops, AnswerHops: v.answerHops}
}

// evaluate asks m the questions and counts right answers, the same way for
// every model (see tally). Where a question asks for several answers in turn, it
// is asked with the model's own answers in its queries, and then, of a model
// that can be asked so, with the right ones.
func evaluate(ctx context.Context, m models.Model, src datasets.Source, q questions) (*verdict, error) {
	shape := src.Shape()
	guide := guideOf(m, shape)
	t := newTally(src, guide != nil)
	if q.keep {
		t.kept = newKept(src, q.split)
	}
	total, lossSum := 0, 0.0
	var hops []int // [A]
	for b, err := range ask(ctx, src, q) {
		if err != nil {
			return nil, err
		}
		p, err := predict(m.Predict, b, shape)
		if err != nil {
			return nil, fmt.Errorf("%s split: %w", q.split, err)
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
		if guide == nil {
			continue
		}
		if p, err = predict(guide.PredictGiven, b, shape); err != nil {
			return nil, fmt.Errorf("%s split, given the right answers: %w", q.split, err)
		}
		t.countGiven(b, p.Scores)
	}
	if total == 0 {
		return nil, fmt.Errorf("%s split: no questions", q.split)
	}
	v := &verdict{kinds: t.kinds, loss: lossSum / float64(total), kept: t.kept}
	v.setHops(hops, total)
	return v, nil
}

// setHops sets the means of the hops, by answer, that questions took together.
func (v *verdict) setHops(hops []int, questions int) {
	if hops == nil {
		return
	}
	sum := 0
	for _, h := range hops {
		sum += h
		if len(hops) > 1 {
			v.answerHops = append(v.answerHops, float64(h)/float64(questions))
		}
	}
	v.hops = new(float64(sum) / float64(questions*len(hops)))
}

// guideOf returns m as a model that can be asked with the right answers in its
// queries; nil where it cannot, or where there is one answer.
func guideOf(m models.Model, shape datasets.Shape) models.Chained {
	guide, ok := m.(models.Chained)
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

// ask yields the questions in valid batches until the context ends. Errors name
// the split, and end it.
func ask(ctx context.Context, src datasets.Source, q questions) func(yield func(*datasets.Batch, error) bool) {
	return func(yield func(*datasets.Batch, error) bool) {
		shape := src.Shape()
		for b, err := range src.Examine(q.split, q.seed, q.perKind, q.batch) {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				err = b.Validate(shape)
			}
			if err != nil {
				yield(nil, fmt.Errorf("%s split: %w", q.split, err))
				return
			}
			if !yield(b, nil) {
				return
			}
		}
	}
}

// allWrong counts the questions and no right answer: the verdict on a run of m
// that diverged.
func allWrong(ctx context.Context, m models.Model, src datasets.Source, q questions) (*verdict, error) {
	t := newTally(src, guideOf(m, src.Shape()) != nil)
	if q.keep {
		t.kept = newKept(src, q.split)
	}
	for b, err := range ask(ctx, src, q) {
		if err != nil {
			return nil, err
		}
		for i := range b.Size() {
			t.ask(b, i)
			if t.kept != nil {
				t.kept.none(b, i, t.tolerant != nil)
			}
		}
	}
	return &verdict{kinds: t.kinds, kept: t.kept}, nil
}
