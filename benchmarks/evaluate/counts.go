package evaluate

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"
	"path/filepath"
	"slices"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models/checkpoint"
)

// counter counts questions and right answers. An answer is the word with the highest
// score; ties go to the lowest id. A question that asks for several answers is right when
// all of them are.
type counter struct {
	kinds    []record.Kind
	words    int                    // O
	tolerant datasets.AnswerChecker // nil where only the target is right
	answers  []int32                // [A] to the present question
	accepted []bool                 // [A] whether each of them is accepted
	kept     *predictions           // nil when answers are not kept
}

// newCounter returns an empty counter. forced says that answers with teacher forcing are
// counted, too.
func newCounter(src datasets.Source, q Questions, forced bool) *counter {
	shape := src.Shape()
	t := &counter{words: shape.Vocabulary, answers: make([]int32, shape.Answers), accepted: make([]bool, shape.Answers)}
	if s, ok := src.(datasets.AnswerChecker); ok && s.Ambiguous() {
		t.tolerant = s
	}
	if q.Keep {
		t.kept = newPredictions(src, q.Split)
	}
	names := answerNames(src)
	for _, name := range src.Kinds() {
		k := record.Kind{Name: name}
		if t.tolerant != nil {
			k.Accepted = new(int)
		}
		for a, name := range names {
			answer := record.Answer{Name: name}
			if forced && a > 0 {
				answer.CorrectGiven = new(int)
			}
			if t.tolerant != nil {
				answer.Accepted = new(int)
			}
			k.Answers = append(k.Answers, answer)
		}
		t.kinds = append(t.kinds, k)
	}
	return t
}

// answerNames returns the names of a question's answers; nil for a single answer.
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

// count counts the questions of b and the right answers, free running. scores is
// [B x A x O].
func (t *counter) count(b *datasets.Batch, scores []float32) {
	for i := range b.Size() {
		k := &t.kinds[b.Kinds[i]]
		for a := range b.Answers {
			t.answers[a] = t.answer(b, i, a, scores)
		}
		p := record.Prediction{Kind: int(b.Kinds[i]), Target: b.Targets[i*b.Answers : (i+1)*b.Answers], Answer: t.answers, Accepted: t.accept(k, b, i)}
		if b.NumChoices > 0 && b.Answers == 1 {
			if k.ChoiceCorrect == nil {
				k.ChoiceCorrect = new(int)
			}
			p.Choice = new(best(scores[i*t.words:(i+1)*t.words], b.Choices[i*b.NumChoices:(i+1)*b.NumChoices]))
		}
		k.Count(&p)
		if t.kept != nil {
			t.kept.add(b, i, p)
		}
	}
}

// countHops adds the hops of the answers to b's questions, [B x A]; nil for a model
// without hops.
func (t *counter) countHops(b *datasets.Batch, hops []int) {
	for i, h := range hops {
		k := &t.kinds[b.Kinds[i/b.Answers]]
		if k.Hops == nil {
			k.Hops = new(int)
		}
		*k.Hops += h
	}
}

// accept counts each accepted answer to question i of b: those that are right, even if
// they are not the target. It reports whether they are right as a whole; nil where only
// the target is right. If one answer is noAnswer, only targets are accepted.
func (t *counter) accept(k *record.Kind, b *datasets.Batch, i int) *bool {
	if t.tolerant == nil {
		return nil
	}
	whole := false
	if slices.Contains(t.answers, noAnswer) {
		for a := range t.accepted {
			t.accepted[a] = t.answers[a] == b.Targets[i*b.Answers+a]
		}
	} else {
		whole = t.tolerant.Accepts(b, i, t.answers, t.accepted)
	}
	for a := range k.Answers {
		if t.accepted[a] {
			*k.Answers[a].Accepted++
		}
	}
	return &whole
}

// countTeacherForced counts the right answers with teacher forcing, except the first,
// which follows no other. scores is [B x A x O].
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

// noAnswer is the answer of a model whose scores are all NaN.
const noAnswer = -1

// argmax returns the lowest index of the highest score, noAnswer when all are NaN.
func argmax(scores []float32) int {
	at, high := noAnswer, float32(math.Inf(-1))
	for i, s := range scores {
		if s > high || at < 0 && s == s {
			at, high = i, s
		}
	}
	return at
}

// best is argmax among the choices.
func best(scores []float32, choices []int32) int32 {
	at, high := int32(noAnswer), float32(math.Inf(-1))
	for _, c := range choices {
		if s := scores[c]; s > high || at < 0 && s == s || s == high && c < at {
			at, high = c, s
		}
	}
	return at
}

// predictions collects the answers to every question of an evaluation.
type predictions struct {
	record.Predictions
	questions hash.Hash
}

func newPredictions(src datasets.Source, split datasets.Split) *predictions {
	return &predictions{questions: sha256.New(), Predictions: record.Predictions{Head: record.PredictionsHead{
		Schema: record.PredictionsVersion, Dataset: src.Spec().Hash, Split: split.String(), Kinds: src.Kinds(), Names: answerNames(src),
	}}}
}

// add adds a copy of the answers to question i of b.
func (k *predictions) add(b *datasets.Batch, i int, p record.Prediction) {
	p.Target, p.Answer = slices.Clone(p.Target), slices.Clone(p.Answer)
	k.Answers = append(k.Answers, p)
	k.hash(b, i)
}

// hash adds the question to the hash. The vectors of items are in the hash of the data.
func (k *predictions) hash(b *datasets.Batch, i int) {
	part := func(list []int32, width int) []int32 { return list[i*width : (i+1)*width] }
	rows := b.Rows
	if len(b.Offsets) > 0 {
		rows = rows[b.Offsets[i]*b.RowWidth : b.Offsets[i+1]*b.RowWidth]
	}
	for _, list := range [][]int32{b.Kinds[i : i+1], rows, part(b.Queries, b.QueryWidth), part(b.Targets, b.Answers), part(b.Choices, b.NumChoices)} {
		// Lengths separate the lists. Writing to a hash cannot fail.
		binary.Write(k.questions, binary.LittleEndian, int64(len(list)))
		binary.Write(k.questions, binary.LittleEndian, list)
	}
}

// WriteTo writes the answers; protocol is the hash of the evaluation's protocol.
func (k *predictions) WriteTo(path, protocol string) error {
	k.Head.Protocol = protocol
	k.Head.Questions = hex.EncodeToString(k.questions.Sum(nil))[:16]
	return checkpoint.WriteFile(path, func(w io.Writer) error { return k.Write(w) })
}

// writePredictions writes the answers, which must be kept, next to the record of the
// weights' run and returns the path. It fails if their counts differ from the record's.
func (v *Counts) writePredictions(t *storedModel) (string, error) {
	rec, err := t.record()
	if err != nil {
		return "", fmt.Errorf("keeping the answers: %w", err)
	}
	dir := filepath.Dir(t.path)
	if err := v.Predictions.Fits(&rec.Evaluation); err != nil {
		return "", fmt.Errorf("keeping the answers: %s is of another evaluation: %w", filepath.Join(dir, record.FileName), err)
	}
	out := filepath.Join(dir, record.PredictionsName)
	return out, v.Predictions.WriteTo(out, rec.Protocol.Hash)
}

// QuestionIDs returns the prefix of the ids of a split's questions, from the hashes of the
// protocol and the data. The question's number follows, from 0, in order.
func QuestionIDs(protocol, data string, split datasets.Split) string {
	return fmt.Sprintf("%s-%s-", split, record.HashOf([]string{protocol, data})[:8])
}
