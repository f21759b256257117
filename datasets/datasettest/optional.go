package datasettest

import (
	"bytes"
	"fmt"
	"slices"

	"memobench/datasets"
)

// optionalPromisesAreKept checks what a source offers beyond datasets.Source, as
// far as that can be checked for any task.
func optionalPromisesAreKept(s Suite) error {
	src, err := s.New()
	if err != nil {
		return err
	}
	shape := src.Shape()
	if c, ok := src.(datasets.Chained); ok {
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
	if t, ok := src.(datasets.Tolerant); ok {
		for i := range b.Size() {
			if err := judgesAnswers(t, &b, i, shape); err != nil {
				return fmt.Errorf("example %d: %w", i, err)
			}
		}
	}
	if p, ok := src.(datasets.Printer); ok {
		var out bytes.Buffer
		if err := p.Print(&out, &b, b.Size()-1); err != nil || out.Len() == 0 {
			return fmt.Errorf("printed an example as %q (%v)", out.String(), err)
		}
		for _, i := range []int{-1, b.Size()} {
			if p.Print(&out, &b, i) == nil {
				return fmt.Errorf("example %d of %d is printed", i, b.Size())
			}
		}
	}
	return nil
}

// judgesAnswers puts each other word in the place of each right answer in turn.
func judgesAnswers(t datasets.Tolerant, b *datasets.Batch, i int, shape datasets.Shape) error {
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
				return fmt.Errorf("%v is accepted beside the only right answer %v", answers, right)
			}
		}
		answers[a] = right[a]
	}
	return nil
}
