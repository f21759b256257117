package babi

import (
	"fmt"
	"slices"
	"strings"

	"memobench/datasets"
)

// Held-out combinations test compositional generalization: words that never occur in the same
// sentence in training. "mary+office" removes from training and validation every question
// with a sentence in its memory or text that has both words. The test split does not change.
// Evaluations under distribution shift divide its questions into those that need a combination
// (in their text or a supporting fact) and the others.

// Values of the setting combinations, besides a combination such as "mary+office".
const (
	needHeldOut = "held-out"
	needOthers  = "others"
)

// parseHeldOut returns the combinations of a list such as "mary+office,john+milk", nil for
// the empty list.
func parseHeldOut(list string) (combinations [][]string, err error) {
	if list == "" {
		return nil, nil
	}
	for text := range strings.SplitSeq(strings.ToLower(list), ",") {
		words := strings.Split(strings.TrimSpace(text), "+")
		if len(words) < 2 || slices.Contains(words, "") {
			return nil, fmt.Errorf("%q is no combination", text)
		}
		combinations = append(combinations, words)
	}
	return combinations, nil
}

// isCombination reports whether text is a single combination, words joined by +.
func isCombination(text string) bool {
	combinations, err := parseHeldOut(text)
	return err == nil && len(combinations) == 1
}

// heldOut marks the sentences that contain a combination of a setting.
type heldOut struct {
	setting               datasets.SettingError // without Want
	statements, questions []bool                // by index in the lexicon
}

// newHeldOut returns the combinations that a setting lists, nil for none.
func newHeldOut(key, list string, lex *lexicon) (*heldOut, error) {
	combinations, err := parseHeldOut(list)
	if combinations == nil {
		return nil, err
	}
	h := &heldOut{setting: datasets.SettingError{Key: key, Value: list}}
	var all [][]int32
	for _, words := range combinations {
		var ids []int32
		for _, w := range words {
			id, ok := lex.ids[w]
			if !ok {
				return nil, h.want("words of the data, which have no %q", w)
			}
			ids = append(ids, id)
		}
		all = append(all, ids)
	}
	marks := func(t sentences) (has []bool) {
		for _, sentence := range t.words {
			has = append(has, slices.ContainsFunc(all, func(ids []int32) bool {
				return !slices.ContainsFunc(ids, func(id int32) bool { return !slices.Contains(sentence, id) })
			}))
		}
		return has
	}
	h.statements, h.questions = marks(lex.statements), marks(lex.questions)
	return h, nil
}

// want returns the error of a setting that does not fit the data.
func (h *heldOut) want(format string, values ...any) error {
	e := h.setting
	e.Want = fmt.Sprintf(format, values...)
	return &e
}

// trained returns the questions of a file without combinations.
func (h *heldOut) trained(f *content) []question {
	return slices.DeleteFunc(slices.Clone(f.questions), func(q question) bool {
		return h.questions[q.text] || slices.ContainsFunc(f.statements[q.start:q.end], func(s int32) bool { return h.statements[s] })
	})
}

// needed returns the questions of a file that need a combination, and the others.
func (h *heldOut) needed(f *content) (needed, others []question) {
	for _, q := range f.questions {
		facts := f.facts[q.firstFact:q.lastFact]
		if h.questions[q.text] || slices.ContainsFunc(facts, func(i int32) bool { return h.statements[f.statements[i]] }) {
			needed = append(needed, q)
		} else {
			others = append(others, q)
		}
	}
	return needed, others
}

// removeTrained removes from the training files the questions with combinations.
func (h *heldOut) removeTrained(c *corpus, opts datasets.Options) error {
	if h == nil {
		return nil
	}
	removed := 0
	for i := range c.kinds {
		for split, f := range c.kinds[i].files[:datasets.Test] {
			if f != nil {
				kept := h.trained(f)
				removed += len(f.questions) - len(kept)
				c.kinds[i].files[split] = f.with(kept)
			}
		}
	}
	if opts.Needs(datasets.Train) && removed == 0 {
		return h.want("combinations that a sentence of the training files has")
	}
	return nil
}

// selectTest keeps the test questions for which the setting combinations asks, those that need a
// combination or only the others, and omits tasks without both.
func (s Settings) selectTest(c *corpus, held *heldOut) error {
	if !s.dividesHeldOut() {
		var err error
		if held, err = newHeldOut("combinations", *s.Combinations, c.lex); err != nil {
			return err
		}
	}
	c.keepTest(func(f *content) []question {
		needed, others := held.needed(f)
		switch {
		case needed == nil || others == nil:
			return nil
		case *s.Combinations == needOthers:
			return others
		}
		return needed
	})
	if c.kinds == nil {
		return held.want("combinations that some test questions need and others of their task do not")
	}
	return nil
}

// check returns an error if a task has no training or validation questions left.
func (h *heldOut) check(k *kind, train, validation *content, share float64, opts datasets.Options) error {
	if h == nil || k.files[datasets.Train] == nil || !opts.Needs(datasets.Train) || len(train.questions) > 0 && (len(validation.questions) > 0 || share == 0) {
		return nil
	}
	return h.want("combinations that leave questions to train on and validate with; task %s has %d and %d without them", k.name, len(train.questions), len(validation.questions))
}
