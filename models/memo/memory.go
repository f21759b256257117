package memo

import (
	"math"

	"memobench/models/engine"
	"memobench/models/ops"
)

// memory is the part of the network that depends on the form: how queries are
// compared with the stored rows, and how rows are read.
type memory[T engine.Float] struct {
	// scores returns K q / sqrt(d), [R x H], for queries q [B x H d] of the
	// examples of seg.
	scores func(q *engine.Node, seg *ops.Segments) *engine.Node
	// read returns w V, [B x H d], for attention weights w [R x H].
	read func(w *engine.Node, seg *ops.Segments) *engine.Node
	// mapped returns W_q (w V), [B x H d]; nil where W_q multiplies what was read.
	mapped func(w *engine.Node, seg *ops.Segments, wq *engine.Node) *engine.Node
}

// store builds the memory (eq. 7 to 9).
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

// associativeMemory reads C = [vec(c_i)], [R x S d_c].
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

// pairMemory reads keys and values of the distinct pairs, both [P x H d].
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
		products := map[*engine.Node]*engine.Node{} // of the W_q of every answer with the values, [(H P) x H d]
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

// Values of Config.Form: ways of reading the memory. All compute the same function.
const (
	// associative projects the query into word space and never builds keys or
	// values: K q = C (W_k^T q), w V = (w C) W_v^T.
	associative = "associative"
	// keys builds K and V once per batch, from the projections of the distinct
	// (slot, word) pairs, and reads them at every hop.
	keys = "keys"
	// pairs builds the keys and values of the distinct (slot, word) pairs alone. A
	// query is compared with each of them, a row's score is the sum over its words,
	// and attention is added up by pair before values are read.
	pairs = "pairs"
	// mapped is pairs with the values multiplied by W_q before they are read, once a
	// step: W_q (w V) = w (V W_q^T), head by head.
	mapped = "mapped"
)

// lookupCost is about how many multiply-adds of a matrix product take as long as
// adding one number from a table; a rough estimate, which only decides cost.
const lookupCost = 16

// passCost is the same for a number of a key or value, which one query reads at a time:
// keys and values of a batch are larger than a core's caches.
const passCost = 6

// choose returns the cheapest form for a batch of examples with rows memory
// rows in total, the given distinct pairs and so many answers, by multiply-adds
// of a forward pass; backward costs twice that in every form. What all forms
// share is left out: the embedding of each distinct word, which costs something
// where words are dense items, and W_c's gradient.
func (c *Config) choose(examples, rows, answers int, p *ops.Pairs) string {
	if c.Form != "auto" {
		return c.Form
	}
	flat, row := c.Heads*c.Width, p.Slots*c.Embedding
	// Building K or V: project the distinct pairs, add them up per row; where a
	// row is one sum of words, project every row.
	build := len(p.Words)*c.Embedding*flat + rows*p.Slots*flat
	if !c.separate() {
		row = c.Embedding
		build = rows * row * flat
	}
	// Per hop of each answer, two projections of each query and two passes over
	// word space, or two passes over keys and values, which all answers share, or
	// two products with all pairs and two passes over the rows' words.
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
		// W_q times what was read, at every hop, or every answer's W_q times each
		// head's pairs and a product with those instead of one with values.
		project := hops * examples * flat * flat
		byMapped := answers*n*flat*flat + c.Heads*products
		if c.mapsPairs() && mappedAdvantage*byMapped < project && byPairs-products+byMapped < least+project {
			best = mapped
		}
	}
	return best
}

// mappedAdvantage is how many times fewer multiply-adds than the product that Mapped saves
// its own must take: they are narrower, and so slower.
const mappedAdvantage = 2

// mapsPairs reports whether what is read is multiplied by W_q, and by pairs can be.
func (c *Config) mapsPairs() bool { return c.separate() && c.Recurrent }
