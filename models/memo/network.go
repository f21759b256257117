package memo

import (
	"fmt"
	"slices"

	"memobench/models/engine"
	"memobench/models/halting"
	"memobench/models/layers"
	"memobench/models/ops"
)

// network is one graph of MEMO: the memory and a decoder per answer.
type network[T engine.Float] struct {
	layers.Network[T]
	cfg  *Config
	time []T // code of each age, [I x d_c]; nil without time encoding

	memory   memory[T]
	summed   *engine.Node  // embedded rows, if words are summed
	decoders []*decoder[T] // [A]
}

// decoder computes one answer.
type decoder[T engine.Float] struct {
	*layers.DecodingStep[T]
	n *network[T]

	halt     *halting.Net[T] // nil with a fixed number of hops
	q0       *engine.Node
	recalled *engine.Node   // W_r vec(q W_c), [B x H d]; nil without recall
	queries  []*engine.Node // Q after each hop, [B_t x H d]
	weights  []*engine.Node // attention of each hop before dropout, [R_t x H]
	hidden   []*engine.Node // answer MLP's hidden units of each answered hop, [B_t x d_a]
	scores   []*engine.Node // scores of each answered hop, [B_t x O]
}

// Build adds the equations.
func (n *network[T]) Build() {
	if n.cfg.timed(n.In.Shape) {
		n.time = ops.Sinusoids[T](n.In.Shape.MaxRows, n.cfg.Embedding)
	}
	n.memory = n.store()
	n.Decode(func(l *layers.DecodingStep[T]) {
		t := &decoder[T]{DecodingStep: l, n: n}
		words := n.embed(t.Query(), t.ApplyToQuery)
		t.q0 = t.Graph.Apply(&ops.Project[T]{Shared: true}, words, t.Param("Wq0")) // (10)
		if n.cfg.Recall {
			t.recalled = t.Graph.Apply(&ops.Project[T]{}, words, t.Param("Wr"))
		}
		if n.cfg.halts() {
			t.haltingHops()
		} else {
			t.fixedHops()
		}
		n.decoders = append(n.decoders, t)
		n.AddTrace("query", t.q0)
		n.AddTrace("weights", t.weights...)
		n.AddTrace("scores", t.scores...)
	})
}

// Begin starts the halting episodes.
func (n *network[T]) Begin() {
	for _, t := range n.decoders {
		if t.halt != nil {
			t.halt.Begin()
		}
	}
}

// Hops implements layers.Equations.
func (n *network[T]) Hops(dst []int) []int {
	if !n.cfg.halts() {
		return n.ConstantHops(dst, n.cfg.Hops)
	}
	for i := range n.In.Segments.Len() {
		for _, t := range n.decoders {
			dst = append(dst, t.halt.Episode.Hops[i])
		}
	}
	return dst
}

// fixedHops reads N times. It answers after the last hop, after every hop that the loss
// scores, and after all if they are traced.
func (t *decoder[T]) fixedHops() {
	cfg, q := t.n.cfg, t.q0
	from := cfg.Hops
	if cfg.Loss != "final" {
		from = cfg.LossFrom
	}
	var scored []*engine.Node
	for hop := 1; hop <= cfg.Hops; hop++ {
		q = t.hop(q, &t.In.Segments)
		if hop >= from {
			scored = append(scored, t.answer(q))
		} else if t.Tracing {
			t.answer(q)
		}
	}
	t.Scores = scored[len(scored)-1]
	if cfg.Loss == "mean" {
		t.Scores = t.Graph.Apply(&ops.Sum[T]{Mean: true}, scored...)
		scored = []*engine.Node{t.Scores}
	}
	t.Loss = t.CrossEntropy(scored...)
}

// haltingHops reads until the halting network stops each example, after at most N hops. Later
// hops skip examples that have halted. Each answer has its own halting network and episode.
// PonderNet trains on the answers after all hops of all examples; the next query then holds
// the answer at the hop at which the example would halt in a prediction.
func (t *decoder[T]) haltingHops() {
	cfg, training := &t.n.cfg.Config, t.Training
	episode := t.episode()
	ponders := training && cfg.Halting == "ponder"
	choose := cfg.Choices(episode, t.Noise, t.Stream(0), training)
	if cfg.Halting == "ponder" && !training {
		choose = episode.Sample(t.Uniform)
	}
	t.halt = halting.NewNet(t.Graph, t.Param, cfg, episode, choose)
	everyHop, q := ponders || cfg.Halting == "act", t.q0
	for hop := range t.n.cfg.Hops {
		q = t.hop(q, &episode.Stages[hop].Segments)
		if everyHop {
			t.answer(q)
		}
		q = t.halt.EndHop(t.weights[hop], q)
	}
	switch {
	case ponders:
		t.Objective, t.Loss = halting.PonderLoss(t.Graph, &cfg.Prior, t.Labels(), t.halt.Outputs, t.scores)
		episode = t.episode()
		t.Scores = halting.Halted(t.Graph, episode, episode.Sample(t.Uniform), t.halt.Outputs, t.scores)
	case everyHop:
		t.Objective, t.Scores = t.halt.Mix(t.Labels(), t.scores)
		t.Loss = t.CrossEntropy(t.Scores) // without the ponder cost
	default:
		t.Scores = t.answer(t.halt.HaltedStates(t.queries))
		t.Loss = t.CrossEntropy(t.Scores)
		if training {
			t.Objective = t.Graph.Apply(&ops.Sum[T]{}, t.Loss, t.halt.PolicyLoss(t.Labels(), t.Scores))
		}
	}
}

// episode returns a new episode of up to N hops.
func (t *decoder[T]) episode() *halting.Episode {
	return halting.NewEpisode(t.n.cfg.Hops, &t.In.Segments)
}

// hop reads the memory once with queries q [B x H d] of the examples of seg and
// returns the updated queries (eq. 11 to 14).
func (t *decoder[T]) hop(q *engine.Node, seg *ops.Segments) *engine.Node {
	g := t.Graph
	h := t.n.memory.scores(q, seg) // (11)
	if t.n.cfg.Wh != "none" {
		h = g.Apply(&ops.MixSlots[T]{Segments: seg}, t.Param("Wh"), h)
	}
	if t.Training && t.n.cfg.AttentionNoise > 0 {
		h = g.Apply(t.NextGaussian(t.n.cfg.AttentionNoise), h)
	}
	w := g.Apply(&ops.Softmax[T]{Segments: seg, Linear: t.n.cfg.linearHeads(), Sink: t.n.cfg.Sink}, h)
	t.weights = append(t.weights, w)
	q = t.update(w, q, seg)
	if t.Training && t.n.cfg.QueryNoise > 0 {
		q = g.Apply(t.NextGaussian(t.n.cfg.QueryNoise), q)
	}
	t.queries = append(t.queries, q)
	return q
}

// update returns the queries after reading with attention weights w (eq. 12 to 14). The paper
// does not define the ablation without recurrent attention; here it is w V + W_q q, as in
// EMN.
func (t *decoder[T]) update(w, q *engine.Node, seg *ops.Segments) *engine.Node {
	g, cfg := t.Graph, t.n.cfg
	if !cfg.Recurrent {
		return g.Apply(&ops.Project[T]{}, q, t.Param("Wq"), t.n.memory.read(w, seg))
	}
	r := t.n.memory.readMapped(g, t.Dropout(w, cfg.DropoutAttention), seg, t.Param("Wq")) // (12), (13)
	if cfg.Recall {
		r = g.Apply(&ops.Sum[T]{}, r, t.recalled)
	}
	if !cfg.normalizes() {
		return g.Apply(&ops.Sum[T]{}, r, q)
	}
	return g.Apply(&ops.LayerNorm[T]{Epsilon: layerNormEpsilon}, r, q, t.Param("ln_g"), t.Param("ln_b")) // (14)
}

// layerNormEpsilon is added to the variance.
const layerNormEpsilon = 1e-5

// answer returns the scores over the O answers of queries q (eq. 15).
func (t *decoder[T]) answer(q *engine.Node) *engine.Node {
	linear := func(x *engine.Node, weight, bias string) *engine.Node {
		in := []*engine.Node{x, t.Param(weight)}
		if t.n.cfg.AnswerBias {
			in = append(in, t.Param(bias))
		}
		return t.Graph.Apply(&ops.Project[T]{}, in...)
	}
	hidden := t.Graph.Apply(&ops.Relu[T]{}, linear(q, "Wqa", "bqa"))
	t.hidden = append(t.hidden, hidden)
	a := linear(t.Dropout(hidden, t.n.cfg.DropoutOutput), "Wa", "ba")
	t.scores = append(t.scores, a)
	return a
}

// Warnings names the answers whose MLP is dead: no ReLU unit is active for any example at any
// scored hop. Then there is no gradient, and the loss stays constant, at ln O without answer
// biases. It happens early in training, with large initial values and no warm-up.
func (n *network[T]) Warnings() []string {
	var list []string
	for _, t := range n.decoders {
		if t.active() {
			continue
		}
		which := ""
		if len(n.decoders) > 1 {
			which = fmt.Sprintf(" of answer %d", t.Number+1)
		}
		list = append(list, "answer MLP"+which+": every relu unit is off for the whole batch")
	}
	return list
}

// active reports whether a hidden unit of the answer MLP was nonzero in the last run.
func (t *decoder[T]) active() bool {
	return slices.ContainsFunc(t.hidden, func(h *engine.Node) bool {
		return slices.ContainsFunc(t.Array(h), func(v T) bool { return v != 0 }) // also for NaN
	})
}
