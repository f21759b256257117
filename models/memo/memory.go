package memo

import (
	"math"

	"gorgonia.org/gorgonia"

	"memobench/models/engine"
	"memobench/models/ops"
)

// memory is the part of the network that depends on the form: how queries are
// compared with the stored rows, and how rows are read.
type memory[T engine.Float] interface {
	// scores returns K q / sqrt(d), [R x H], for queries q [B x H d] of the
	// examples of seg.
	scores(q *gorgonia.Node, seg *ops.Segments) *gorgonia.Node
	// read returns w V, [B x H d], for attention weights w [R x H].
	read(w *gorgonia.Node, seg *ops.Segments) *gorgonia.Node
}

// associative holds C = [vec(c_i)], [R x S d_c].
type associative[T engine.Float] struct {
	n *network[T]
	c *gorgonia.Node
}

func (m *associative[T]) scores(q *gorgonia.Node, seg *ops.Segments) *gorgonia.Node {
	n := m.n
	u := n.graph.Apply(&ops.Project[T]{Transpose: true, Scale: n.attentionScale()}, q, n.graph.Param("Wk"))
	return n.graph.Apply(&ops.Scores[T]{Segments: seg, Heads: n.cfg.Heads, Shared: true, Scale: 1}, u, m.c)
}

func (m *associative[T]) read(w *gorgonia.Node, seg *ops.Segments) *gorgonia.Node {
	n := m.n
	z := n.graph.Apply(&ops.Read[T]{Segments: seg, Heads: n.cfg.Heads, Shared: true}, w, m.c)
	return n.graph.Apply(&ops.Project[T]{}, z, n.graph.Param("Wv"))
}

// keyed holds keys and values, both [R x H d].
type keyed[T engine.Float] struct {
	n    *network[T]
	k, v *gorgonia.Node
}

func (m *keyed[T]) scores(q *gorgonia.Node, seg *ops.Segments) *gorgonia.Node {
	n := m.n
	return n.graph.Apply(&ops.Scores[T]{Segments: seg, Heads: n.cfg.Heads, Scale: n.attentionScale()}, q, m.k)
}

func (m *keyed[T]) read(w *gorgonia.Node, seg *ops.Segments) *gorgonia.Node {
	n := m.n
	return n.graph.Apply(&ops.Read[T]{Segments: seg, Heads: n.cfg.Heads}, w, m.v)
}

// store builds the memory (eq. 7 to 9).
func (n *network[T]) store(form Form) memory[T] {
	wc := n.graph.Param("Wc")
	if form == Associative {
		return &associative[T]{n, n.graph.Apply(&ops.Embed[T]{Words: &n.in.Rows, Time: n.time}, wc)}
	}
	return &keyed[T]{n,
		n.graph.Apply(&ops.EmbedProject[T]{Pairs: n.pairs, Time: n.time}, wc, n.graph.Param("Wk")),
		n.graph.Apply(&ops.EmbedProject[T]{Pairs: n.pairs, Time: n.time}, wc, n.graph.Param("Wv")),
	}
}

func (n *network[T]) attentionScale() float64 { return 1 / math.Sqrt(float64(n.cfg.Width)) }
