package memo

import (
	"gorgonia.org/gorgonia"

	"memobench/datasets"
	"memobench/models/engine"
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
	n, err := m.run(b, tracing)
	if err != nil {
		return nil, err
	}
	read := func(node *gorgonia.Node) []T { return append([]T(nil), n.program.Array(node).Data...) }
	t := &Trace[T]{Query: read(n.q0), Loss: float64(n.program.Array(n.loss).Data[0])}
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
