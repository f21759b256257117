package benchmarks

import (
	"context"
	"fmt"
	"math"

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
}

// verdict is the result of asking them.
type verdict struct {
	kinds []record.Kind
	loss  float64  // mean over the questions, nats
	hops  *float64 // mean over the questions; nil for a model without hops
}

// evaluate asks m the questions and counts right answers, the same way for
// every model: the answer is the highest score (of equal ones the lowest id).
// A question with several answers is right when all of them are.
func evaluate(ctx context.Context, m models.Model, src datasets.Source, q questions) (*verdict, error) {
	v := &verdict{kinds: emptyKinds(src)}
	shape := src.Shape()
	total, hops, lossSum := 0, 0, 0.0
	for b, err := range src.Examine(q.split, q.seed, q.perKind, q.batch) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = b.Validate(shape)
		}
		if err != nil {
			return nil, fmt.Errorf("%s split: %w", q.split, err)
		}
		p, err := m.Predict(b)
		if err != nil {
			return nil, fmt.Errorf("predicting on the %s split: %w", q.split, err)
		}
		n := b.Size()
		if len(p.Scores) != n*b.Answers*shape.Vocabulary || p.Hops != nil && len(p.Hops) != n {
			return nil, fmt.Errorf("model returned %d scores and %d hops for %d questions of %d answers among %d words",
				len(p.Scores), len(p.Hops), n, b.Answers, shape.Vocabulary)
		}
		total += n
		lossSum += p.Loss * float64(n)
		if p.Hops != nil {
			if v.hops == nil {
				v.hops = new(float64)
			}
			for _, h := range p.Hops {
				hops += h
			}
		}
		count(v.kinds, b, p.Scores, shape.Vocabulary)
	}
	if total == 0 {
		return nil, fmt.Errorf("%s split: no questions", q.split)
	}
	v.loss = lossSum / float64(total)
	if v.hops != nil {
		*v.hops = float64(hops) / float64(total)
	}
	return v, nil
}

// count adds a batch's right answers to kinds. scores is [B x A x O].
func count(kinds []record.Kind, b *datasets.Batch, scores []float32, words int) {
	for i := range b.Size() {
		k := &kinds[b.Kinds[i]]
		k.Total++
		right := true
		for a := range b.Answers {
			at := i*b.Answers + a
			right = right && argmax(scores[at*words:(at+1)*words]) == int(b.Targets[at])
		}
		if right {
			k.Correct++
		}
		if b.NumChoices == 0 || b.Answers != 1 {
			continue
		}
		if k.ChoiceCorrect == nil {
			k.ChoiceCorrect = new(int)
		}
		if best(scores[i*words:(i+1)*words], b.Choices[i*b.NumChoices:(i+1)*b.NumChoices]) == b.Targets[i] {
			*k.ChoiceCorrect++
		}
	}
}

// argmax returns the index of the highest score, the lowest of equal ones, and
// -1 when no score is a number.
func argmax(scores []float32) int {
	at, high := -1, float32(math.Inf(-1))
	for i, s := range scores {
		if s > high || at < 0 && s == s {
			at, high = i, s
		}
	}
	return at
}

// best returns the choice with the highest score, of equal ones the lowest id,
// as argmax does; -1 when no score is a number.
func best(scores []float32, choices []int32) int32 {
	at, high := int32(-1), float32(math.Inf(-1))
	for _, c := range choices {
		if s := scores[c]; s > high || at < 0 && s == s || s == high && c < at {
			at, high = c, s
		}
	}
	return at
}

func emptyKinds(src datasets.Source) []record.Kind {
	names := src.Kinds()
	kinds := make([]record.Kind, len(names))
	for i, n := range names {
		kinds[i].Name = n
	}
	return kinds
}

// allWrong counts the questions and no right answer: the verdict on a run that
// diverged.
func allWrong(ctx context.Context, src datasets.Source, q questions) (*verdict, error) {
	v := &verdict{kinds: emptyKinds(src)}
	for b, err := range src.Examine(q.split, q.seed, q.perKind, q.batch) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("%s split: %w", q.split, err)
		}
		for _, k := range b.Kinds {
			v.kinds[k].Total++
			if b.NumChoices > 0 && b.Answers == 1 && v.kinds[k].ChoiceCorrect == nil {
				v.kinds[k].ChoiceCorrect = new(int)
			}
		}
	}
	return v, nil
}
