package encoder_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/deltanet"
	"memobench/models/encoder"
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/modeltest"
	"memobench/models/ops"
	"memobench/models/transformer"
	"memobench/models/ut"
)

// reference is a second implementation of the encoders from the equations of the package
// documentation: one example, plain loops, every token computed in every layer.
type reference struct {
	c      *encoder.Config
	form   form
	suffix string // of the answer's own parameters
	prefix string // of the layer's
	weight func(name string) []float64
}

// form holds the differences between encoders.
type form struct {
	layers  int
	recurse bool // the same weights in each layer, and codes before each
	mix     func(r *reference, tokens [][]float64) [][]float64
}

// own returns the answer's and layer's copy of a parameter, nil for "".
func (r *reference) own(name string) []float64 {
	if name == "" {
		return nil
	}
	return r.weight(r.prefix + name + r.suffix)
}

// linear returns W x + b, or W x if b is nil.
func linear(w, b, x []float64) []float64 {
	y := make([]float64, len(w)/len(x))
	copy(y, b)
	for i := range y {
		for j, v := range x {
			y[i] += w[i*len(x)+j] * v
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
	if r.c.Sentence == "separate" {
		return linear(r.weight(w), r.weight(b), x)
	}
	y := slices.Clone(r.weight(b))
	for i, v := range x {
		y[i%r.c.Embedding] += r.weight(w)[i] * v
	}
	return y
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
		y[i] = (v-mean)/math.Sqrt(variance+1e-6)*r.own(name + "_g")[i] + r.own(name + "_b")[i]
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

// outputs returns the output after each layer, given the tokens, the query last.
func (r *reference) outputs(tokens [][]float64) (list [][]float64) {
	for layer := range r.form.layers {
		var y [][]float64
		for i, z := range tokens {
			code := make([]float64, r.c.Hidden)
			if r.c.Position {
				code = ops.TimingSignal[float64](i, r.c.Hidden)
			}
			switch {
			case r.form.recurse:
				tokens[i] = plus(z, ops.TimingSignal[float64](layer, r.c.Hidden), code)
			case layer == 0:
				tokens[i] = plus(z, code)
			}
		}
		if !r.form.recurse {
			r.prefix = fmt.Sprintf("layer%d.", layer+1)
		}
		for _, z := range tokens {
			y = append(y, r.norm(z, "ln1"))
		}
		for i, read := range r.form.mix(r, y) {
			tokens[i] = plus(tokens[i], linear(r.own("Wo"), nil, read))
			hidden := linear(r.own("W1"), r.own("b1"), r.norm(tokens[i], "ln2"))
			for h, x := range hidden {
				hidden[h] = max(x, 0)
			}
			tokens[i] = plus(tokens[i], linear(r.own("W2"), r.own("b2"), hidden))
		}
		r.prefix = ""
		list = append(list, r.output(tokens))
	}
	return list
}

// output returns the input of score.
func (r *reference) output(tokens [][]float64) []float64 {
	if r.c.AnswerFrom == "query" {
		return r.norm(tokens[len(tokens)-1], "lnf")
	}
	mean := make([]float64, r.c.Hidden)
	for _, z := range tokens {
		for h, x := range r.norm(z, "lnf") {
			mean[h] += x / float64(len(tokens))
		}
	}
	return mean
}

// score returns the scores of an answer given the output y.
func (r *reference) score(y []float64) []float64 { return linear(r.own("Wa"), r.own("ba"), y) }

// last returns the scores of the output of the last layer.
func (r *reference) last(_ int, outputs [][]float64) []float64 {
	return r.score(outputs[len(outputs)-1])
}

// attention is softmax attention.
func attention(r *reference, y [][]float64) [][]float64 { return mixed(r, y, 0) }

// mixed is attention without softmax in the last heads.
func mixed(r *reference, y [][]float64, without int) (reads [][]float64) {
	width := r.c.Attention / r.c.Heads
	var k, v [][]float64
	for _, z := range y {
		k, v = append(k, linear(r.own("Wk"), nil, z)), append(v, linear(r.own("Wv"), nil, z))
	}
	for _, z := range y {
		q, read := linear(r.own("Wq"), nil, z), make([]float64, r.c.Attention)
		for head := range r.c.Heads {
			lo, hi, sum := head*width, (head+1)*width, 0.0
			weights := make([]float64, len(y))
			for j := range y {
				dot := 0.0
				for a := lo; a < hi; a++ {
					dot += q[a] * k[j][a]
				}
				weights[j] = dot / math.Sqrt(float64(width))
				if head < r.c.Heads-without {
					weights[j] = math.Exp(weights[j])
					sum += weights[j]
				} else {
					sum = 1
				}
			}
			for j, w := range weights {
				for a := lo; a < hi; a++ {
					read[a] += w / sum * v[j][a]
				}
			}
		}
		reads = append(reads, read)
	}
	return reads
}

// deltaRule is the fast-weight memory with the delta rule.
func deltaRule(r *reference, y [][]float64) (reads [][]float64) {
	width := r.c.Attention / r.c.Heads
	unit := func(name string, z []float64, head int) []float64 {
		x, sum := linear(r.own(name), nil, z)[head*width:(head+1)*width], 1e-6
		for i, v := range x {
			x[i] = v / (1 + math.Exp(-v))
			sum += x[i] * x[i]
		}
		for i := range x {
			x[i] /= math.Sqrt(sum)
		}
		return x
	}
	memories := make([][][]float64, r.c.Heads) // [H][m][m]
	for head := range memories {
		for range width {
			memories[head] = append(memories[head], make([]float64, width))
		}
	}
	for _, z := range y {
		var read []float64
		for head, s := range memories {
			k, q := unit("Wk", z, head), unit("Wq", z, head)
			v, beta := linear(r.own("Wv"), nil, z)[head*width:], 1/(1+math.Exp(-linear(r.own("Wb"), nil, z)[head]))
			o, square := make([]float64, width), 1e-5
			for i := range s {
				held := 0.0
				for j := range k {
					held += s[i][j] * k[j]
				}
				for j := range k {
					s[i][j] += beta * (v[i] - held) * k[j]
					o[i] += s[i][j] * q[j]
				}
				square += o[i] * o[i] / float64(width)
			}
			for i := range o {
				o[i] *= r.own("lno_g")[i] / math.Sqrt(square)
			}
			read = append(read, o...)
		}
		reads = append(reads, read)
	}
	return reads
}

// The batch has repeated words and rows, empty slots and stories of different lengths.
var testShape = datasets.Shape{Vocabulary: 7, MaxRows: 4, RowWidth: 3, QueryWidth: 2, QuerySlot: 1, Answers: 3}

func testBatch() *datasets.Batch {
	b := modeltest.Batch(testShape, 1, 2, 3, 4)
	for _, row := range []int{2, 8, 9} {
		copy(b.Rows[row*b.RowWidth:(row+1)*b.RowWidth], b.Rows)
	}
	return b
}

// built is a model with its scores.
type built struct {
	params *engine.Params[float64]
	scores func(b *datasets.Batch) ([]float64, error)
}

func build[N layers.Equations[float64]](m *layers.Model[float64, N], err error) (built, error) {
	if err != nil {
		return built{}, err
	}
	return built{m.Params, func(b *datasets.Batch) ([]float64, error) {
		tr, err := m.Trace(b)
		if err != nil {
			return nil, err
		}
		return tr.Scores, nil
	}}, nil
}

// small sets the sizes of an encoder.
func small(c *encoder.Config, answers string) *encoder.Config {
	c.Embedding, c.Hidden, c.Attention, c.Heads, c.Transition, c.Answers = 8, 12, 16, 2, 16, answers
	return c
}

var anyTraining = models.Training{Optimizer: "adam", LearningRate: 3e-3}

// maker makes a model and says what its reference needs.
type maker func(answers string) (built, *encoder.Config, form, error)

// TestReference compares the scores of all answers of each encoder with the reference, for both
// settings of answers.
func TestReference(t *testing.T) {
	ofUT := func(change func(c *ut.Config)) maker {
		return func(answers string) (built, *encoder.Config, form, error) {
			c := ut.Defaults()
			c.Steps = 3
			small(&c.Config, answers)
			change(c)
			m, err := build(ut.New[float64](c, testShape, anyTraining, 2))
			return m, &c.Config, form{layers: c.Steps, recurse: true, mix: func(r *reference, y [][]float64) [][]float64 { return mixed(r, y, c.LinearHeads) }}, err
		}
	}
	ofTransformer := func(change func(c *encoder.Config)) maker {
		return func(answers string) (built, *encoder.Config, form, error) {
			c := transformer.Defaults()
			c.Layers = 3
			change(small(&c.Config, answers))
			m, err := build(transformer.New[float64](c, testShape, anyTraining, 2))
			return m, &c.Config, form{layers: c.Layers, mix: attention}, err
		}
	}
	ofDeltaNet := func(change func(c *encoder.Config)) maker {
		return func(answers string) (built, *encoder.Config, form, error) {
			c := deltanet.Defaults()
			c.Layers = 3
			change(small(&c.Config, answers))
			m, err := build(deltanet.New[float64](c, testShape, anyTraining, 2))
			return m, &c.Config, form{layers: c.Layers, mix: deltaRule}, err
		}
	}
	asIs := func(*encoder.Config) {}
	equalStates := func(c *encoder.Config) { c.Position, c.DropoutResidual = false, 0 } // of equal rows
	for name, make := range map[string]maker{
		"ut":                               ofUT(func(c *ut.Config) {}),
		"ut, a linear head":                ofUT(func(c *ut.Config) { c.LinearHeads = 1 }),
		"ut, equal states":                 ofUT(func(c *ut.Config) { equalStates(&c.Config) }),
		"ut, equal states, one step":       ofUT(func(c *ut.Config) { equalStates(&c.Config); c.Steps = 1 }),
		"ut, equal states, mean of tokens": ofUT(func(c *ut.Config) { equalStates(&c.Config); c.AnswerFrom = "mean" }),
		"transformer":                      ofTransformer(asIs),
		"transformer, equal states":        ofTransformer(equalStates),
		"deltanet, with positions":         ofDeltaNet(func(c *encoder.Config) { c.Position = true }),
		"deltanet, equal states":           ofDeltaNet(equalStates),
		"ut, masked sentences": func(answers string) (built, *encoder.Config, form, error) {
			m, c, f, err := ofUT(func(c *ut.Config) { c.Sentence, c.Hidden = "masked", c.Embedding })(answers)
			if err == nil { // masks start at 1, where their order does not show
				for i := range m.params.Values {
					m.params.Values[i] += 0.1 * math.Sin(float64(i))
				}
			}
			return m, c, f, err
		},
	} {
		for _, answers := range []string{"append", "requery"} {
			m, c, f, err := make(answers)
			if err != nil {
				t.Fatal(err)
			}
			b := testBatch()
			got := must.Get(m.scores(b))(t)
			var want []float64
			for i := range b.Size() {
				r := &reference{c: c, form: f, weight: func(name string) []float64 { return m.params.Get(name).Value }}
				want = append(want, r.answers(b, i, r.last)...)
			}
			for i, v := range want {
				if !(math.Abs(got[i]-v) <= 1e-8*math.Abs(v)) {
					t.Fatalf("%s, %s: score %d is %.12g, want %.12g", name, answers, i, got[i], v)
				}
			}
		}
	}
}

// answers returns the scores of an example's answers; read computes them from the outputs after
// each layer.
func (r *reference) answers(b *datasets.Batch, example int, read func(answer int, outputs [][]float64) []float64) (scores []float64) {
	r.suffix = ""
	query := b.Queries[example*b.QueryWidth : (example+1)*b.QueryWidth]
	for a := range b.Answers {
		asked := slices.Clone(query)
		if a > 0 {
			r.suffix = fmt.Sprint(".", a+1)
			last := scores[len(scores)-testShape.Vocabulary:]
			if own := int32(slices.Index(last, slices.Max(last))); r.c.Answers == "append" {
				asked = append(asked, own)
			} else {
				asked[testShape.QuerySlot] = own
			}
		}
		var tokens [][]float64
		for row := b.Offsets[example]; row < b.Offsets[example+1]; row++ {
			tokens = append(tokens, r.token(b.Rows[row*b.RowWidth:(row+1)*b.RowWidth], "We", "be"))
		}
		tokens = append(tokens, r.token(asked, "Weq"+r.suffix, "beq"+r.suffix))
		scores = append(scores, read(a, r.outputs(tokens))...)
	}
	return scores
}
