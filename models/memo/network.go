package memo

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"memobench/models/engine"
	"memobench/models/halting"
	"memobench/models/layers"
	"memobench/models/ops"
)

// purpose says what a graph is for.
type purpose int

const (
	training purpose = iota // dropout, loss and gradients
	predict                 // answer of the final hop
	tracing                 // answers of all hops
)

// network is one graph of MEMO.
type network[T engine.Float] struct {
	cfg   *Config
	graph *engine.Graph[T]
	in    *layers.Input
	pairs *ops.Pairs
	time  *ops.TimeCode[T] // nil without time encoding
	noise *ops.Noise
	use   purpose

	maxRows int // I

	streams uint64 // dropouts built so far

	memory  memory[T]
	summed  *gorgonia.Node      // rows as sums of their words, where they are
	halt    *halting.Net[T]     // nil with a fixed number of hops
	mixture *halting.Mixture[T] // of the answers, with ACT
	q0      *gorgonia.Node
	queries []*gorgonia.Node // Q after each hop, [B_t x H d]
	weights []*gorgonia.Node // attention of each hop before dropout, [R_t x H]
	hidden  []*gorgonia.Node // answer MLP's hidden units of each answered hop, [B_t x d_a]
	answers []*gorgonia.Node // scores of each answered hop, [B_t x O]
	loss    *gorgonia.Node   // of the answers
	cost    *gorgonia.Node   // what training descends: loss, and the policy's
	program *engine.Program[T]
}

// build adds all equations and compiles the graph.
func (n *network[T]) build(form Form) error {
	n.memory = n.store(form)
	n.q0 = n.graph.Apply(&ops.Project[T]{Shared: true}, n.embed(&n.in.Query), n.graph.Param("Wq0")) // (10)
	if n.cfg.halts() {
		n.haltingHops()
	} else {
		n.fixedHops()
	}
	outputs := append(append([]*gorgonia.Node{n.q0, n.loss}, n.weights...), n.answers...)
	var cost *gorgonia.Node
	if n.use == training {
		cost = n.cost
	}
	var err error
	if n.program, err = n.graph.Compile(cost, outputs...); err != nil {
		return fmt.Errorf("memo: %w", err)
	}
	return nil
}

// fixedHops reads N times and answers after the last hop, or after every hop
// where all are scored or shown.
func (n *network[T]) fixedHops() {
	q := n.q0
	for hop := 1; hop <= n.cfg.Hops; hop++ {
		q = n.hop(q, &n.in.Segments)
		if hop == n.cfg.Hops || n.use == tracing || n.cfg.Loss == "all" {
			n.answer(q)
		}
	}
	scored := n.answers
	if n.cfg.Loss == "final" {
		scored = scored[len(scored)-1:]
	}
	n.loss = n.graph.Apply(&ops.CrossEntropy[T]{Labels: &n.in.Labels}, scored...)
	n.cost = n.loss
}

// hop reads the memory once with queries q [B x H d] of the examples of seg and
// returns the updated queries (eq. 11 to 14).
func (n *network[T]) hop(q *gorgonia.Node, seg *ops.Segments) *gorgonia.Node {
	g := n.graph
	h := n.memory.scores(q, seg) // (11)
	if n.cfg.Wh != "none" {
		h = g.Apply(&ops.MixSlots[T]{Segments: seg}, g.Param("Wh"), h)
	}
	w := g.Apply(&ops.Softmax[T]{Segments: seg}, h)
	n.weights = append(n.weights, w)
	q = n.update(w, q, seg)
	n.queries = append(n.queries, q)
	return q
}

// update returns the queries after reading with attention weights w (eq. 12 to
// 14). Without recurrent attention, an ablation that the paper does not spell
// out, they are w V + W_q q, as in EMN.
func (n *network[T]) update(w, q *gorgonia.Node, seg *ops.Segments) *gorgonia.Node {
	g := n.graph
	if !n.cfg.Recurrent {
		return g.Apply(&ops.Sum[T]{}, n.memory.read(w, seg), g.Apply(&ops.Project[T]{}, q, g.Param("Wq")))
	}
	r := n.memory.read(n.dropout(w, n.cfg.DropoutAttention), seg) // (12), (13)
	r = g.Apply(&ops.Project[T]{}, r, g.Param("Wq"))
	if !n.cfg.normalizes() {
		return g.Apply(&ops.Sum[T]{}, r, q)
	}
	return g.Apply(&ops.AddLayerNorm[T]{Epsilon: layerNormEpsilon}, r, q, g.Param("ln_g"), g.Param("ln_b")) // (14)
}

// layerNormEpsilon keeps the division finite; the usual value.
const layerNormEpsilon = 1e-5

// answer adds the scores over the O answers of queries q (eq. 15).
func (n *network[T]) answer(q *gorgonia.Node) {
	g := n.graph
	hidden := g.Apply(&ops.Project[T]{}, q, g.Param("Wqa"))
	if n.cfg.AnswerBias {
		hidden = g.Apply(&ops.Bias[T]{}, hidden, g.Param("bqa"))
	}
	hidden = g.Apply(&ops.Relu[T]{}, hidden)
	n.hidden = append(n.hidden, hidden)
	a := g.Apply(&ops.Project[T]{}, n.dropout(hidden, n.cfg.DropoutOutput), g.Param("Wa"))
	if n.cfg.AnswerBias {
		a = g.Apply(&ops.Bias[T]{}, a, g.Param("ba"))
	}
	n.answers = append(n.answers, a)
}

// dropout drops elements of x while training.
func (n *network[T]) dropout(x *gorgonia.Node, rate float64) *gorgonia.Node {
	n.streams++ // also when nothing is dropped, so that one rate does not shift the other's masks
	if n.use != training || rate == 0 {
		return x
	}
	return n.graph.Apply(&ops.Dropout[T]{Rate: rate, Noise: n.noise, Stream: n.streams}, x)
}
