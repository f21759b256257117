package emn

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

// network is one graph of EMN. Training and prediction run the same forward
// equations; only training is compiled with gradients.
type network[T engine.Float] struct {
	cfg   *Config
	shape datasets.Shape
	graph *engine.Graph[T]
	in    *layers.Input

	weights []*gorgonia.Node // attention of each hop, [R x 1]
	answers []*gorgonia.Node // scores, [B x O]: of every hop when tracing, else of the last
	loss    *gorgonia.Node
	program *engine.Program[T]
}

// build adds all equations and compiles the graph. With every, answers are
// given after every hop; the loss is always at the last.
func (n *network[T]) build(gradients, every bool) error {
	g := n.graph
	keys := n.memory("Wk", "Tk", n.cfg.PositionEncoding)
	values := n.memory("Wv", "Tv", n.cfg.PositionOnValues)
	q := n.words(&n.in.Query, "Wq", n.cfg.PositionOnQuery)
	for hop := 1; hop <= n.cfg.Hops; hop++ {
		h := g.Apply(&ops.Scores[T]{Segments: &n.in.Segments, Heads: 1, Scale: 1}, q, keys)
		w := g.Apply(&ops.Softmax[T]{Segments: &n.in.Segments}, h)
		n.weights = append(n.weights, w)
		r := g.Apply(&ops.Read[T]{Segments: &n.in.Segments, Heads: 1}, w, values)
		q = g.Apply(&ops.Sum[T]{}, r, g.Apply(&ops.Project[T]{}, q, g.Param("Wqv")))
		if every || hop == n.cfg.Hops {
			n.answers = append(n.answers, g.Apply(&ops.Project[T]{}, q, g.Param("Wa")))
		}
	}
	n.loss = g.Apply(&ops.CrossEntropy[T]{Labels: &n.in.Labels}, n.answers[len(n.answers)-1])

	outputs := append(append([]*gorgonia.Node{n.loss}, n.weights...), n.answers...)
	var cost *gorgonia.Node
	if gradients {
		cost = n.loss
	}
	var err error
	if n.program, err = g.Compile(cost, outputs...); err != nil {
		return fmt.Errorf("emn: %w", err)
	}
	return nil
}

// memory returns the keys or values, [R x d].
func (n *network[T]) memory(words, ages string, positions bool) *gorgonia.Node {
	m := n.words(&n.in.Rows, words, positions)
	if n.cfg.temporal(n.shape) {
		m = n.graph.Apply(&ops.AddAge[T]{Segments: &n.in.Segments}, m, n.graph.Param(ages))
	}
	return m
}

// words returns the weighted sum of each line's words, [N x d].
func (n *network[T]) words(w *ops.Words, param string, positions bool) *gorgonia.Node {
	op := &ops.EmbedSum[T]{Words: w}
	if positions {
		op.Encoding = ops.PositionEncoding[T](w.Width, n.cfg.Width)
	}
	return n.graph.Apply(op, n.graph.Param(param))
}
