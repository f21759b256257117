package memo

import (
	"slices"

	"gorgonia.org/gorgonia"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/layers"
)

// Trace holds what a forward pass computed on the way.
type Trace[T engine.Float] struct {
	Query   []T   // q_0, [B x H d]
	Weights [][]T // attention of each hop, [R x H]
	Scores  [][]T // answer scores of each hop, [B x O]
	Keys    []T   // [R x H d]; nil in the associative form, which has none
	Values  []T   // likewise
	Loss    float64
}

// Trace evaluates the batch and returns copies of what every hop computed.
func (m *Model[T]) Trace(b *datasets.Batch) (*Trace[T], error) {
	n, loss, err := m.Run(b, layers.Tracing)
	if err != nil {
		return nil, err
	}
	read := func(node *gorgonia.Node) []T { return slices.Clone(n.Array(node)) }
	t := &Trace[T]{Query: read(n.q0), Loss: loss}
	for _, w := range n.weights {
		t.Weights = append(t.Weights, read(w))
	}
	for _, a := range n.answers {
		t.Scores = append(t.Scores, read(a))
	}
	if k, ok := n.memory.(*keyed[T]); ok {
		t.Keys, t.Values = read(k.k), read(k.v)
	}
	return t, nil
}
