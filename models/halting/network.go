package halting

import (
	"fmt"
	"math"
	"slices"

	"memobench/models/engine"
	"memobench/models/ops"
)

// Net adds a halting network to a graph, hop by hop.
type Net[T engine.Float] struct {
	Episode *Episode
	Seen    []*engine.Node // observation s_t of each hop, [B_t x (1 + N)]
	Outputs []*engine.Node // (value, logit) of each hop, [B_t x 2]
	States  []*engine.Node // z_t of each hop, [B_t x hidden]
	Token   *engine.Node   // of the last decide

	cfg    *Config
	graph  *engine.Graph[T]
	param  func(name string) *engine.Node
	choose Choose
	memory *lastWeights[T]
	start  *engine.Array[T] // z_0 = 0, [B x hidden]
	z      *engine.Node     // state that enters the next hop
}

// NewNet prepares a halting network in graph g, whose parameters, named as in
// Specs, are those that param returns. Call Begin before each run.
func NewNet[T engine.Float](g *engine.Graph[T], param func(name string) *engine.Node, cfg *Config, e *Episode, choose Choose) *Net[T] {
	n := &Net[T]{Episode: e, cfg: cfg, graph: g, param: param, choose: choose, memory: new(lastWeights[T]), start: new(engine.Array[T])}
	n.start.Resize(1, cfg.HaltGRU)
	n.z = g.Input("z_0", n.start)
	return n
}

// Begin starts an episode on the current batch.
func (n *Net[T]) Begin() {
	n.Episode.Begin()
	clear(n.start.Resize(len(n.Episode.Hops), n.cfg.HaltGRU))
}

// After ends a hop whose attention weights are w [R_t x H]: z_t = GRU_R(z_{t-1},
// s_t), (v_t, l_t) = MLP_R(z_t), and the choice. It returns state, the
// network's own [B_t x ...], as it enters the next hop; nil after the last.
func (n *Net[T]) After(w, state *engine.Node) (next *engine.Node) {
	g, hop := n.graph, len(n.Outputs)
	p := func(name string) *engine.Node { return n.param(Prefix + name) }
	seen := []*engine.Node{w}
	if n.Token != nil {
		seen = append(seen, n.Token)
	}
	s := g.Apply(&observe[T]{Episode: n.Episode, Memory: n.memory, Hop: hop}, seen...)
	z := g.Apply(&ops.GRU[T]{}, s, n.z,
		p("Wir"), p("Wiz"), p("Win"), p("Whr"), p("Whz"), p("Whn"), p("br"), p("bz"), p("bn"))
	hidden := g.Apply(&ops.Relu[T]{}, g.Apply(&ops.Bias[T]{}, g.Apply(&ops.Project[T]{}, z, p("W1")), p("b1")))
	o := g.Apply(&ops.Bias[T]{}, g.Apply(&ops.Project[T]{}, hidden, p("W2")), p("b2"))
	n.Seen, n.States, n.Outputs = append(n.Seen, s), append(n.States, z), append(n.Outputs, o)
	n.Token = g.Apply(&decide[T]{Episode: n.Episode, Hop: hop, Choose: n.choose}, o)
	if hop == len(n.Episode.Stages)-1 {
		return nil
	}
	n.z = g.Apply(&gather[T]{Episode: n.Episode, Hop: hop + 1}, z, n.Token)
	return g.Apply(&gather[T]{Episode: n.Episode, Hop: hop + 1}, state, n.Token)
}

// AtHalt returns what each example had when it halted, [B x w], of the states after
// every hop, [B_t x w].
func (n *Net[T]) AtHalt(states []*engine.Node) *engine.Node {
	return n.graph.Apply(&atHalt[T]{Episode: n.Episode}, append(slices.Clone(states), n.Token)...)
}

// PolicyLoss returns the loss of the policy, a scalar, given the final scores [B x O].
func (n *Net[T]) PolicyLoss(labels *ops.Labels, scores *engine.Node) *engine.Node {
	in := append(slices.Clone(n.Outputs), scores, n.Token)
	return n.graph.Apply(&policy[T]{Config: n.cfg, Episode: n.Episode, Labels: labels}, in...)
}

// Mix returns the loss of adaptive computation time, a scalar, and its answer [B x O],
// given the scores after every hop, [B_t x O].
func (n *Net[T]) Mix(labels *ops.Labels, scores []*engine.Node) (loss, mixed *engine.Node) {
	m := &mixture[T]{Config: n.cfg, Episode: n.Episode, Labels: labels}
	loss = n.graph.Apply(m, append(slices.Concat(n.Outputs, scores), n.Token)...)
	return loss, n.graph.Apply(&answer[T]{mixture: m}, loss)
}

// observe makes the policy's observation of a hop from its attention weights:
//
//	s_t = (D_t, onehot_N(t)),  D_t = mean over heads of -ln sum_i sqrt(w_t,i w_{t-1,i})
//
// w [R_t x H] -> s [B_t x (1 + N)]. D is the Bhattacharyya distance to the
// weights of the hop before; before the first hop they are uniform over the
// example's rows. The weights get no gradient. After the first hop the token of
// the last decide is a second input.
type observe[T engine.Float] struct {
	engine.NoGradient[T]
	Episode *Episode
	Memory  *lastWeights[T]
	Hop     int // counted from 0
}

// lastWeights keeps each row's attention weights from hop to hop.
type lastWeights[T engine.Float] struct {
	weights []T // [R x H] by place in the batch
}

// Guards of the distance, the values of the reference implementation: one
// inside the root, whose slope at 0 is infinite, one for disjoint weights.
const (
	rootGuard        = 1e-24
	coefficientGuard = 1e-12
)

func (o *observe[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if len(in) < 1 || len(in[0]) != 2 {
		return nil, fmt.Errorf("inputs %v, want attention weights [R x H] and a token", in)
	}
	return engine.Shape{in[0][0], 1 + len(o.Episode.Stages)}, nil
}

func (o *observe[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	w, heads, stage := in[0].Data, in[0].Dim(1), o.Episode.Stages[o.Hop]
	width := 1 + len(o.Episode.Stages)
	s := out.Resize(len(stage.Examples), width)
	clear(s)
	if o.Hop == 0 {
		o.Memory.uniform(o.Episode.batch.Offsets, heads)
	}
	for i, b := range stage.Examples {
		lo, n := stage.Segments.Offsets[i], stage.Segments.Offsets[i+1]-stage.Segments.Offsets[i]
		now := w[lo*heads : (lo+n)*heads]
		before := o.Memory.weights[o.Episode.batch.Offsets[b]*heads:][:n*heads]
		s[i*width] = T(distance(now, before, heads))
		s[i*width+1+o.Hop] = 1
		copy(before, now)
	}
}

// uniform sets every example's weights to 1 / its number of rows.
func (m *lastWeights[T]) uniform(offsets []int, heads int) {
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
			coefficient += math.Sqrt(float64(a[i])*float64(b[i]) + rootGuard)
		}
		sum -= math.Log(max(coefficient, coefficientGuard))
	}
	return sum / float64(heads)
}
