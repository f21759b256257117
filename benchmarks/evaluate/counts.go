package evaluate

import (
	"fmt"
	"math"
	"slices"

	"memobench/benchmarks/record"
	"memobench/datasets"
)

// counter counts questions and right answers, the same way for every model: an
// answer is the highest score, of equal ones the lowest id. A question that asks
// for several answers is right when all of them are.
type counter struct {
	kinds    []record.Kind
	words    int                    // O
	tolerant datasets.AnswerChecker // nil where only the target is right
	answers  []int32                // [A] given to one question
	each     []bool                 // [A] of them accepted
	kept     *predictions           // nil when answers are not kept
}

// newCounter returns a counter of no questions. guided says that the model can be
// asked with the right answers in its queries.
func newCounter(src datasets.Source, guided bool) *counter {
	shape := src.Shape()
	t := &counter{words: shape.Vocabulary, answers: make([]int32, shape.Answers), each: make([]bool, shape.Answers)}
	if s, ok := src.(datasets.AnswerChecker); ok && s.Ambiguous() {
		t.tolerant = s
	}
	names := answerNames(src)
	for _, name := range src.Kinds() {
		k := record.Kind{Name: name}
		if t.tolerant != nil {
			k.Accepted = new(int)
		}
		for a, name := range names {
			one := record.Answer{Name: name}
			if guided && a > 0 {
				one.CorrectGiven = new(int)
			}
			if t.tolerant != nil {
				one.Accepted = new(int)
			}
			k.Answers = append(k.Answers, one)
		}
		t.kinds = append(t.kinds, k)
	}
	return t
}

// answerNames names the answers that a question asks for in turn; nil for one.
func answerNames(src datasets.Source) []string {
	n := src.Shape().Answers
	if n < 2 {
		return nil
	}
	if s, ok := src.(datasets.MultiAnswer); ok {
		return s.AnswerNames()
	}
	names := make([]string, n)
	for a := range names {
		names[a] = fmt.Sprintf("answer %d", a+1)
	}
	return names
}

// count counts the questions of b and the right ones among the model's own
// answers. scores is [B x A x O].
func (t *counter) count(b *datasets.Batch, scores []float32) {
	for i := range b.Size() {
		k := &t.kinds[b.Kinds[i]]
		k.Total++
		if b.NumChoices > 0 && b.Answers == 1 && k.ChoiceCorrect == nil {
			k.ChoiceCorrect = new(int)
		}
		right := true
		for a := range b.Answers {
			t.answers[a] = t.answer(b, i, a, scores)
			hit := t.answers[a] == b.Targets[i*b.Answers+a]
			if hit && k.Answers != nil {
				k.Answers[a].Correct++
			}
			right = right && hit
		}
		if right {
			k.Correct++
		}
		one := record.Prediction{Accepted: t.accept(k, b, i)}
		if k.ChoiceCorrect != nil {
			choice := best(scores[i*t.words:(i+1)*t.words], b.Choices[i*b.NumChoices:(i+1)*b.NumChoices])
			if choice == b.Targets[i] {
				*k.ChoiceCorrect++
			}
			one.Choice = &choice
		}
		if t.kept != nil {
			t.kept.add(b, i, t.answers, one)
		}
	}
}

// countHops counts the hops that the answers to b's questions took, [B x A]; nil for
// a model without hops.
func (t *counter) countHops(b *datasets.Batch, hops []int) {
	for i, h := range hops {
		k := &t.kinds[b.Kinds[i/b.Answers]]
		if k.Hops == nil {
			k.Hops = new(int)
		}
		*k.Hops += h
	}
}

// accept counts the answers to question i of b that are right, though others
// may be the target, and reports whether they are as a whole; nil where only the
// target is right. Beside an answer that is no word only targets are accepted.
func (t *counter) accept(k *record.Kind, b *datasets.Batch, i int) *bool {
	if t.tolerant == nil {
		return nil
	}
	whole := false
	if slices.Contains(t.answers, none) {
		for a := range t.each {
			t.each[a] = t.answers[a] == b.Targets[i*b.Answers+a]
		}
	} else if whole = t.tolerant.Accepts(b, i, t.answers, t.each); whole {
		*k.Accepted++
	}
	for a := range k.Answers {
		if t.each[a] {
			*k.Answers[a].Accepted++
		}
	}
	return &whole
}

// countTeacherForced counts the right ones among answers that were asked for with the
// right ones before them. The first has none before it.
func (t *counter) countTeacherForced(b *datasets.Batch, scores []float32) {
	for i := range b.Size() {
		k := &t.kinds[b.Kinds[i]]
		for a := 1; a < b.Answers; a++ {
			if t.answer(b, i, a, scores) == b.Targets[i*b.Answers+a] {
				*k.Answers[a].CorrectGiven++
			}
		}
	}
}

// answer returns answer a to question i of b.
func (t *counter) answer(b *datasets.Batch, i, a int, scores []float32) int32 {
	at := (i*b.Answers + a) * t.words
	return int32(argmax(scores[at : at+t.words]))
}

// none is the answer of a model whose scores are no numbers.
const none = -1

// argmax returns the index of the highest score, the lowest of equal ones, and
// none when no score is a number.
func argmax(scores []float32) int {
	at, high := none, float32(math.Inf(-1))
	for i, s := range scores {
		if s > high || at < 0 && s == s {
			at, high = i, s
		}
	}
	return at
}

// best returns the choice with the highest score, of equal ones the lowest id,
// as argmax does; none when no score is a number.
func best(scores []float32, choices []int32) int32 {
	at, high := int32(none), float32(math.Inf(-1))
	for _, c := range choices {
		if s := scores[c]; s > high || at < 0 && s == s || s == high && c < at {
			at, high = c, s
		}
	}
	return at
}
