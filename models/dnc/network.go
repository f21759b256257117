package dnc

import (
	"gorgonia.org/gorgonia"

	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

// network is one graph of the DNC.
type network[T engine.Float] struct {
	layers.Network[T]
	cfg    *Config
	memory *recurrence[T]
}

// Build adds the equations.
func (n *network[T]) Build() {
	g := n.Graph
	n.memory = &recurrence[T]{
		cell: cell[T]{
			sizes: n.cfg.sizes(n.In.Shape), epsilon: T(n.cfg.ContentEpsilon),
			history: history[T]{budget: defaultBudget},
		},
		segments: &n.In.Segments, ponder: n.cfg.Ponder, training: n.Use == layers.Training,
	}
	x := n.embed(&n.In.Rows, "We", "be")
	q := n.embed(&n.In.Query, "Weq", "beq")
	last := g.Apply(n.memory, x, q, g.Param("Wx"), g.Param("Wh"), g.Param("b"), g.Param("Wi"), g.Param("bi"))
	n.Answer = n.Linear(n.Linear(last, "Wy", "by"), "Wa", "ba") // (11)
	n.Loss = g.Apply(&ops.CrossEntropy[T]{Labels: &n.In.Labels}, n.Answer)
}

// embed returns W vec(c) + b for each line of words, whose embeddings c stay
// separate, as in MEMO.
func (n *network[T]) embed(words *ops.Words, weight, bias string) *gorgonia.Node {
	c := n.Graph.Apply(&ops.Embed[T]{Words: words}, n.Graph.Param("Wc"))
	return n.Linear(c, weight, bias)
}
