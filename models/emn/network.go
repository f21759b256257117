package emn

import (
	"slices"

	"gorgonia.org/gorgonia"

	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

// network is one graph of EMN. Training and prediction run the same forward
// equations; only training is compiled with gradients.
type network[T engine.Float] struct {
	layers.Network[T]
	cfg *Config

	weights []*gorgonia.Node // attention of each hop, [R x 1]
	answers []*gorgonia.Node // scores, [B x O]: of every hop when tracing, else of the last
}

// Build adds all equations. The loss is always at the last hop.
func (n *network[T]) Build() {
	g := n.Graph
	keys := n.memory("Wk", "Tk", n.cfg.PositionEncoding)
	values := n.memory("Wv", "Tv", n.cfg.PositionOnValues)
	q := n.words(&n.In.Query, "Wq", n.cfg.PositionOnQuery)
	for hop := 1; hop <= n.cfg.Hops; hop++ {
		h := g.Apply(&ops.Scores[T]{Segments: &n.In.Segments, Heads: 1, Scale: 1}, q, keys)
		w := g.Apply(&ops.Softmax[T]{Segments: &n.In.Segments}, h)
		n.weights = append(n.weights, w)
		r := g.Apply(&ops.Read[T]{Segments: &n.In.Segments, Heads: 1}, w, values)
		q = g.Apply(&ops.Sum[T]{}, r, g.Apply(&ops.Project[T]{}, q, g.Param("Wqv")))
		if n.Use == layers.Tracing || hop == n.cfg.Hops {
			n.answers = append(n.answers, g.Apply(&ops.Project[T]{}, q, g.Param("Wa")))
		}
	}
	n.Answer = n.answers[len(n.answers)-1]
	n.Loss = g.Apply(&ops.CrossEntropy[T]{Labels: &n.In.Labels}, n.Answer)
	n.Outputs = slices.Concat(n.weights, n.answers)
}

// Hops returns the same number for every example.
func (n *network[T]) Hops(dst []int) []int { return n.Same(dst, n.cfg.Hops) }

// memory returns the keys or values, [R x d].
func (n *network[T]) memory(words, ages string, positions bool) *gorgonia.Node {
	m := n.words(&n.In.Rows, words, positions)
	if n.cfg.temporal(n.In.Shape) {
		m = n.Graph.Apply(&ops.AddAge[T]{Segments: &n.In.Segments}, m, n.Graph.Param(ages))
	}
	return m
}

// words returns the weighted sum of each line's words, [N x d].
func (n *network[T]) words(w *ops.Words, param string, positions bool) *gorgonia.Node {
	op := &ops.EmbedSum[T]{Words: w}
	if positions {
		op.Encoding = ops.PositionEncoding[T](w.Width, n.cfg.Width)
	}
	return n.Graph.Apply(op, n.Graph.Param(param))
}
