package dnc

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

// network is one graph of the DNC.
type network[T engine.Float] struct {
	graph *engine.Graph[T]
	in    *layers.Input

	scores  *gorgonia.Node // [B x O]
	loss    *gorgonia.Node
	program *engine.Program[T]
}

// build adds the equations and compiles the graph.
func (n *network[T]) build(memory *recurrence[T]) error {
	g := n.graph
	memory.segments = &n.in.Segments
	x := n.embed(&n.in.Rows, "We", "be")
	q := n.embed(&n.in.Query, "Weq", "beq")
	last := g.Apply(memory, x, q, g.Param("Wx"), g.Param("Wh"), g.Param("b"), g.Param("Wi"), g.Param("bi"))
	n.scores = n.linear(n.linear(last, "Wy", "by"), "Wa", "ba") // (11)
	n.loss = g.Apply(&ops.CrossEntropy[T]{Labels: &n.in.Labels}, n.scores)

	var err error
	if memory.training {
		n.program, err = g.Compile(n.loss, n.scores)
	} else {
		n.program, err = g.Compile(nil, n.scores, n.loss)
	}
	if err != nil {
		return fmt.Errorf("dnc: %w", err)
	}
	return nil
}

// embed returns W vec(c) + b for each line of words, whose embeddings c stay
// separate, as in MEMO.
func (n *network[T]) embed(words *ops.Words, weight, bias string) *gorgonia.Node {
	c := n.graph.Apply(&ops.Embed[T]{Words: words}, n.graph.Param("Wc"))
	return n.linear(c, weight, bias)
}

// linear returns W x + b.
func (n *network[T]) linear(x *gorgonia.Node, weight, bias string) *gorgonia.Node {
	g := n.graph
	return g.Apply(&ops.Bias[T]{}, g.Apply(&ops.Project[T]{}, x, g.Param(weight)), g.Param(bias))
}
