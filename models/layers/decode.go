package layers

import (
	"memobench/models/engine"
	"memobench/models/ops"
)

// DecodingStep is the part of a network that computes one of the A answers, with its own
// weights, query and labels. All decoding steps share the Network and what the model built
// before Decode, such as the memory.
type DecodingStep[T engine.Float] struct {
	*Network[T]
	Number int // index of the answer, from 0

	// Set by the model.
	Scores    *engine.Node // of the answer, [B x O]
	Loss      *engine.Node // reported, a scalar
	Objective *engine.Node // minimized by training; nil for Loss

	token *engine.Node // of the completeQuery of the query; nil with teacher forcing
}

// Decode builds the decoding step of each answer in order and takes the mean of their losses.
// The query of an answer holds the previous answer: the right one with TeacherForcing, else
// the network's own.
func (n *Network[T]) Decode(build func(t *DecodingStep[T])) {
	var losses, objectives []*engine.Node
	hasObjective := false
	for a := range n.In.Shape.Answers {
		t := &DecodingStep[T]{Network: n, Number: a}
		if a > 0 && !n.TeacherForcing {
			t.token = n.Graph.Apply(&completeQuery[T]{Query: t.Query(), Slot: n.In.Slot}, n.steps[a-1].Scores)
		}
		if a > 0 { // dropout masks do not depend on earlier answers
			n.streams = uint64(a) << stepStreams
		}
		build(t)
		n.steps = append(n.steps, t)
		losses = append(losses, t.Loss)
		if t.Objective == nil {
			objectives = append(objectives, t.Loss)
		} else {
			objectives, hasObjective = append(objectives, t.Objective), true
		}
	}
	n.Loss = n.mean(losses)
	if hasObjective {
		n.Objective = n.mean(objectives)
	}
}

// stepStreams is the number of bits that number the noise streams of one answer.
const stepStreams = 32

func (n *Network[T]) mean(x []*engine.Node) *engine.Node {
	if len(x) == 1 {
		return x[0]
	}
	return n.Graph.Apply(&ops.Sum[T]{Mean: true}, x...)
}

// Stream returns the answer's noise stream with number base.
func (t *DecodingStep[T]) Stream(base uint64) uint64 { return uint64(t.Number)<<stepStreams + base }

// Query returns the words of the answer's query, [B x S_q]. Add operations that read them
// by ApplyToQuery.
func (t *DecodingStep[T]) Query() *ops.Words { return &t.In.Queries[t.Number] }

// Labels returns the right answers, [B x 1].
func (t *DecodingStep[T]) Labels() *ops.Words { return &t.In.Labels[t.Number] }

// ApplyToQuery adds an operation that reads the answer's query.
func (t *DecodingStep[T]) ApplyToQuery(k engine.Kernel[T], in ...*engine.Node) *engine.Node {
	return t.Graph.ApplyAfter(t.token, k, in...)
}

// CrossEntropy returns the mean cross entropy of the given scores, [B x O] each.
func (t *DecodingStep[T]) CrossEntropy(scores ...*engine.Node) *engine.Node {
	return t.Graph.Apply(&ops.CrossEntropy[T]{Labels: t.Labels()}, scores...)
}

// Own returns the name of the answer's copy of a parameter that EachAnswer declared.
func (t *DecodingStep[T]) Own(name string) string { return answerName(name, t.Number) }

// Param returns the answer's copy of a parameter.
func (t *DecodingStep[T]) Param(name string) *engine.Node { return t.Graph.Param(t.Own(name)) }

// Linear returns W x + b for the answer's copies of the parameters.
func (t *DecodingStep[T]) Linear(x *engine.Node, weight, bias string) *engine.Node {
	return t.Network.Linear(x, t.Own(weight), t.Own(bias))
}

// completeQuery writes the previous answers into the queries: the word in Slot of each row of
// Query becomes the argmax of the given scores [B x O]. It has no gradient. The result is a
// token; operations that read Query run after it (engine.Graph.ApplyAfter).
type completeQuery[T engine.Float] struct {
	engine.NoGradient[T]
	Query *ops.Words
	Slot  int
}

func (*completeQuery[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "B o -> 1")
}

func (a *completeQuery[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	out.Resize(1)[0] = 0
	o := in[0].Dim(1)
	for b := range in[0].Dim(0) {
		a.Query.IDs[b*a.Query.Width+a.Slot] = int32(ops.Argmax(in[0].Data[b*o : (b+1)*o]))
	}
}
