package ut

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/models/layers"
	"memobench/models/ops"
)

// reference is UT written a second time from the equations of the package's
// documentation: one example, plain loops, every token computed at every step.
type reference struct {
	c      *Config
	suffix string // of the answer's own parameters
	weight func(name string) []float64
}

// linear returns W x + b, without b where it is "".
func (r *reference) linear(w, b string, x []float64) []float64 {
	matrix := r.weight(w)
	y := make([]float64, len(matrix)/len(x))
	if b != "" {
		copy(y, r.weight(b))
	}
	for i := range y {
		for j, v := range x {
			y[i] += matrix[i*len(x)+j] * v
		}
	}
	return y
}

// token returns z_i of some words.
func (r *reference) token(words []int32, w, b string) []float64 {
	var x []float64
	for _, id := range words {
		e := make([]float64, r.c.Embedding)
		if id >= 0 {
			copy(e, r.weight("Wc")[int(id)*r.c.Embedding:])
		}
		x = append(x, e...)
	}
	return r.linear(w, b, x)
}

func (r *reference) norm(x []float64, name string) []float64 {
	mean, variance, n := 0.0, 0.0, float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / n
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = (v-mean)/math.Sqrt(variance+1e-6)*r.weight(name + "_g" + r.suffix)[i] + r.weight(name + "_b" + r.suffix)[i]
	}
	return y
}

func plus(x []float64, others ...[]float64) []float64 {
	y := slices.Clone(x)
	for _, o := range others {
		for i, v := range o {
			y[i] += v
		}
	}
	return y
}

// answer returns the scores of one answer from its tokens, the query last.
func (r *reference) answer(tokens [][]float64) []float64 {
	width, own := r.c.Attention/r.c.Heads, func(name string) string { return name + r.suffix }
	for step := range r.c.Steps {
		var q, k, v [][]float64
		for i, z := range tokens {
			tokens[i] = plus(z, ops.TimingSignal[float64](step, r.c.Hidden), ops.TimingSignal[float64](i, r.c.Hidden))
			y := r.norm(tokens[i], "ln1")
			q, k, v = append(q, r.linear(own("Wq"), "", y)), append(k, r.linear(own("Wk"), "", y)), append(v, r.linear(own("Wv"), "", y))
		}
		for i := range tokens {
			read := make([]float64, r.c.Attention)
			for head := range r.c.Heads {
				lo, hi, sum := head*width, (head+1)*width, 0.0
				weights := make([]float64, len(tokens))
				for j := range tokens {
					dot := 0.0
					for a := lo; a < hi; a++ {
						dot += q[i][a] * k[j][a]
					}
					weights[j] = math.Exp(dot / math.Sqrt(float64(width)))
					sum += weights[j]
				}
				for j, w := range weights {
					for a := lo; a < hi; a++ {
						read[a] += w / sum * v[j][a]
					}
				}
			}
			tokens[i] = plus(tokens[i], r.linear(own("Wo"), "", read))
			hidden := r.linear(own("W1"), own("b1"), r.norm(tokens[i], "ln2"))
			for h, x := range hidden {
				hidden[h] = max(x, 0)
			}
			tokens[i] = plus(tokens[i], r.linear(own("W2"), own("b2"), hidden))
		}
	}
	return r.linear(own("Wa"), own("ba"), r.norm(tokens[len(tokens)-1], "lnf"))
}

// TestReference: the scores of all answers are those of the second implementation,
// with either query of a later answer.
func TestReference(t *testing.T) {
	shape := testShape
	shape.QuerySlot, shape.Answers = 1, 3
	b := testBatch()
	b.Answers, b.Targets = shape.Answers, slices.Repeat(b.Targets, shape.Answers)
	for _, form := range []string{answersAppend, answersRequery} {
		c := small()
		c.Answers = form
		m, err := New[float64](c, shape, testTraining, 2)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := m.Trace(b)
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Size() {
			want := answersOf(m, c, b, i)
			for j, v := range want {
				if got := tr.Scores[i*len(want)+j]; math.Abs(got-v) > 1e-8*math.Abs(v) {
					t.Fatalf("%s, example %d: score %d is %.12g, want %.12g", form, i, j, got, v)
				}
			}
		}
	}
}

// answersOf returns the scores of an example's answers.
func answersOf(m *layers.Shell[float64, *network[float64]], c *Config, b *datasets.Batch, example int) (scores []float64) {
	query := b.Queries[example*b.QueryWidth : (example+1)*b.QueryWidth]
	for a := range b.Answers {
		r := &reference{c: c, weight: func(name string) []float64 { return m.Params.Get(name).Value }}
		asked := slices.Clone(query)
		if a > 0 {
			r.suffix = fmt.Sprint(".", a+1)
			last := scores[len(scores)-testShape.Vocabulary:]
			if own := int32(slices.Index(last, slices.Max(last))); c.Answers == answersAppend {
				asked = append(asked, own)
			} else {
				asked[1] = own
			}
		}
		var tokens [][]float64
		for row := b.Offsets[example]; row < b.Offsets[example+1]; row++ {
			tokens = append(tokens, r.token(b.Rows[row*b.RowWidth:(row+1)*b.RowWidth], "We", "be"))
		}
		tokens = append(tokens, r.token(asked, "Weq"+r.suffix, "beq"+r.suffix))
		scores = append(scores, r.answer(tokens)...)
	}
	return scores
}
