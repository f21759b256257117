package layers

import (
	"memobench/models/engine"
	"memobench/models/ops"
)

// DecodingStep is the part of a network that gives one of the A answers, with its own
// weights, query and labels. Decode share what Network holds and what the model
// has built before them, such as the memory.
type DecodingStep[T engine.Float] struct {
	*Network[T]
	Number int // of the answer, counted from 0

	// Set by the model.
	Scores    *engine.Node // of the answer, [B x O]
	Loss      *engine.Node // as reported, a scalar
	Objective *engine.Node // what training descends; nil for Loss

	token *engine.Node // of the CompleteQuery that completes the query; nil where it is given
}

// Decode builds the part of each answer in turn and takes the mean of their
// losses. The query of an answer holds the one before it: the right one where
// Forced says so, else the network's own.
func (n *Network[T]) Decode(build func(t *DecodingStep[T])) {
	var losses, costs []*engine.Node
	costly := false
	for a := range n.In.Shape.Answers {
		t := &DecodingStep[T]{Network: n, Number: a}
		if a > 0 && !n.TeacherForcing {
			t.token = n.Graph.Apply(&ops.CompleteQuery[T]{Query: t.Query(), Slot: n.In.Slot}, n.steps[a-1].Scores)
		}
		if a > 0 { // masks of its own, whatever comes before it
			n.streams = uint64(a) << stepStreams
		}
		build(t)
		n.steps = append(n.steps, t)
		losses = append(losses, t.Loss)
		if t.Objective == nil {
			costs = append(costs, t.Loss)
		} else {
			costs, costly = append(costs, t.Objective), true
		}
	}
	n.Loss = n.mean(losses)
	if costly {
		n.Objective = n.mean(costs)
	}
}

// stepStreams is the number of bits that distinguish the streams of noise of one
// answer.
const stepStreams = 32

func (n *Network[T]) mean(x []*engine.Node) *engine.Node {
	if len(x) == 1 {
		return x[0]
	}
	return n.Graph.Apply(&ops.Sum[T]{Mean: true}, x...)
}

// Stream returns a stream of noise of the answer's own, for uses that count
// their streams from base on.
func (t *DecodingStep[T]) Stream(base uint64) uint64 { return uint64(t.Number)<<stepStreams + base }

// Query returns the words of the answer's query, [B x S_q]. Operations that
// read them are added by ApplyToQuery.
func (t *DecodingStep[T]) Query() *ops.Words { return &t.In.Queries[t.Number] }

// Labels returns the right answers, [B].
func (t *DecodingStep[T]) Labels() *ops.Labels { return &t.In.Labels[t.Number] }

// ApplyToQuery adds an operation that reads the answer's query.
func (t *DecodingStep[T]) ApplyToQuery(k engine.Kernel[T], in ...*engine.Node) *engine.Node {
	if t.token == nil {
		return t.Graph.Apply(k, in...)
	}
	return t.Graph.Apply(&ops.ControlDependency[T]{Kernel: k}, append(in, t.token)...)
}

// CrossEntropy returns the mean loss of the given scores of the answer, [B x O]
// each.
func (t *DecodingStep[T]) CrossEntropy(scores ...*engine.Node) *engine.Node {
	return t.Graph.Apply(&ops.CrossEntropy[T]{Labels: t.Labels()}, scores...)
}

// Own returns the name of a parameter of the answer's own, declared by
// EachAnswer.
func (t *DecodingStep[T]) Own(name string) string { return answerName(name, t.Number) }

// Param returns a parameter of the answer's own.
func (t *DecodingStep[T]) Param(name string) *engine.Node { return t.Graph.Param(t.Own(name)) }

// Linear returns W x + b for parameters of the answer's own.
func (t *DecodingStep[T]) Linear(x *engine.Node, weight, bias string) *engine.Node {
	return t.Network.Linear(x, t.Own(weight), t.Own(bias))
}
