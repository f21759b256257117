package memo

import (
	"math"

	"memobench/models/engine"
	"memobench/models/ops"
)

// memory is the part of the network that depends on the form: how queries are
// compared with the stored rows, and how rows are read.
type memory[T engine.Float] interface {
	// scores returns K q / sqrt(d), [R x H], for queries q [B x H d] of the
	// examples of seg.
	scores(q *engine.Node, seg *ops.Segments) *engine.Node
	// read returns w V, [B x H d], for attention weights w [R x H].
	read(w *engine.Node, seg *ops.Segments) *engine.Node
	// readMapped returns W_q (w V), [B x H d].
	readMapped(w *engine.Node, seg *ops.Segments, wq *engine.Node) *engine.Node
}

// associative holds C = [vec(c_i)], [R x S d_c].
type associative[T engine.Float] struct {
	n *network[T]
	c *engine.Node
}

func (m *associative[T]) scores(q *engine.Node, seg *ops.Segments) *engine.Node {
	n := m.n
	u := n.Graph.Apply(&ops.Project[T]{Transpose: true, Scale: n.attentionScale()}, q, n.Graph.Param("Wk"))
	return n.Graph.Apply(&ops.Scores[T]{Segments: seg, Heads: n.cfg.Heads, Shared: true, Scale: 1}, u, m.c)
}

func (m *associative[T]) read(w *engine.Node, seg *ops.Segments) *engine.Node {
	n := m.n
	z := n.Graph.Apply(&ops.Read[T]{Segments: seg, Heads: n.cfg.Heads, Shared: true}, w, m.c)
	return n.Graph.Apply(&ops.Project[T]{}, z, n.Graph.Param("Wv"))
}

func (m *associative[T]) readMapped(w *engine.Node, seg *ops.Segments, wq *engine.Node) *engine.Node {
	return m.n.project(m.read(w, seg), wq)
}

// keyed holds keys and values, both [R x H d].
type keyed[T engine.Float] struct {
	n    *network[T]
	k, v *engine.Node
}

func (m *keyed[T]) scores(q *engine.Node, seg *ops.Segments) *engine.Node {
	n := m.n
	return n.Graph.Apply(&ops.Scores[T]{Segments: seg, Heads: n.cfg.Heads, Scale: n.attentionScale()}, q, m.k)
}

func (m *keyed[T]) read(w *engine.Node, seg *ops.Segments) *engine.Node {
	n := m.n
	return n.Graph.Apply(&ops.Read[T]{Segments: seg, Heads: n.cfg.Heads}, w, m.v)
}

func (m *keyed[T]) readMapped(w *engine.Node, seg *ops.Segments, wq *engine.Node) *engine.Node {
	return m.n.project(m.read(w, seg), wq)
}

// paired holds keys and values of the distinct pairs, both [P x H d].
type paired[T engine.Float] struct {
	n    *network[T]
	k, v *engine.Node
}

func (m *paired[T]) scores(q *engine.Node, seg *ops.Segments) *engine.Node {
	n := m.n
	return n.Graph.Apply(&ops.PairScores[T]{Segments: seg, Pairs: &n.In.Pairs, Heads: n.cfg.Heads, Scale: n.attentionScale()}, q, m.k)
}

func (m *paired[T]) read(w *engine.Node, seg *ops.Segments) *engine.Node {
	n := m.n
	return n.Graph.Apply(&ops.PairRead[T]{Segments: seg, Pairs: &n.In.Pairs, Heads: n.cfg.Heads}, w, m.v)
}

func (m *paired[T]) readMapped(w *engine.Node, seg *ops.Segments, wq *engine.Node) *engine.Node {
	return m.n.project(m.read(w, seg), wq)
}

// mapped holds W_q times the values of each head, [(H P) x H d], as well, for the W_q
// of every answer.
type mapped[T engine.Float] struct {
	paired[T]
	u map[*engine.Node]*engine.Node
}

func (m *mapped[T]) readMapped(w *engine.Node, seg *ops.Segments, wq *engine.Node) *engine.Node {
	n := m.n
	if m.u[wq] == nil {
		m.u[wq] = n.Graph.Apply(&ops.MapPairs[T]{Pairs: &n.In.Pairs, Heads: n.cfg.Heads}, m.v, wq)
	}
	return n.Graph.Apply(&ops.PairRead[T]{Segments: seg, Pairs: &n.In.Pairs, Heads: n.cfg.Heads, Mapped: true}, w, m.u[wq])
}

// project returns W x.
func (n *network[T]) project(x, w *engine.Node) *engine.Node {
	return n.Graph.Apply(&ops.Project[T]{}, x, w)
}

// store builds the memory (eq. 7 to 9).
func (n *network[T]) store(form Form) memory[T] {
	switch form {
	case Associative:
		return &associative[T]{n, n.embedRows()}
	case Pairs:
		return n.pairs()
	case Mapped:
		return &mapped[T]{*n.pairs(), map[*engine.Node]*engine.Node{}}
	}
	m := &keyed[T]{n, n.projectRows("Wk"), n.projectRows("Wv")}
	n.Show("keys", m.k)
	n.Show("values", m.v)
	return m
}

func (n *network[T]) pairs() *paired[T] {
	return &paired[T]{n, n.projectPairs("Wk"), n.projectPairs("Wv")}
}

// embedRows returns what a memory row is, vec(c_i) [R x S d_c].
func (n *network[T]) embedRows() *engine.Node {
	if n.cfg.separate() {
		return n.Graph.Apply(&ops.Embed[T]{Words: &n.In.Rows, Time: n.time}, n.Table("Wc"))
	}
	c := n.embed(&n.In.Rows, n.Graph.Apply)
	if n.time == nil {
		return c
	}
	rows, dim := n.In.Shape.MaxRows, n.cfg.Embedding
	codes := engine.NewArray(ops.Sinusoids[T](rows, dim), rows, dim)
	return n.Graph.Apply(&ops.AddAge[T]{Segments: &n.In.Segments}, c, n.Graph.Input("time codes", codes))
}

// projectRows returns keys or values, [R x H d].
func (n *network[T]) projectRows(param string) *engine.Node {
	if n.cfg.separate() {
		return n.Graph.Apply(&ops.EmbedProject[T]{Pairs: &n.In.Pairs, Time: n.time}, n.Table("Wc"), n.Graph.Param(param))
	}
	if n.summed == nil {
		n.summed = n.embedRows()
	}
	return n.Graph.Apply(&ops.Project[T]{Shared: true}, n.summed, n.Graph.Param(param))
}

// projectPairs returns keys or values of the distinct pairs, [P x H d].
func (n *network[T]) projectPairs(param string) *engine.Node {
	return n.Graph.Apply(&ops.EmbedProject[T]{Pairs: &n.In.Pairs, Time: n.time, Distinct: true}, n.Table("Wc"), n.Graph.Param(param))
}

// embed returns each line's words, concatenated or summed with the code of
// their positions; apply adds an operation that reads them.
func (n *network[T]) embed(words *ops.Words, apply func(engine.Kernel[T], ...*engine.Node) *engine.Node) *engine.Node {
	if n.cfg.separate() {
		return apply(&ops.Embed[T]{Words: words}, n.Table("Wc"))
	}
	return apply(&ops.EmbedSum[T]{Words: words, Added: ops.Sinusoids[T](words.Width, n.cfg.Embedding)}, n.Table("Wc"))
}

func (n *network[T]) attentionScale() float64 { return 1 / math.Sqrt(float64(n.cfg.Width)) }
