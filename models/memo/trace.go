package memo

import (
	"slices"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/layers"
)

// Trace holds what a forward pass computed on the way.
type Trace[T engine.Float] struct {
	Answers []AnswerTrace[T] // [A]
	Keys    []T              // [R x H d]; nil in the other forms, which have none
	Values  []T              // likewise
	Loss    float64
}

// AnswerTrace is the part of one answer.
type AnswerTrace[T engine.Float] struct {
	Query   []T   // q_0, [B x H d]
	Weights [][]T // attention of each hop, [R x H]
	Scores  [][]T // answer scores of each hop, [B x O]
}

// Trace evaluates the batch and returns copies of what every hop computed.
func (m *Model[T]) Trace(b *datasets.Batch) (*Trace[T], error) {
	n, loss, err := m.Run(b, layers.Tracing)
	if err != nil {
		return nil, err
	}
	read := func(node *engine.Node) []T { return slices.Clone(n.Array(node)) }
	t := &Trace[T]{Loss: loss}
	for _, turn := range n.turns {
		a := AnswerTrace[T]{Query: read(turn.q0)}
		for _, w := range turn.weights {
			a.Weights = append(a.Weights, read(w))
		}
		for _, s := range turn.scored {
			a.Scores = append(a.Scores, read(s))
		}
		t.Answers = append(t.Answers, a)
	}
	if k, ok := n.memory.(*keyed[T]); ok {
		t.Keys, t.Values = read(k.k), read(k.v)
	}
	return t, nil
}
