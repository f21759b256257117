package lstm

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

// reference is a second implementation of the LSTM from the equations of the package
// documentation: one example, plain loops.
type reference struct {
	c            *Config
	weight       func(name string) []float64
	hidden, cell []float64
}

// times returns W x.
func (r *reference) times(w string, x []float64) []float64 {
	matrix := r.weight(w)
	y := make([]float64, len(matrix)/len(x))
	for i := range y {
		for j, v := range x {
			y[i] += matrix[i*len(x)+j] * v
		}
	}
	return y
}

// read takes one step with the given words and input matrix.
func (r *reference) read(words []int32, w string) {
	var x []float64
	for _, id := range words {
		e := make([]float64, r.c.Embedding)
		if id >= 0 {
			copy(e, r.weight("Wc")[int(id)*r.c.Embedding:])
		}
		x = append(x, e...)
	}
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	gates, recurrent, n := r.times(w, x), r.times("Wh", r.hidden), r.c.Hidden
	for i, b := range r.weight("b") {
		gates[i] += recurrent[i] + b
	}
	for i := range n {
		in, forget, out, candidate := gates[i], gates[n+i], gates[2*n+i], gates[3*n+i]
		r.cell[i] = sigmoid(forget)*r.cell[i] + sigmoid(in)*math.Tanh(candidate)
		r.hidden[i] = sigmoid(out) * math.Tanh(r.cell[i])
	}
}

// answers returns the scores of an example's answers.
func (r *reference) answers(b *datasets.Batch, example int) (scores []float64) {
	r.hidden, r.cell = make([]float64, r.c.Hidden), make([]float64, r.c.Hidden)
	for row := b.Offsets[example]; row < b.Offsets[example+1]; row++ {
		r.read(b.Rows[row*b.RowWidth:(row+1)*b.RowWidth], "Wx")
	}
	query, suffix := slices.Clone(b.Queries[example*b.QueryWidth:(example+1)*b.QueryWidth]), ""
	for a := range b.Answers {
		asked := query
		if a > 0 {
			last := scores[len(scores)-testShape.Vocabulary:]
			suffix, asked = fmt.Sprint(".", a+1), append(slices.Clone(query), int32(slices.Index(last, slices.Max(last))))
		}
		r.read(asked, "Wxq"+suffix)
		for i, v := range r.times("Wa"+suffix, r.hidden) {
			scores = append(scores, v+r.weight("ba" + suffix)[i])
		}
	}
	return scores
}

// TestReference compares the scores of all answers with the reference.
func TestReference(t *testing.T) {
	c := small()
	m := must.Get(New[float64](c, testShape, testTraining, 2))(t)
	b := testBatch()
	tr := must.Get(m.Trace(b))(t)
	r := &reference{c: c, weight: func(name string) []float64 { return m.Params.Get(name).Value }}
	var want []float64
	for i := range b.Size() {
		want = append(want, r.answers(b, i)...)
	}
	for i, v := range want {
		if !(math.Abs(tr.Scores[i]-v) <= 1e-8*math.Abs(v)) {
			t.Fatalf("score %d is %.12g, want %.12g", i, tr.Scores[i], v)
		}
	}
}
