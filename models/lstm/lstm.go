// Package lstm is an LSTM that reads the memory rows in order and then the query
// (Hochreiter and Schmidhuber, "Long Short-Term Memory", Neural Computation 1997, with
// the forget gates of Gers et al. 2000). It has no external memory: it is the baseline for
// memory networks.
//
// Per example with n memory rows of S words each; matrices are [out x in], H units:
//
//	c_is = E[x_is]                               W_c; words kept separate
//	x_t = W_x vec(c_t) + b                       t < n: the rows, oldest first
//	x_n = W_xq vec(c_q) + b                      the query is the last input
//	[i f o g] = x_t + W_h h_{t-1}                zeros before the first input
//	c_t = sigmoid(f) c_{t-1} + sigmoid(i) tanh(g),  h_t = sigmoid(o) tanh(c_t)
//
// and a = softmax(W_a DropOut(h_n) + b_a). Rows and query have different input matrices,
// since their words have different roles.
//
// For several answers the rows are read once. The query of answer a > 1 is one more input:
// the first query and the previous answer, the model's own (no gradient flows through the
// choice) or, with teacher_forcing, the right one,
//
//	x_{n+a-1} = W_xq,a vec(c_q, E[answer_{a-1}]) + b
//
// Answers share W_h and b; each has its own W_xq, W_a and b_a. With dense items W_c is a
// matrix over their features, [D x d_c].
package lstm

import (
	"math/rand/v2"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

func init() {
	models.Register("lstm", "LSTM",
		"LSTM (Hochreiter and Schmidhuber 1997): reads the rows in order, then the query, and answers from its state",
		Defaults, New[float32])
}

// Config holds the LSTM's sizes and switches.
type Config struct {
	Embedding int `yaml:"embedding" range:"1 or more" doc:"d_c, size of a word's embedding"`
	Hidden    int `yaml:"hidden" range:"1 or more" doc:"H, units"`

	EmbeddingStd float64 `yaml:"embedding_std" range:"above 0" doc:"standard deviation of the initial word embeddings"`
	ForgetBias   float64 `yaml:"forget_bias" range:"finite" doc:"initial bias of the forget gates"`

	TeacherForcing bool `yaml:"teacher_forcing" doc:"while training, the query of the next answer holds the right answer instead of the model's own"`

	Dropout float64 `yaml:"dropout" range:"0 to below 1" doc:"on the state that an answer is read from, while training"`
}

// Defaults returns a small LSTM, whose forget gates start open (Jozefowicz et al. 2015).
func Defaults() *Config {
	return &Config{Embedding: 128, Hidden: 256, EmbeddingStd: 1, ForgetBias: 1, Dropout: 0.1}
}

// Validate names the first setting whose value is out of range.
func (c *Config) Validate() error { return models.CheckRanges(c) }

// New returns an LSTM with initial weights for tasks of the given shape, over float32, or
// float64 in tests against reference values.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*layers.Model[T, *Network[T]], error) {
	return layers.New(cfg, design[T], shape, t, seed)
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *Network[T]] {
	return layers.Design[T, *Network[T]]{
		Name: "lstm", Specs: specs(c, shape),
		Network:        func(n layers.Network[T]) *Network[T] { return &Network[T]{Network: n, cfg: c} },
		Queries:        layers.Appended,
		TeacherForcing: c.TeacherForcing,
	}
}

// specs declares the parameters. Word embeddings are initialized from N(0, embedding_std^2),
// matrices from N(0, 1/fan-in), biases with 0 except those of the forget gates.
func specs(c *Config, shape datasets.Shape) []engine.Spec {
	gates := ops.LSTMGates * c.Hidden
	bias := engine.Spec{Name: "b", Shape: []int{gates}, Init: func(_ *rand.Rand, b []float64) {
		for i := c.Hidden; i < 2*c.Hidden; i++ { // in the order of ops.LSTMStep
			b[i] = c.ForgetBias
		}
	}}
	query := func(words int) engine.Spec { return layers.MatrixSpec("Wxq", gates, words*c.Embedding) }
	return append([]engine.Spec{
		layers.WordSpec("Wc", shape, c.Embedding, c.EmbeddingStd),
		layers.MatrixSpec("Wx", gates, shape.RowWidth*c.Embedding),
		layers.MatrixSpec("Wh", gates, c.Hidden),
		bias,
	}, layers.EachAnswer(shape.Answers, []engine.Spec{
		query(shape.QueryWidth),
		layers.MatrixSpec("Wa", shape.Vocabulary, c.Hidden),
		layers.VectorSpec("ba", shape.Vocabulary, 0),
	}, query(shape.QueryWidth+1))...)
}

// Network is one graph of the LSTM. Every answer continues from the state at the previous
// one.
type Network[T engine.Float] struct {
	layers.Network[T]
	cfg *Config

	inputs ops.Segments // n_b rows and the query of each example
	single ops.Segments // the query alone
}

// Build adds the equations.
func (n *Network[T]) Build() {
	g := n.Graph
	rows := g.Apply(&ops.EmbedProject[T]{Pairs: &n.In.Pairs}, n.Table("Wc"), g.Param("Wx"))
	var state *engine.Node // [h c], [B x 2H]
	n.Decode(func(t *layers.DecodingStep[T]) {
		words := t.ApplyToQuery(&ops.Embed[T]{Words: t.Query()}, n.Table("Wc"))
		x := g.Apply(&ops.Project[T]{}, words, t.Param("Wxq"))
		if t.Number == 0 {
			x = g.Apply(&ops.Bias[T]{}, g.Apply(&ops.AppendQuery[T]{Segments: &n.In.Segments}, rows, x), g.Param("b"))
			state = g.Apply(&ops.LSTM[T]{Segments: &n.inputs}, x, g.Param("Wh"))
		} else {
			x = g.Apply(&ops.Bias[T]{}, x, g.Param("b"))
			state = g.Apply(&ops.LSTM[T]{Segments: &n.single}, x, g.Param("Wh"), state)
		}
		hidden := g.Apply(&ops.FirstColumns[T]{Columns: n.cfg.Hidden}, state)
		t.Scores = t.Linear(t.Dropout(hidden, n.cfg.Dropout), "Wa", "ba")
		t.Loss = t.CrossEntropy(t.Scores)
	})
}

// Begin sets the batch's pairs and segments.
func (n *Network[T]) Begin() {
	n.In.FindPairs(&n.In.Rows, false)
	n.inputs.SetTokens(&n.In.Segments)
	n.single.SetSingles(n.In.Segments.Len())
}
