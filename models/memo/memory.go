package memo

import (
	"math"

	"memobench/models/engine"
	"memobench/models/ops"
)

// memory is the part of the network that depends on the form: scoring and reading rows.
type memory[T engine.Float] struct {
	// scores returns K q / sqrt(d) times the sharpness, [R x H], for queries q [B x H d] of the
	// examples of seg.
	scores func(q *engine.Node, seg *ops.Segments) *engine.Node
	// read returns w V, [B x H d], for attention weights w [R x H].
	read func(w *engine.Node, seg *ops.Segments) *engine.Node
	// mapped returns W_q (w V), [B x H d]; nil if W_q is applied after read.
	mapped func(w *engine.Node, seg *ops.Segments, wq *engine.Node) *engine.Node
}

// store builds the memory (7) to (9).
func (n *network[T]) store() memory[T] {
	switch n.Form {
	case associative:
		return n.associativeMemory(n.embedRows())
	case pairs, mapped:
		return n.pairMemory(n.projectPairs("Wk"), n.projectPairs("Wv"))
	}
	k, v := n.projectRows("Wk"), n.projectRows("Wv") // [R x H d]
	n.AddTrace("keys", k)
	n.AddTrace("values", v)
	return memory[T]{
		scores: func(q *engine.Node, seg *ops.Segments) *engine.Node {
			return n.Graph.Apply(&ops.Scores[T]{Segments: seg, Heads: n.cfg.Heads, Scale: n.attentionScale()}, q, k)
		},
		read: func(w *engine.Node, seg *ops.Segments) *engine.Node {
			return n.Graph.Apply(&ops.Read[T]{Segments: seg, Heads: n.cfg.Heads}, w, v)
		},
	}
}

// associativeMemory returns the associative form over C = [vec(c_i)], [R x S d_c].
func (n *network[T]) associativeMemory(c *engine.Node) memory[T] {
	g, heads := n.Graph, n.cfg.Heads
	return memory[T]{
		scores: func(q *engine.Node, seg *ops.Segments) *engine.Node {
			u := g.Apply(&ops.Project[T]{Transpose: true, Scale: n.attentionScale()}, q, g.Param("Wk"))
			return g.Apply(&ops.Scores[T]{Segments: seg, Heads: heads, Shared: true, Scale: 1}, u, c)
		},
		read: func(w *engine.Node, seg *ops.Segments) *engine.Node {
			return g.Apply(&ops.Project[T]{}, g.Apply(&ops.Read[T]{Segments: seg, Heads: heads, Shared: true}, w, c), g.Param("Wv"))
		},
	}
}

// pairMemory returns the forms pairs and mapped over the keys k and values v of the distinct
// pairs, both [P x H d].
func (n *network[T]) pairMemory(k, v *engine.Node) memory[T] {
	g, heads, in := n.Graph, n.cfg.Heads, &n.In.Pairs
	m := memory[T]{
		scores: func(q *engine.Node, seg *ops.Segments) *engine.Node {
			return g.Apply(&ops.PairScores[T]{Segments: seg, Pairs: in, Heads: heads, Scale: n.attentionScale()}, q, k)
		},
		read: func(w *engine.Node, seg *ops.Segments) *engine.Node {
			return g.Apply(&ops.PairRead[T]{Segments: seg, Pairs: in, Heads: heads}, w, v)
		},
	}
	if n.Form == mapped {
		products := map[*engine.Node]*engine.Node{} // of each answer's W_q with the values, [(H P) x H d]
		m.mapped = func(w *engine.Node, seg *ops.Segments, wq *engine.Node) *engine.Node {
			if products[wq] == nil {
				products[wq] = g.Apply(&ops.MapPairs[T]{Pairs: in, Heads: heads}, v, wq)
			}
			return g.Apply(&ops.PairRead[T]{Segments: seg, Pairs: in, Heads: heads, Mapped: true}, w, products[wq])
		}
	}
	return m
}

// readMapped returns W_q (w V), [B x H d].
func (m *memory[T]) readMapped(g *engine.Graph[T], w *engine.Node, seg *ops.Segments, wq *engine.Node) *engine.Node {
	if m.mapped != nil {
		return m.mapped(w, seg, wq)
	}
	return g.Apply(&ops.Project[T]{}, m.read(w, seg), wq)
}

// embedRows returns the embedded memory rows, vec(c_i) [R x S d_c].
func (n *network[T]) embedRows() *engine.Node {
	if n.cfg.separate() {
		return n.Graph.Apply(&ops.Embed[T]{Words: &n.In.Rows, Time: n.time, Segments: &n.In.Segments}, n.Table("Wc"))
	}
	c := n.embed(&n.In.Rows, n.Graph.Apply)
	if n.time == nil {
		return c
	}
	codes := engine.NewArray(n.time, n.In.Shape.MaxRows, n.cfg.Embedding)
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

// embed returns the embeddings of each row's words, concatenated or summed with position
// codes; apply adds the operation.
func (n *network[T]) embed(words *ops.Words, apply func(engine.Kernel[T], ...*engine.Node) *engine.Node) *engine.Node {
	if n.cfg.separate() {
		return apply(&ops.Embed[T]{Words: words}, n.Table("Wc"))
	}
	return apply(&ops.EmbedSum[T]{Words: words, Added: ops.Sinusoids[T](words.Width, n.cfg.Embedding)}, n.Table("Wc"))
}

func (n *network[T]) attentionScale() float64 {
	return n.cfg.Sharpness / math.Sqrt(float64(n.cfg.Width))
}

// Values of Config.Form. All compute the same function.
const (
	// associative projects the query into word space instead of building keys and values:
	// K q = C (W_k^T q), w V = (w C) W_v^T with C = [vec(c_i)].
	associative = "associative"
	// keys builds K and V once per batch, from projections of the distinct (slot, word)
	// pairs.
	keys = "keys"
	// pairs builds keys and values of the distinct (slot, word) pairs only. A row's score is
	// the sum of its pairs' scores, and attention weights are summed by pair before values
	// are read. It is cheap if few words make up many rows, as nodes make up edges.
	pairs = "pairs"
	// mapped is pairs with the values multiplied by W_q once, before they are read:
	// W_q (w V) = w (V W_q^T), head by head.
	mapped = "mapped"
)

// lookupCost estimates the time of adding one number from a table, in multiply-adds of a
// matrix product.
const lookupCost = 16

// passCost estimates the time of reading one number of a key or value for one query, in
// multiply-adds: a batch's keys and values exceed a core's caches.
const passCost = 6

// choose returns the cheapest form for a batch with the given numbers of examples, memory
// rows in total and answers, by the multiply-adds of a forward pass; the backward pass costs
// twice that in every form. It omits costs that all forms share.
func (c *Config) choose(examples, rows, answers int, p *ops.Pairs) string {
	if c.Form != "auto" {
		return c.Form
	}
	flat, row := c.Heads*c.Width, p.Slots*c.Embedding
	// Building K or V: project the distinct pairs and sum them by row. With summed words,
	// project every row.
	build := len(p.Words)*c.Embedding*flat + rows*p.Slots*flat
	if !c.separate() {
		row = c.Embedding
		build = rows * row * flat
	}
	// Per hop of each answer: two projections of each query and two passes over word space
	// (associative), two passes over keys and values (keys), or two products with all pairs
	// and two passes over the rows' words (pairs).
	hops := answers * c.Hops
	best, least := associative, 2*hops*(examples*flat*row+rows*c.Heads*row)
	if byKeys := 2 * (build + passCost*hops*rows*flat); byKeys < least {
		best, least = keys, byKeys
	}
	if n := len(p.Words); c.separate() {
		products := hops * examples * n * flat // of scores, and of reading
		byPairs := 2 * (n*c.Embedding*flat + products + lookupCost*hops*rows*p.Slots*c.Heads)
		if byPairs < least {
			best, least = pairs, byPairs
		}
		// Mapped replaces the product of W_q at every hop by one with each head's pairs per
		// answer, but reads wider values.
		project := hops * examples * flat * flat
		byMapped := answers*n*flat*flat + c.Heads*products
		if c.Recurrent && mappedAdvantage*byMapped < project && byPairs-products+byMapped < least+project {
			best = mapped
		}
	}
	return best
}

// mappedAdvantage is by which factor mapped must need fewer multiply-adds than the products
// that it saves: its matrices are narrower, so its products are slower.
const mappedAdvantage = 2
