package control

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"memobench/datasets"
	"memobench/models"
)

// question is naive Bayes over the words of the query, each in its place, beside how
// often the word of a place is the answer itself:
//
//	P(w | q) = sum over s with q_s = w of P(s) + P(none) P'(w | q)
//	P'(w | q) ~ P(w) product over s of P(q_s | w)
type question struct {
	shape datasets.Shape
	words []float32 // [A x S_q x (O+1) x O] how often a word, the last for none, was in a place when an answer was right
	right []float32 // [A x O] how often the answer was right, from the model
	asked []float32 // [A x (S_q+1)] how often the answer was the word of a place, the last for none
}

func newQuestion(s datasets.Shape, m *model) *question {
	return &question{
		shape: s, words: make([]float32, s.Answers*s.QueryWidth*(s.Vocabulary+1)*s.Vocabulary), right: m.answers,
		asked: make([]float32, s.Answers*(s.QueryWidth+1)),
	}
}

func (q *question) counts() []models.Tensor {
	s := q.shape
	return []models.Tensor{
		{Name: "words", Role: models.Weight, Shape: []int{s.Answers, s.QueryWidth, s.Vocabulary + 1, s.Vocabulary}, F32: q.words},
		{Name: "asked", Role: models.Weight, Shape: []int{s.Answers, s.QueryWidth + 1}, F32: q.asked},
	}
}

// line returns the counts of all answers a for the word in a place of the query.
func (q *question) line(b *datasets.Batch, i, a, place int) []float32 {
	word := int(b.Queries[i*b.QueryWidth+place])
	if word == int(datasets.NoWord) {
		word = q.shape.Vocabulary
	}
	o := q.shape.Vocabulary
	at := ((a*q.shape.QueryWidth+place)*(o+1) + word) * o
	return q.words[at : at+o]
}

func (q *question) count(b *datasets.Batch, i int) {
	for a := range b.Answers {
		target := b.Targets[i*b.Answers+a]
		for place := range b.QueryWidth {
			q.line(b, i, a, place)[target]++
		}
		place := slices.Index(b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth], target)
		if place < 0 {
			place = b.QueryWidth
		}
		q.asked[a*(b.QueryWidth+1)+place]++
	}
}

func (q *question) odds(dst, frequency []float64, b *datasets.Batch, i, a int) {
	o := q.shape.Vocabulary
	copy(dst, frequency)
	for place := range b.QueryWidth {
		for w, n := range q.line(b, i, a, place) { // each word as if it had been seen once more in all
			dst[w] *= (float64(n) + 1/float64(o+1)) / (float64(q.right[a*o+w]) + 1)
		}
	}
	asked := q.asked[a*(b.QueryWidth+1) : (a+1)*(b.QueryWidth+1)]
	sum, none := floats.Sum(dst), float64(asked[b.QueryWidth])+1
	for w := range dst {
		dst[w] *= none / sum
	}
	for place, n := range asked[:b.QueryWidth] {
		if word := b.Queries[i*b.QueryWidth+place]; word != datasets.NoWord {
			dst[word] += float64(n)
		}
	}
}
