package emn

import (
	"slices"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
)

func init() {
	layers.Register(models.Entry{
		Name: "emn", Title: "EMN",
		About: "End-to-End Memory Network (Sukhbaatar et al. 2015): tied weights, position encoding, fixed hops",
	}, Defaults, New[float32])
}

// Model is EMN over float32, or float64 in tests against reference values.
type Model[T engine.Float] struct {
	*layers.Shell[T, *network[T]]
}

var _ models.Attender = (*Model[float32])(nil)

// New returns an EMN with fresh weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	own := *cfg
	shell, err := layers.NewShell(layers.Design[T, *network[T]]{
		Name: "emn", Specs: specs(&own, shape),
		Network:  func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: &own} },
		Feedback: layers.Feedback(own.Feedback),
	}, shape, t, seed)
	if err != nil {
		return nil, err
	}
	return &Model[T]{shell}, nil
}

// Trace returns the loss, and copies of the scores of every answer and hop, each
// [B x O].
func (m *Model[T]) Trace(b *datasets.Batch) (loss float64, scores [][]T, err error) {
	n, loss, err := m.Run(b, layers.Tracing)
	if err != nil {
		return 0, nil, err
	}
	for _, a := range n.scored {
		scores = append(scores, slices.Clone(n.Array(a)))
	}
	return loss, scores, nil
}

// Heads returns 1.
func (m *Model[T]) Heads() int { return 1 }

// Attention returns the attention weights of the last prediction by answer and
// hop, each [R x 1].
func (m *Model[T]) Attention() [][]float32 {
	n, ok := m.Last()
	if !ok {
		return nil
	}
	var hops [][]float32
	for _, w := range n.weights {
		hops = append(hops, layers.Float32s(nil, n.Array(w)))
	}
	return hops
}
