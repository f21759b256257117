// Package emn is the End-to-End Memory Network (Sukhbaatar et al. 2015) in the
// multilayer, tied-weight form of the MEMO paper's section 2.1.
//
// Per example, with rows x_i of S words, query words q_s, and matrices
// [out x in]:
//
//	k_i = sum_s l_s o (W_k x_is) + T_k(age i)
//	v_i = sum_s l_s o (W_v x_is) + T_v(age i)
//	q_0 = sum_s l_s o (W_q q_s)
//	w_t = softmax(K q_t)
//	q_{t+1} = w_t V + W_qv q_t
//	a = softmax(W_a q_N)
//
// l is the position encoding (ops.PositionEncoding). The MEMO paper prints l on keys only;
// Sukhbaatar et al. apply it to all three, which is the default. T_k and T_v are learned
// vectors per age, used if rows are ordered in time. The number of hops is fixed (4 and 10
// in the paper), all hops share the weights, and the loss is that of the last hop. The paper
// gives no hyperparameters for EMN.
//
// With relu, q_{t+1} = relu(w_t V + W_qv q_t), an option of Sukhbaatar et al.'s code.
// Attention "linear" omits the softmax of w_t, for the linear start of Sukhbaatar et al.
// (section 4.1), a first phase of training.
//
// Several answers share the keys and values; each has its own W_q, W_qv and W_a. As in the
// paper, training uses teacher forcing unless teacher_forcing is false.
//
// Keys and values are sums of word embeddings, which take R S d additions. MEMO's
// associative form would take R d S multiplications per hop, so it is not offered. W_k, W_v
// and W_q are stored [O x d], one row per word, the transpose of the paper's matrices. With
// dense items they are [D x d], over features, and each distinct item is multiplied once.
package emn

import (
	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

func init() {
	models.Register("emn", "EMN",
		"End-to-End Memory Network (Sukhbaatar et al. 2015): tied weights, position encoding, fixed hops",
		Defaults, New[float32])
}

// Model is EMN over float32, or float64 in tests against reference values.
type Model[T engine.Float] struct {
	*layers.Model[T, *network[T]]
	heads int // with softmax: 1 or 0
}

var _ models.Attender = (*Model[float32])(nil)

// New returns an EMN with initial weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	m, err := layers.New(cfg, design[T], shape, t, seed)
	if err != nil {
		return nil, err
	}
	return &Model[T]{m, 1 - cfg.linearHeads()}, nil
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *network[T]] {
	d := layers.Design[T, *network[T]]{
		Name: "emn", Specs: specs(c, shape),
		Network:        func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: c} },
		TeacherForcing: c.TeacherForcing,
	}
	if !c.temporal(shape) { // ages are added by example
		d.Form = func(in *layers.Input) string {
			in.MergeMemories()
			return ""
		}
	}
	return d
}

// Heads implements models.Attender.
func (m *Model[T]) Heads() int { return m.heads }

// Attention implements models.Attender.
func (m *Model[T]) Attention() [][]float32 {
	n, ok := m.Last()
	if !ok {
		return nil
	}
	var hops [][]float32
	for _, w := range n.weights {
		hops = append(hops, n.Columns(n.Array(w), 1, m.heads))
	}
	return hops
}

// network is one graph of EMN.
type network[T engine.Float] struct {
	layers.Network[T]
	cfg *Config

	weights []*engine.Node // attention of each answer and hop, [R x 1]
	scores  []*engine.Node // scores of each answer, [B x O]: of every hop when tracing, else of the last
}

// Build adds the equations.
func (n *network[T]) Build() {
	g := n.Graph
	keys := n.memory("Wk", "Tk", n.cfg.PositionEncoding)
	values := n.memory("Wv", "Tv", n.cfg.PositionOnValues)
	n.Decode(func(t *layers.DecodingStep[T]) {
		q := t.ApplyToQuery(n.words(t.Query(), n.cfg.PositionOnQuery), n.Table(t.Own("Wq")))
		for hop := 1; hop <= n.cfg.Hops; hop++ {
			h := g.Apply(&ops.Scores[T]{Segments: &n.In.Segments, Heads: 1, Scale: 1}, q, keys)
			w := g.Apply(&ops.Softmax[T]{Segments: &n.In.Segments, Linear: n.cfg.linearHeads()}, h)
			n.weights = append(n.weights, w)
			r := g.Apply(&ops.Read[T]{Segments: &n.In.Segments, Heads: 1}, w, values)
			q = g.Apply(&ops.Sum[T]{}, r, g.Apply(&ops.Project[T]{}, q, t.Param("Wqv")))
			if n.cfg.Relu {
				q = g.Apply(&ops.Relu[T]{}, q)
			}
			if n.Tracing || hop == n.cfg.Hops {
				t.Scores = g.Apply(&ops.Project[T]{}, q, t.Param("Wa"))
				n.scores = append(n.scores, t.Scores)
			}
		}
		t.Loss = t.CrossEntropy(t.Scores)
	})
	n.AddTrace("weights", n.weights...)
	n.AddTrace("scores", n.scores...)
}

// Hops implements layers.Equations.
func (n *network[T]) Hops(dst []int) []int { return n.ConstantHops(dst, n.cfg.Hops) }

// memory returns the keys or values, [R x d].
func (n *network[T]) memory(words, ages string, positions bool) *engine.Node {
	m := n.Graph.Apply(n.words(&n.In.Rows, positions), n.Table(words))
	if n.cfg.temporal(n.In.Shape) {
		m = n.Graph.Apply(&ops.AddAge[T]{Segments: &n.In.Segments}, m, n.Graph.Param(ages))
	}
	return m
}

// words returns the operation that sums the embeddings of each row's words, weighted by the
// position encoding if positions is set, [N x d].
func (n *network[T]) words(w *ops.Words, positions bool) *ops.EmbedSum[T] {
	op := &ops.EmbedSum[T]{Words: w}
	if positions {
		op.Encoding = ops.PositionEncoding[T](w.Width, n.cfg.Width)
	}
	return op
}

// Config holds EMN's sizes and switches.
type Config struct {
	Width int `yaml:"width" range:"1 or more" doc:"d, size of keys, values and queries"`
	Hops  int `yaml:"hops" range:"1 to 200" doc:"memory reads per query (4 and 10 in the paper)"`

	PositionEncoding bool   `yaml:"position_encoding" doc:"weight the words of a row by position in the keys"`
	PositionOnValues bool   `yaml:"position_on_values" doc:"likewise in the values"`
	PositionOnQuery  bool   `yaml:"position_on_query" doc:"likewise in the query"`
	Temporal         string `yaml:"temporal" range:"auto, on, off" doc:"learned vector per age of a row: auto (when rows are ordered in time), on, off"`

	Attention string `yaml:"attention" legacy:"softmax" range:"softmax, linear" doc:"weights of the memory slots: softmax of the logits, or the logits themselves (linear)"`

	Relu bool `yaml:"relu" legacy:"false" doc:"relu of the query after each hop (add_nonlin in the code of Sukhbaatar et al. 2015)"`

	TeacherForcing bool `yaml:"teacher_forcing" doc:"while training, the query of the next answer holds the right answer instead of the model's own"`

	InitStd float64 `yaml:"init_std" range:"above 0" doc:"standard deviation of the initial word embeddings"`
}

// Defaults returns a width of 128 and 4 hops; the paper gives no sizes. As in the paper, EMN
// is trained with teacher forcing.
func Defaults() *Config {
	return &Config{
		Width: 128, Hops: 4,
		PositionEncoding: true, PositionOnValues: true, PositionOnQuery: true,
		Temporal: "auto", Attention: "softmax", TeacherForcing: true, InitStd: 0.1,
	}
}

// Validate names the first setting whose value is out of range.
func (c *Config) Validate() error { return models.CheckRanges(c) }

// HopsSetting implements models.Hopped.
func (c *Config) HopsSetting() string { return "hops" }

// temporal reports whether rows have a learned vector per age.
func (c *Config) temporal(shape datasets.Shape) bool {
	return c.Temporal == "on" || c.Temporal == "auto" && shape.Temporal
}

// linearHeads returns 1 if attention has no softmax, else 0.
func (c *Config) linearHeads() int {
	if c.Attention == "linear" {
		return 1
	}
	return 0
}

// specs declares EMN's parameters. W_qv starts as the identity, so that a hop initially adds
// the read vector to the query, as in the original network with adjacent weights. Answers
// share only the keys and values.
func specs(c *Config, shape datasets.Shape) []engine.Spec {
	s := []engine.Spec{
		layers.WordSpec("Wk", shape, c.Width, c.InitStd),
		layers.WordSpec("Wv", shape, c.Width, c.InitStd),
	}
	s = append(s, layers.EachAnswer(shape.Answers, []engine.Spec{
		layers.WordSpec("Wq", shape, c.Width, c.InitStd),
		{Name: "Wqv", Shape: []int{c.Width, c.Width}, Init: engine.Identity(c.Width)},
		layers.MatrixSpec("Wa", shape.Vocabulary, c.Width),
	})...)
	if c.temporal(shape) {
		age := []int{shape.MaxRows, c.Width}
		s = append(s,
			engine.Spec{Name: "Tk", Shape: age, Init: engine.Normal(c.InitStd)},
			engine.Spec{Name: "Tv", Shape: age, Init: engine.Normal(c.InitStd)})
	}
	return s
}
