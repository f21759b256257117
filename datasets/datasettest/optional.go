package datasettest

import (
	"bytes"
	"fmt"
	"slices"

	"memobench/datasets"
)

// optionalPromisesAreKept tests the optional interfaces of a source, as far as possible for any
// task.
func optionalPromisesAreKept(s Suite, src datasets.Source) error {
	shape := src.Shape()
	if c, ok := src.(datasets.MultiAnswer); ok {
		names := c.AnswerNames()
		if distinct := slices.Compact(slices.Sorted(slices.Values(names))); len(names) != shape.Answers || len(distinct) != len(names) || slices.Contains(names, "") {
			return fmt.Errorf("answers are named %q, want %d names", names, shape.Answers)
		}
		if at := shape.QuerySlot; at < 0 || at >= shape.QueryWidth {
			return fmt.Errorf("answers go to word %d of queries of %d words", at, shape.QueryWidth)
		}
	}
	var b datasets.Batch
	if err := src.Batch(&b, datasets.Train, 2, 0, s.Size); err != nil {
		return err
	}
	if t, ok := src.(datasets.AnswerChecker); ok {
		for i := range b.Size() {
			if err := acceptsAnswers(t, &b, i, shape); err != nil {
				return fmt.Errorf("example %d: %w", i, err)
			}
		}
	}
	if m, ok := src.(datasets.Mixer); ok {
		if err := mixesByWeight(m, len(src.Kinds()), s.Size); err != nil {
			return err
		}
	}
	if p, ok := src.(datasets.Printer); ok {
		var out bytes.Buffer
		if err := p.Print(&out, &b, b.Size()-1); err != nil || out.Len() == 0 {
			return fmt.Errorf("printed an example as %q (%v)", out.String(), err)
		}
	}
	return nil
}

// acceptsAnswers replaces each right answer by each other word in turn.
func acceptsAnswers(t datasets.AnswerChecker, b *datasets.Batch, i int, shape datasets.Shape) error {
	right := b.Targets[i*b.Answers : (i+1)*b.Answers]
	each := make([]bool, b.Answers)
	if !t.Accepts(b, i, right, each) || slices.Contains(each, false) {
		return fmt.Errorf("the targets %v are not accepted (%v)", right, each)
	}
	answers := slices.Clone(right)
	for a := range answers {
		for word := range int32(shape.Vocabulary) {
			if word == right[a] {
				continue
			}
			answers[a] = word
			whole := t.Accepts(b, i, answers, each)
			if whole && slices.Contains(each, false) {
				return fmt.Errorf("%v is accepted as a whole, but its parts are %v", answers, each)
			}
			if !t.Ambiguous() && (whole || each[a]) {
				return fmt.Errorf("%v is accepted as well as the only right answer %v", answers, right)
			}
		}
		answers[a] = right[a]
	}
	return nil
}

// mixesByWeight checks that kinds are sampled in proportion to their weights, and that equal
// arguments give equal batches.
func mixesByWeight(m datasets.Mixer, kinds, size int) error {
	const steps = 40
	weights, counts := make([]float64, kinds), make([]int, kinds)
	for k := range weights {
		weights[k] = float64(k % 3) // the first kind is never drawn
	}
	if kinds == 1 {
		weights[0] = 1
	}
	var b, again datasets.Batch
	for step := range steps {
		if err := m.BatchMixed(&b, datasets.Train, 3, step, size, weights); err != nil {
			return err
		}
		if err := m.BatchMixed(&again, datasets.Train, 3, step, size, weights); err != nil {
			return err
		}
		if !equal(&b, &again) {
			return fmt.Errorf("step %d: equal weights, seed and step give two batches", step)
		}
		for _, k := range b.Kinds {
			counts[k]++
		}
	}
	if err := haveShares(counts, weights); err != nil {
		return err
	}
	for _, bad := range [][]float64{nil, make([]float64, kinds), append(slices.Clone(weights), 1)} {
		if m.BatchMixed(&b, datasets.Train, 3, 0, size, bad) == nil {
			return fmt.Errorf("weights %v of %d kinds are accepted", bad, kinds)
		}
	}
	return nil
}
