package control

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"memobench/datasets"
	"memobench/models"
)

// question is naive Bayes over the words of the query and their positions, combined with how
// often the word at a position is the answer itself:
//
//	P(w | q) = sum over s with q_s = w of P(s) + P(none) P'(w | q)
//	P'(w | q) ~ P(w) product over s of P(q_s | w)
type question struct {
	shape  datasets.Shape
	words  []float32 // [A x S_q x (O+1) x O] count of a word (the last: none) at a position, by right answer
	right  []float32 // [A x O] model.answers
	copied []float32 // [A x (S_q+1)] how often the answer was the word at a position (the last: none)
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

// wordCounts returns the counts by right answer, [O], of the word at a position of the query.
func (q *question) wordCounts(b *datasets.Batch, i, a, position int) []float32 {
	word := int(b.Queries[i*b.QueryWidth+position])
	if word == int(datasets.NoWord) {
		word = q.shape.Vocabulary
	}
	o := q.shape.Vocabulary
	at := ((a*q.shape.QueryWidth+position)*(o+1) + word) * o
	return q.words[at : at+o]
}

func (q *question) count(b *datasets.Batch, i int) {
	for a := range b.Answers {
		target := b.Targets[i*b.Answers+a]
		for position := range b.QueryWidth {
			q.wordCounts(b, i, a, position)[target]++
		}
		position := slices.Index(b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth], target)
		if position < 0 {
			position = b.QueryWidth
		}
		q.copied[a*(b.QueryWidth+1)+position]++
	}
}

func (q *question) odds(dst, frequency []float64, b *datasets.Batch, i, a int) {
	o := q.shape.Vocabulary
	copy(dst, frequency)
	for position := range b.QueryWidth {
		for w, n := range q.wordCounts(b, i, a, position) { // additive smoothing
			dst[w] *= (float64(n) + 1/float64(o+1)) / (float64(q.right[a*o+w]) + 1)
		}
	}
	copied := q.copied[a*(b.QueryWidth+1) : (a+1)*(b.QueryWidth+1)]
	sum, none := floats.Sum(dst), float64(copied[b.QueryWidth])+1
	for w := range dst {
		dst[w] *= none / sum
	}
	for position, n := range copied[:b.QueryWidth] {
		if word := b.Queries[i*b.QueryWidth+position]; word != datasets.NoWord {
			dst[word] += float64(n)
		}
	}
}

// row uses the rows that share most words with the query; if rows are in chronological order,
// the latest one of them. The class of a word of such a row is its position in the row, its
// position in the query, and the positions of the row's first shared word in row and query.
// It counts how often the words of a class are the right answer.
type row struct {
	shape       datasets.Shape
	hits, total []float32 // [A x classes]
	found       []float32 // [A x 2] examples whose answer is in none of these rows, or in one
}

func newRow(s datasets.Shape) *row {
	r := &row{shape: s, found: make([]float32, 2*s.Answers)}
	r.hits, r.total = make([]float32, s.Answers*r.classes()), make([]float32, s.Answers*r.classes())
	return r
}

func (r *row) classes() int { return r.shape.RowWidth * (r.shape.QueryWidth + 1) * r.pairs() }

// pairs is the number of values for the positions of the first shared word: one for none, and
// one for each pair of positions in row and query.
func (r *row) pairs() int { return 1 + r.shape.RowWidth*r.shape.QueryWidth }

func (r *row) counts() []models.Tensor {
	s := r.shape
	classes := []int{s.Answers, s.RowWidth, s.QueryWidth + 1, r.pairs()}
	return []models.Tensor{
		{Name: "hits", Role: models.Weight, Shape: classes, F32: r.hits}, {Name: "total", Role: models.Weight, Shape: classes, F32: r.total},
		{Name: "found", Role: models.Weight, Shape: []int{s.Answers, 2}, F32: r.found},
	}
}

// positionIn returns the position of a word in the query, counted from 1; 0 if it is absent.
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
			if position := positionIn(query, w); position > 0 {
				if n++; n == 1 {
					pair = 1 + s*b.QueryWidth + position - 1
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

// odds are the fraction of right words in a word's class (the maximum over its classes), plus
// the word's frequency times the probability that the rows lack the answer.
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
