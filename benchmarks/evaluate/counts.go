package evaluate

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"
	"slices"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/checkpoint"
)

// counter counts questions and right answers. An answer is the word with the highest
// score; ties go to the lowest id. A question that asks for several answers is right when
// all of them are.
type counter struct {
	kinds     []record.Kind
	words     []int32                // 0 to O-1
	tolerant  datasets.AnswerChecker // nil where only the target is right
	kept      *Answers               // nil when answers are not kept
	questions int
	loss      float64 // sum over the questions
	hops      []int   // [A] sums over the questions; nil for a model without hops
}

// newCounter returns an empty counter; if forced, of answers with teacher forcing, too.
func newCounter(src datasets.Source, q Questions, forced bool) *counter {
	t := new(counter)
	for id := range src.Shape().Vocabulary {
		t.words = append(t.words, int32(id))
	}
	if s, ok := src.(datasets.AnswerChecker); ok && s.Ambiguous() {
		t.tolerant = s
	}
	zeroIf := func(counted bool) (n *int) {
		if counted {
			n = new(int)
		}
		return n
	}
	names := answerNames(src)
	for _, name := range src.Kinds() {
		k := record.Kind{Name: name, Accepted: zeroIf(t.tolerant != nil)}
		for a, name := range names {
			k.Answers = append(k.Answers, record.Answer{Name: name, CorrectGiven: zeroIf(forced && a > 0), Accepted: zeroIf(t.tolerant != nil)})
		}
		t.kinds = append(t.kinds, k)
	}
	if q.Keep {
		t.kept = &Answers{questions: sha256.New(), Predictions: record.Predictions{Head: record.PredictionsHead{
			Schema: record.PredictionsVersion, Dataset: src.Spec().Hash, Split: q.Split.String(), Kinds: src.Kinds(), Names: names,
		}}}
	}
	return t
}

// answerNames returns the names of a question's answers; nil for a single answer.
func answerNames(src datasets.Source) (names []string) {
	n := src.Shape().Answers
	if n < 2 {
		return nil
	}
	if s, ok := src.(datasets.MultiAnswer); ok {
		return s.AnswerNames()
	}
	for a := range n {
		names = append(names, fmt.Sprintf("answer %d", a+1))
	}
	return names
}

// answerName returns the name of an answer, from 0; "" for a single one.
func answerName(src datasets.Source, answer int) string {
	if names := answerNames(src); names != nil {
		return names[answer]
	}
	return ""
}

// count counts the questions of b and the right answers, free running.
func (t *counter) count(b *datasets.Batch, prediction *models.Prediction) {
	t.questions += b.Size()
	t.loss += prediction.Loss * float64(b.Size())
	for i := range b.Size() {
		k := &t.kinds[b.Kinds[i]]
		p := record.Prediction{Kind: int(b.Kinds[i]), Target: slices.Clone(b.Targets[i*b.Answers : (i+1)*b.Answers])}
		for a := range b.Answers {
			p.Answer = append(p.Answer, t.answer(b, i, a, prediction.Scores, t.words))
		}
		p.Accepted = t.accept(k, b, i, p.Answer)
		if b.NumChoices > 0 && b.Answers == 1 {
			if k.ChoiceCorrect == nil {
				k.ChoiceCorrect = new(int)
			}
			p.Choice = new(t.answer(b, i, 0, prediction.Scores, b.Choices[i*b.NumChoices:(i+1)*b.NumChoices]))
		}
		k.Count(&p)
		if t.kept != nil {
			t.kept.add(b, i, p)
		}
	}
	if prediction.Hops != nil && t.hops == nil {
		t.hops = make([]int, b.Answers)
	}
	for i, h := range prediction.Hops {
		t.hops[i%b.Answers] += h
		k := &t.kinds[b.Kinds[i/b.Answers]]
		if k.Hops == nil {
			k.Hops = new(int)
		}
		*k.Hops += h
	}
}

func (t *counter) counts(split datasets.Split) *Counts {
	v := &Counts{record.Evaluation{Split: split.String(), Kinds: t.kinds, Loss: new(t.loss / float64(t.questions))}, t.kept}
	sum := 0
	for _, h := range t.hops {
		sum += h
		if len(t.hops) > 1 {
			v.AnswerHops = append(v.AnswerHops, float64(h)/float64(t.questions))
		}
	}
	if t.hops != nil {
		v.Hops = new(float64(sum) / float64(t.questions*len(t.hops)))
	}
	return v
}

// accept counts each accepted one of the answers, [A], to question i of b: those that are
// right, even if they are not the target. It reports whether they are right as a whole; nil
// where only the target is right. If one answer is noAnswer, only targets are accepted.
func (t *counter) accept(k *record.Kind, b *datasets.Batch, i int, answers []int32) *bool {
	if t.tolerant == nil {
		return nil
	}
	whole, accepted := false, make([]bool, len(answers))
	if slices.Contains(answers, noAnswer) {
		for a := range answers {
			accepted[a] = answers[a] == b.Targets[i*b.Answers+a]
		}
	} else {
		whole = t.tolerant.Accepts(b, i, answers, accepted)
	}
	for a := range k.Answers {
		if accepted[a] {
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
			if t.answer(b, i, a, scores, t.words) == b.Targets[i*b.Answers+a] {
				*k.Answers[a].CorrectGiven++
			}
		}
	}
}

// answer returns answer a to question i of b among the given words.
func (t *counter) answer(b *datasets.Batch, i, a int, scores []float32, among []int32) int32 {
	at := (i*b.Answers + a) * len(t.words)
	return argmax(scores[at:at+len(t.words)], among)
}

// noAnswer is the answer of a model whose scores are all NaN.
const noAnswer = -1

// argmax returns the word with the highest of the scores, [O], among some words; of several
// the lowest. It returns noAnswer when all their scores are NaN.
func argmax(scores []float32, among []int32) int32 {
	at, high := int32(noAnswer), float32(math.Inf(-1))
	for _, id := range among {
		if s := scores[id]; s > high || at < 0 && s == s || s == high && id < at {
			at, high = id, s
		}
	}
	return at
}

// Answers collects the answers to every question of an evaluation.
type Answers struct {
	record.Predictions
	questions hash.Hash
}

// add adds the answers to question i of b, and the question to the hash. The vectors of
// items are in the hash of the data.
func (k *Answers) add(b *datasets.Batch, i int, p record.Prediction) {
	k.Answers = append(k.Answers, p)
	part := func(list []int32, width int) []int32 { return list[i*width : (i+1)*width] }
	rows := b.Rows
	if len(b.Offsets) > 0 {
		rows = rows[b.Offsets[i]*b.RowWidth : b.Offsets[i+1]*b.RowWidth]
	}
	for _, list := range [][]int32{b.Kinds[i : i+1], rows, part(b.Queries, b.QueryWidth), p.Target, part(b.Choices, b.NumChoices)} {
		// Lengths separate the lists. Writing to a hash cannot fail.
		binary.Write(k.questions, binary.LittleEndian, int64(len(list)))
		binary.Write(k.questions, binary.LittleEndian, list)
	}
}

// WriteTo writes the answers; protocol is the hash of the evaluation's protocol.
func (k *Answers) WriteTo(path, protocol string) error {
	k.Head.Protocol = protocol
	k.Head.Questions = hex.EncodeToString(k.questions.Sum(nil))[:16]
	return checkpoint.WriteFile(path, func(w io.Writer) error { return k.Write(w) })
}
