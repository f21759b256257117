package memo

import (
	"slices"

	"gorgonia.org/gorgonia"

	"memobench/models/engine"
	"memobench/models/halting"
	"memobench/models/layers"
	"memobench/models/ops"
)

// network is one graph of MEMO. Training drops elements; tracing answers after
// every hop.
type network[T engine.Float] struct {
	layers.Network[T]
	cfg  *Config
	time *ops.TimeCode[T] // nil without time encoding

	memory  memory[T]
	summed  *gorgonia.Node      // rows as sums of their words, where they are
	halt    *halting.Net[T]     // nil with a fixed number of hops
	mixture *halting.Mixture[T] // of the answers, with ACT
	q0      *gorgonia.Node
	queries []*gorgonia.Node // Q after each hop, [B_t x H d]
	weights []*gorgonia.Node // attention of each hop before dropout, [R_t x H]
	hidden  []*gorgonia.Node // answer MLP's hidden units of each answered hop, [B_t x d_a]
	answers []*gorgonia.Node // scores of each answered hop, [B_t x O]
}

// Build adds all equations.
func (n *network[T]) Build() {
	if n.cfg.timed(n.In.Shape) {
		n.time = ops.NewTimeCode[T](&n.In.Segments, n.cfg.Embedding)
	}
	n.memory = n.store(Form(n.Form))
	n.q0 = n.Graph.Apply(&ops.Project[T]{Shared: true}, n.embed(&n.In.Query), n.Graph.Param("Wq0")) // (10)
	if n.cfg.halts() {
		n.haltingHops()
	} else {
		n.fixedHops()
	}
	n.Answer = n.answers[len(n.answers)-1]
	n.Outputs = slices.Concat([]*gorgonia.Node{n.q0}, n.weights, n.answers)
}

// Begin starts the halting network's episode.
func (n *network[T]) Begin() {
	if n.halt != nil {
		n.halt.Begin()
	}
}

// Scores returns the scores of the last hop's answers or, with ACT, of the
// mixture of all.
func (n *network[T]) Scores() []T {
	if n.mixture != nil {
		return n.mixture.Answer
	}
	return n.Network.Scores()
}

// Hops appends the hops that each example took.
func (n *network[T]) Hops(dst []int) []int {
	if n.halt != nil {
		return append(dst, n.halt.Episode.Hops...)
	}
	return n.Same(dst, n.cfg.Hops)
}

// Warnings tells when no hidden unit of an answer is on: then no gradient
// passes, and the loss stays at ln O for good.
func (n *network[T]) Warnings() []string {
	for _, v := range n.Array(n.hidden[0]) {
		if v != 0 {
			return nil
		}
	}
	return []string{"answer MLP: every relu unit is off for the whole batch"}
}

// fixedHops reads N times and answers after the last hop, or after every hop
// where all are scored or shown.
func (n *network[T]) fixedHops() {
	q := n.q0
	for hop := 1; hop <= n.cfg.Hops; hop++ {
		q = n.hop(q, &n.In.Segments)
		if hop == n.cfg.Hops || n.Use == layers.Tracing || n.cfg.Loss == "all" {
			n.answer(q)
		}
	}
	scored := n.answers
	if n.cfg.Loss == "final" {
		scored = scored[len(scored)-1:]
	}
	n.Loss = n.Graph.Apply(&ops.CrossEntropy[T]{Labels: &n.In.Labels}, scored...)
}

// hop reads the memory once with queries q [B x H d] of the examples of seg and
// returns the updated queries (eq. 11 to 14).
func (n *network[T]) hop(q *gorgonia.Node, seg *ops.Segments) *gorgonia.Node {
	g := n.Graph
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
	g := n.Graph
	if !n.cfg.Recurrent {
		return g.Apply(&ops.Sum[T]{}, n.memory.read(w, seg), g.Apply(&ops.Project[T]{}, q, g.Param("Wq")))
	}
	r := n.memory.read(n.Dropout(w, n.cfg.DropoutAttention), seg) // (12), (13)
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
	g := n.Graph
	hidden := g.Apply(&ops.Project[T]{}, q, g.Param("Wqa"))
	if n.cfg.AnswerBias {
		hidden = g.Apply(&ops.Bias[T]{}, hidden, g.Param("bqa"))
	}
	hidden = g.Apply(&ops.Relu[T]{}, hidden)
	n.hidden = append(n.hidden, hidden)
	a := g.Apply(&ops.Project[T]{}, n.Dropout(hidden, n.cfg.DropoutOutput), g.Param("Wa"))
	if n.cfg.AnswerBias {
		a = g.Apply(&ops.Bias[T]{}, a, g.Param("ba"))
	}
	n.answers = append(n.answers, a)
}
