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
	*layers.Shell[T, *network[T]]
}

var _ models.Attender = (*Model[float32])(nil)

// New returns an EMN with fresh weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	shell, err := layers.New(cfg, design[T], shape, t, seed)
	if err != nil {
		return nil, err
	}
	return &Model[T]{shell}, nil
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *network[T]] {
	return layers.Design[T, *network[T]]{
		Name: "emn", Specs: specs(c, shape),
		Network:  func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: c} },
		Feedback: c.Feedback,
	}
}

// Heads returns 1.
func (m *Model[T]) Heads() int { return 1 }

// Attention returns the attention weights of the last prediction by answer and
// hop, each [R x 1].
func (m *Model[T]) Attention() [][]float32 {
	n, ok := m.Last()
	if !ok {
		return nil
	}
	var hops [][]float32
	for _, w := range n.weights {
		hops = append(hops, layers.Float32s(nil, n.Array(w)))
	}
	return hops
}

// network is one graph of EMN. Training and prediction run the same forward
// equations; only training is compiled with gradients.
type network[T engine.Float] struct {
	layers.Network[T]
	cfg *Config

	weights []*engine.Node // attention of each answer and hop, [R x 1]
	scored  []*engine.Node // scores of each answer, [B x O]: of every hop when tracing, else of the last
}

// Build adds all equations. The loss is always at the last hop.
func (n *network[T]) Build() {
	g := n.Graph
	keys := n.memory("Wk", "Tk", n.cfg.PositionEncoding)
	values := n.memory("Wv", "Tv", n.cfg.PositionOnValues)
	n.Decode(func(t *layers.DecodingStep[T]) {
		q := t.ApplyToQuery(n.words(t.Query(), n.cfg.PositionOnQuery), n.Table(t.Own("Wq")))
		for hop := 1; hop <= n.cfg.Hops; hop++ {
			h := g.Apply(&ops.Scores[T]{Segments: &n.In.Segments, Heads: 1, Scale: 1}, q, keys)
			w := g.Apply(&ops.Softmax[T]{Segments: &n.In.Segments, Linear: layers.LinearHeads(n.cfg.Attention, 1)}, h)
			n.weights = append(n.weights, w)
			r := g.Apply(&ops.Read[T]{Segments: &n.In.Segments, Heads: 1}, w, values)
			q = g.Apply(&ops.Sum[T]{}, r, g.Apply(&ops.Project[T]{}, q, t.Param("Wqv")))
			if n.cfg.Relu {
				q = g.Apply(&ops.Relu[T]{}, q)
			}
			if n.Use == layers.Tracing || hop == n.cfg.Hops {
				t.Scores = g.Apply(&ops.Project[T]{}, q, t.Param("Wa"))
				n.scored = append(n.scored, t.Scores)
			}
		}
		t.Loss = t.CrossEntropy(t.Scores)
	})
	n.Show("weights", n.weights...)
	n.Show("scores", n.scored...)
}

// Hops returns the same number for every answer.
func (n *network[T]) Hops(dst []int) []int { return n.Same(dst, n.cfg.Hops) }

// memory returns the keys or values, [R x d].
func (n *network[T]) memory(words, ages string, positions bool) *engine.Node {
	m := n.Graph.Apply(n.words(&n.In.Rows, positions), n.Table(words))
	if n.cfg.temporal(n.In.Shape) {
		m = n.Graph.Apply(&ops.AddAge[T]{Segments: &n.In.Segments}, m, n.Graph.Param(ages))
	}
	return m
}

// words is the weighted sum of each line's words, [N x d].
func (n *network[T]) words(w *ops.Words, positions bool) *ops.EmbedSum[T] {
	op := &ops.EmbedSum[T]{Words: w}
	if positions {
		op.Encoding = ops.PositionEncoding[T](w.Width, n.cfg.Width)
	}
	return op
}
