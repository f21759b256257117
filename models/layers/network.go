package layers

import (
	"cmp"

	"memobench/models/engine"
	"memobench/models/ops"
)

// Equations is a model's network type. It embeds Network, which has defaults for all methods
// but Build.
type Equations[T engine.Float] interface {
	// Build adds the equations to Graph and sets the nodes of Network.
	Build()

	// Begin prepares a run on the current batch of In.
	Begin()

	// Scores returns the unnormalized log-probabilities of the last run,
	// [B x A x O]. They are valid until the next run.
	Scores() []T

	// Hops appends the hops of the last run to dst, [B x A]. Without hops it returns nil.
	Hops(dst []int) []int

	// Warnings names the problems of a training step.
	Warnings() []string

	common() *Network[T]
}

// Network is what the graphs of all models have in common.
type Network[T engine.Float] struct {
	Graph          *engine.Graph[T]
	In             *Input // holds the batch of each run
	Noise          *ops.Noise
	Training       bool   // with dropout and gradients
	Tracing        bool   // with what every hop computes
	TeacherForcing bool   // queries hold the right previous answers or none, not the network's own
	Form           string // from Design.Form

	Loss      *engine.Node // reported, a scalar; set by Decode
	Objective *engine.Node // minimized by training, nil for Loss; set by Decode

	traced []traced

	steps   []*DecodingStep[T]
	tables  map[string]*engine.Node // of Table, by parameter
	scores  []T                     // of all answers, if there are several
	streams uint64                  // of the last dropout
	program *engine.Program[T]
}

// traced is a node that is part of a Trace.
type traced struct {
	name string
	node *engine.Node
}

// AddTrace adds nodes to the Trace under a name. Every run computes them.
func (n *Network[T]) AddTrace(name string, nodes ...*engine.Node) {
	for _, node := range nodes {
		n.traced = append(n.traced, traced{name, node})
	}
}

// Begin does nothing.
func (n *Network[T]) Begin() {}

// Scores implements Equations.
func (n *Network[T]) Scores() []T {
	first := n.Array(n.steps[0].Scores)
	if len(n.steps) == 1 {
		return first
	}
	n.scores = n.scores[:0]
	o := n.In.Shape.Vocabulary
	for at := 0; at < len(first); at += o {
		for _, t := range n.steps {
			n.scores = append(n.scores, n.Array(t.Scores)[at:at+o]...)
		}
	}
	return n.scores
}

// Hops returns nil.
func (n *Network[T]) Hops([]int) []int { return nil }

// Warnings returns nil.
func (n *Network[T]) Warnings() []string { return nil }

func (n *Network[T]) common() *Network[T] { return n }

// compile compiles the graph.
func (n *Network[T]) compile() (err error) {
	var cost *engine.Node
	if n.Training {
		cost = cmp.Or(n.Objective, n.Loss)
	}
	outputs := []*engine.Node{n.Loss}
	for _, t := range n.steps {
		outputs = append(outputs, t.Scores)
	}
	for _, s := range n.traced {
		outputs = append(outputs, s.node)
	}
	n.program, err = n.Graph.Compile(cost, outputs...)
	return err
}

// Array returns the values of a node in the last run, valid until the next run.
func (n *Network[T]) Array(node *engine.Node) []T { return n.program.Array(node).Data }

// Columns returns the first of the columns of x, [R x columns], in float32.
func (n *Network[T]) Columns(x []T, columns, first int) (out []float32) {
	for at, v := range x {
		if at%columns < first {
			out = append(out, float32(v))
		}
	}
	return out
}

// ConstantHops appends the given number of hops for each answer of the batch to dst.
func (n *Network[T]) ConstantHops(dst []int, hops int) []int {
	for range n.In.Segments.Len() * n.In.Shape.Answers {
		dst = append(dst, hops)
	}
	return dst
}

// Linear returns W x + b for the named parameters.
func (n *Network[T]) Linear(x *engine.Node, weight, bias string) *engine.Node {
	return n.Graph.Apply(&ops.Project[T]{}, x, n.Graph.Param(weight), n.Graph.Param(bias))
}

// Dropout applies dropout to x while training.
func (n *Network[T]) Dropout(x *engine.Node, rate float64) *engine.Node {
	if d := n.NextDropout(rate); d != nil {
		return n.Graph.Apply(d, x)
	}
	return x
}

// NextDropout returns a dropout with its own masks; nil if nothing is dropped.
func (n *Network[T]) NextDropout(rate float64) *ops.Dropout[T] {
	n.streams++ // even if nothing is dropped, so that masks do not depend on other rates
	if !n.Training || rate == 0 {
		return nil
	}
	return &ops.Dropout[T]{Rate: rate, Noise: n.Noise, Stream: n.streams}
}

// NextGaussian returns normal noise with its own random numbers.
func (n *Network[T]) NextGaussian(std float64) *ops.Gaussian[T] {
	n.streams++
	return &ops.Gaussian[T]{Std: std, Noise: n.Noise, Stream: n.streams}
}

// Table returns the embeddings of the words: the named parameter itself, [O x d], or with
// dense items the product of each distinct item with it, [U x d], computed once per run.
func (n *Network[T]) Table(name string) *engine.Node {
	w := n.Graph.Param(name)
	if n.In.Items == nil {
		return w
	}
	if _, built := n.tables[name]; !built {
		if n.tables == nil {
			n.tables = map[string]*engine.Node{}
		}
		n.tables[name] = n.Graph.Apply(&embedItems[T]{Items: n.In.Items}, w)
	}
	return n.tables[name]
}
