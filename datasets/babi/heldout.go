package babi

import (
	"fmt"
	"slices"
	"strings"

	"memobench/datasets"
)

// Held-out combinations test compositional generalization: words that never occur in the same
// sentence in training. "mary+office" removes from training and validation every question
// with a sentence in its memory or text that has both words. A pronoun counts as the names that
// it stands for. The test split does not change.
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
			return nil, fmt.Errorf("%q is not a combination", text)
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

// heldOut finds the sentences that contain a combination of a setting.
type heldOut struct {
	key, list    string // the setting
	lex          *lexicon
	combinations [][]int32 // words
	pronouns     []int32
}

// newHeldOut returns the combinations that a setting lists, nil for none.
func newHeldOut(key, list string, lex *lexicon) (*heldOut, error) {
	combinations, err := parseHeldOut(list)
	if combinations == nil {
		return nil, err
	}
	h := &heldOut{key: key, list: list, lex: lex}
	for _, words := range combinations {
		var ids []int32
		for _, w := range words {
			id, ok := lex.ids[w]
			if !ok {
				return nil, h.want("words of the data, which have no %q", w)
			}
			ids = append(ids, id)
		}
		h.combinations = append(h.combinations, ids)
	}
	for _, w := range []string{"he", "she", "they"} {
		if id, ok := lex.ids[w]; ok {
			h.pronouns = append(h.pronouns, id)
		}
	}
	return h, nil
}

// want returns the error of a setting that does not fit the data.
func (h *heldOut) want(format string, values ...any) error {
	return datasets.BadSetting(h.key, h.list, format, values...)
}

// inWords reports whether a combination is among the given words.
func (h *heldOut) inWords(words []int32) bool {
	return slices.ContainsFunc(h.combinations, func(ids []int32) bool {
		return !slices.ContainsFunc(ids, func(id int32) bool { return !slices.Contains(words, id) })
	})
}

// inQuestion reports whether a combination is in the text of a question.
func (h *heldOut) inQuestion(q question) bool { return h.inWords(h.lex.sentences[q.text].words) }

// inStatement reports whether a combination is in statement i of the memory of q. A pronoun stands
// for the subject of the last statement without one: its first word, and the third if the second
// is "and".
func (h *heldOut) inStatement(f *content, q question, i int32) bool {
	words := h.lex.sentences[f.statements[i]].words
	isPronoun := func(id int32) bool { return slices.Contains(h.pronouns, id) }
	if !slices.ContainsFunc(words, isPronoun) {
		return h.inWords(words)
	}
	for i--; i >= q.start; i-- {
		before := h.lex.sentences[f.statements[i]].words
		if slices.ContainsFunc(before, isPronoun) {
			continue
		}
		subject := before[:1]
		if len(before) > 2 && h.lex.words[before[1]] == "and" {
			subject = before[:3]
		}
		return h.inWords(slices.Concat(subject, words))
	}
	return h.inWords(words)
}

// needed reports whether a question of a file needs a combination.
func (h *heldOut) needed(f *content, q question) bool {
	return h.inQuestion(q) || slices.ContainsFunc(f.facts[q.firstFact:q.lastFact], func(i int32) bool { return h.inStatement(f, q, i) })
}

// trained reports whether a question of a file stays in training.
func (h *heldOut) trained(f *content, q question) bool {
	for i := q.start; i < q.end; i++ {
		if h.inStatement(f, q, i) {
			return false
		}
	}
	return !h.inQuestion(q)
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
				kept := f.filter(func(q question) bool { return h.trained(f, q) })
				removed += len(f.questions) - len(kept.questions)
				c.kinds[i].files[split] = kept
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
	c.keepTest(func(f *content) *content {
		needed := f.filter(func(q question) bool { return held.needed(f, q) })
		others := f.filter(func(q question) bool { return !held.needed(f, q) })
		if len(needed.questions) > 0 && (*s.Combinations == needOthers || len(others.questions) == 0) {
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
func (h *heldOut) check(k *kind, share float64, opts datasets.Options) error {
	train, validation := k.files[datasets.Train], k.files[datasets.Validation]
	if h == nil || train == nil || !opts.Needs(datasets.Train) || len(train.questions) > 0 && (share == 0 || len(validation.questions) > 0) {
		return nil
	}
	return h.want("combinations that leave questions to train on and validate with; task %d has %d and %d without them", k.task, len(train.questions), len(validation.questions))
}
