package control

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"memobench/datasets"
	"memobench/models"
)

// question is naive Bayes over the words of the query, each in its place, next to how
// often the word of a place is the answer itself:
//
//	P(w | q) = sum over s with q_s = w of P(s) + P(none) P'(w | q)
//	P'(w | q) ~ P(w) product over s of P(q_s | w)
type question struct {
	shape  datasets.Shape
	words  []float32 // [A x S_q x (O+1) x O] how often a word, the last for none, was in a place when an answer was right
	right  []float32 // [A x O] how often the answer was right, from the model
	copied []float32 // [A x (S_q+1)] how often the answer was the word of a place, the last for none
}

func newQuestion(s datasets.Shape, m *model) *question {
	return &question{
		shape: s, words: make([]float32, s.Answers*s.QueryWidth*(s.Vocabulary+1)*s.Vocabulary), right: m.answers,
		copied: make([]float32, s.Answers*(s.QueryWidth+1)),
	}
}

func (q *question) counts() []models.Tensor {
	s := q.shape
	return []models.Tensor{
		{Name: "words", Role: models.Weight, Shape: []int{s.Answers, s.QueryWidth, s.Vocabulary + 1, s.Vocabulary}, F32: q.words},
		{Name: "asked", Role: models.Weight, Shape: []int{s.Answers, s.QueryWidth + 1}, F32: q.copied},
	}
}

// wordCounts returns the counts of all answers a for the word in a place of the query.
func (q *question) wordCounts(b *datasets.Batch, i, a, place int) []float32 {
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
			q.wordCounts(b, i, a, place)[target]++
		}
		place := slices.Index(b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth], target)
		if place < 0 {
			place = b.QueryWidth
		}
		q.copied[a*(b.QueryWidth+1)+place]++
	}
}

func (q *question) odds(dst, frequency []float64, b *datasets.Batch, i, a int) {
	o := q.shape.Vocabulary
	copy(dst, frequency)
	for place := range b.QueryWidth {
		for w, n := range q.wordCounts(b, i, a, place) { // each word as if it had been seen once more in all
			dst[w] *= (float64(n) + 1/float64(o+1)) / (float64(q.right[a*o+w]) + 1)
		}
	}
	copied := q.copied[a*(b.QueryWidth+1) : (a+1)*(b.QueryWidth+1)]
	sum, none := floats.Sum(dst), float64(copied[b.QueryWidth])+1
	for w := range dst {
		dst[w] *= none / sum
	}
	for place, n := range copied[:b.QueryWidth] {
		if word := b.Queries[i*b.QueryWidth+place]; word != datasets.NoWord {
			dst[word] += float64(n)
		}
	}
}

// row looks at the rows that share most words with the query, of rows in order of
// time at the latest of them. A word of such a row is of a class: its place in the
// row, the place of the query where it is too, and where the first shared word of the
// row is in row and query. How often the words of a class are right is counted.
type row struct {
	shape       datasets.Shape
	hits, total []float32 // [A x classes]
	found       []float32 // [A x 2] examples whose answer is in none of these rows, in one
}

func newRow(s datasets.Shape) *row {
	r := &row{shape: s, found: make([]float32, 2*s.Answers)}
	r.hits, r.total = make([]float32, s.Answers*r.classes()), make([]float32, s.Answers*r.classes())
	return r
}

func (r *row) classes() int { return r.shape.RowWidth * (r.shape.QueryWidth + 1) * r.pairs() }

// pairs is the number of places of the first shared word: one for none, and one for
// each pair of a place in the row and one in the query.
func (r *row) pairs() int { return 1 + r.shape.RowWidth*r.shape.QueryWidth }

func (r *row) counts() []models.Tensor {
	s := r.shape
	classes := []int{s.Answers, s.RowWidth, s.QueryWidth + 1, r.pairs()}
	return []models.Tensor{
		{Name: "hits", Role: models.Weight, Shape: classes, F32: r.hits}, {Name: "total", Role: models.Weight, Shape: classes, F32: r.total},
		{Name: "found", Role: models.Weight, Shape: []int{s.Answers, 2}, F32: r.found},
	}
}

// positionIn returns where a word is in the query, counted from 1; 0 for nowhere.
func positionIn(query []int32, word int32) int {
	for i, w := range query {
		if w == word && w != datasets.NoWord {
			return i + 1
		}
	}
	return 0
}

// each calls f for the words of the nearest rows of example i, with their classes.
func (r *row) each(b *datasets.Batch, i int, f func(word int32, class int)) {
	query := b.Queries[i*b.QueryWidth : (i+1)*b.QueryWidth]
	words := func(at int) []int32 { return b.Rows[at*b.RowWidth : (at+1)*b.RowWidth] }
	shared := func(at int) (n, pair int) {
		for s, w := range words(at) {
			if place := positionIn(query, w); place > 0 {
				if n++; n == 1 {
					pair = 1 + s*b.QueryWidth + place - 1
				}
			}
		}
		return n, pair
	}
	most, last := 0, 0
	for at := b.Offsets[i]; at < b.Offsets[i+1]; at++ {
		if n, _ := shared(at); n >= most {
			most, last = n, at
		}
	}
	for at := b.Offsets[i]; at < b.Offsets[i+1]; at++ {
		n, pair := shared(at)
		if n < most || r.shape.Temporal && at != last {
			continue
		}
		for s, w := range words(at) {
			if w != datasets.NoWord {
				f(w, (s*(b.QueryWidth+1)+positionIn(query, w))*r.pairs()+pair)
			}
		}
	}
}

func (r *row) count(b *datasets.Batch, i int) {
	for a := range b.Answers {
		found := 0
		r.each(b, i, func(word int32, class int) {
			r.total[a*r.classes()+class]++
			if word == b.Targets[i*b.Answers+a] {
				r.hits[a*r.classes()+class]++
				found = 1
			}
		})
		r.found[2*a+found]++
	}
}

// odds are the share of right words in a word's class, the highest where it has
// several, and for all words their frequency where the rows do not have the answer.
func (r *row) odds(dst, frequency []float64, b *datasets.Batch, i, a int) {
	clear(dst)
	r.each(b, i, func(word int32, class int) {
		at := a*r.classes() + class
		dst[word] = max(dst[word], float64(r.hits[at])/float64(r.total[at]+1))
	})
	elsewhere := float64(r.found[2*a]+1) / float64(r.found[2*a]+r.found[2*a+1]+1)
	for w, v := range frequency {
		dst[w] += elsewhere * v
	}
}
