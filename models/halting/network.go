package halting

import (
	"math"
	"slices"

	"memobench/models/engine"
	"memobench/models/ops"
)

// Net adds a halting network to a graph, hop by hop. For PonderNet it is one linear unit on
// the state of the halted network.
type Net[T engine.Float] struct {
	Episode      *Episode
	Observations []*engine.Node // s_t of each hop, [B_t x (1 + N)]; none for PonderNet
	Outputs      []*engine.Node // (value, logit) of each hop, [B_t x 2]; (logit) for PonderNet, [B_t x 1]
	States       []*engine.Node // z_t of each hop, [B_t x hidden]; none for PonderNet
	Token        *engine.Node   // of the last decide

	cfg      *Config
	graph    *engine.Graph[T]
	param    func(name string) *engine.Node
	choose   Chooser
	previous *previousWeights[T]
	start    *engine.Array[T] // z_0 = 0, [B x hidden]
	z        *engine.Node     // state that enters the next hop; nil for PonderNet
}

// NewNet returns a halting network in graph g. param returns its parameters by their names in
// Specs. Call Begin before each run.
func NewNet[T engine.Float](g *engine.Graph[T], param func(name string) *engine.Node, cfg *Config, e *Episode, choose Chooser) *Net[T] {
	n := &Net[T]{Episode: e, cfg: cfg, graph: g, param: param, choose: choose, previous: new(previousWeights[T]), start: new(engine.Array[T])}
	n.start.Resize(1, cfg.HaltGRU)
	if cfg.Halting != ponderNet {
		n.z = g.Input("z_0", n.start)
	}
	return n
}

// Begin starts an episode on the current batch.
func (n *Net[T]) Begin() {
	n.Episode.Begin()
	clear(n.start.Resize(len(n.Episode.Hops), n.cfg.HaltGRU))
}

// EndHop ends a hop with attention weights w [R_t x H] after which the halted network has the
// given state, [B_t x ...]. It returns the state of the examples that continue; nil after the
// last hop.
func (n *Net[T]) EndHop(w, state *engine.Node) (next *engine.Node) {
	g, hop := n.graph, len(n.Outputs)
	var o *engine.Node
	if n.cfg.Halting == ponderNet {
		o = n.linear(state, "W", "b")
	} else {
		o = n.observe(hop, w)
	}
	n.Outputs = append(n.Outputs, o)
	n.Token = g.Apply(&decide[T]{Episode: n.Episode, Hop: hop, Choose: n.choose}, o)
	if hop == len(n.Episode.Stages)-1 {
		return nil
	}
	if n.z != nil {
		n.z = g.ApplyAfter(n.Token, gather[T](n.Episode, hop+1), n.z)
	}
	return g.ApplyAfter(n.Token, gather[T](n.Episode, hop+1), state)
}

// observe returns (v_t, l_t) = MLP_R(z_t) with z_t = GRU_R(z_{t-1}, s_t).
func (n *Net[T]) observe(hop int, w *engine.Node) *engine.Node {
	g := n.graph
	s := g.ApplyAfter(n.Token, &observation[T]{Episode: n.Episode, Previous: n.previous, Hop: hop}, w)
	in := []*engine.Node{s, n.z}
	for _, name := range []string{"Wir", "Wiz", "Win", "Whr", "Whz", "Whn", "br", "bz", "bn"} {
		in = append(in, n.param(Prefix+name))
	}
	n.z = g.Apply(&gru[T]{}, in...)
	n.Observations, n.States = append(n.Observations, s), append(n.States, n.z)
	return n.linear(g.Apply(&ops.Relu[T]{}, n.linear(n.z, "W1", "b1")), "W2", "b2")
}

// linear returns W x + b.
func (n *Net[T]) linear(x *engine.Node, weight, bias string) *engine.Node {
	return n.graph.Apply(&ops.Project[T]{}, x, n.param(Prefix+weight), n.param(Prefix+bias))
}

// HaltedStates returns each example's state when it halted, [B x w], given the states after
// every hop, [B_t x w].
func (n *Net[T]) HaltedStates(states []*engine.Node) *engine.Node {
	return n.graph.ApplyAfter(n.Token, &haltedStates[T]{Episode: n.Episode}, states...)
}

// PolicyLoss returns the policy loss, a scalar, given the final scores [B x O].
func (n *Net[T]) PolicyLoss(labels *ops.Words, scores *engine.Node) *engine.Node {
	in := append(slices.Clone(n.Outputs), scores)
	return n.graph.ApplyAfter(n.Token, &policy[T]{Config: n.cfg, Episode: n.Episode, Labels: labels}, in...)
}

// Mix returns the loss of adaptive computation time, a scalar, and its answer [B x O],
// given the scores after every hop, [B_t x O].
func (n *Net[T]) Mix(labels *ops.Words, scores []*engine.Node) (loss, mixed *engine.Node) {
	m := &actLoss[T]{Config: n.cfg, Episode: n.Episode, Labels: labels}
	loss = n.graph.ApplyAfter(n.Token, m, slices.Concat(n.Outputs, scores)...)
	return loss, n.graph.Apply(&mixedAnswer[T]{actLoss: m}, loss)
}

// observation computes the policy's input at a hop from its attention weights:
//
//	s_t = (D_t, onehot_N(t)),  D_t = mean over heads of -ln sum_i sqrt(w_t,i w_{t-1,i})
//
// w [R_t x H] -> s [B_t x (1 + N)]. D is the Bhattacharyya distance to the weights of the
// previous hop, which before the first hop are uniform over the example's rows. The weights
// get no gradient.
type observation[T engine.Float] struct {
	engine.NoGradient[T]
	Episode  *Episode
	Previous *previousWeights[T]
	Hop      int // counted from 0
}

// previousWeights holds each row's attention weights at its last hop.
type previousWeights[T engine.Float] struct {
	weights []T // [R x H]
}

// Epsilons of the distance, as in the reference implementation: one inside the root, whose
// slope at 0 is infinite, one for disjoint weights.
const (
	rootEpsilon        = 1e-24
	coefficientEpsilon = 1e-12
)

func (o *observation[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "R H -> B %d", 1+len(o.Episode.Stages))
}

func (o *observation[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	w, heads, stage := in[0].Data, in[0].Dim(1), o.Episode.Stages[o.Hop]
	width := 1 + len(o.Episode.Stages)
	s := out.Resize(len(stage.Examples), width)
	clear(s)
	if o.Hop == 0 {
		o.Previous.uniform(o.Episode.batch.Offsets, heads)
	}
	for i, b := range stage.Examples {
		lo, n := stage.Segments.Offsets[i], stage.Segments.Offsets[i+1]-stage.Segments.Offsets[i]
		now := w[lo*heads : (lo+n)*heads]
		before := o.Previous.weights[o.Episode.batch.Offsets[b]*heads:][:n*heads]
		s[i*width] = T(distance(now, before, heads))
		s[i*width+1+o.Hop] = 1
		copy(before, now)
	}
}

// uniform sets every example's weights to 1 / its number of rows.
func (m *previousWeights[T]) uniform(offsets []int, heads int) {
	m.weights = m.weights[:0]
	for b := range len(offsets) - 1 {
		n := offsets[b+1] - offsets[b]
		for range n * heads {
			m.weights = append(m.weights, 1/T(n))
		}
	}
}

// distance is the mean over heads of the Bhattacharyya distance between two
// sets of weights, [rows x heads].
func distance[T engine.Float](a, b []T, heads int) float64 {
	sum := 0.0
	for h := range heads {
		coefficient := 0.0
		for i := h; i < len(a); i += heads {
			coefficient += math.Sqrt(float64(a[i])*float64(b[i]) + rootEpsilon)
		}
		sum -= math.Log(max(coefficient, coefficientEpsilon))
	}
	return sum / float64(heads)
}
