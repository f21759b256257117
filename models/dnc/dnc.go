package dnc

import (
	"slices"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
)

func init() {
	layers.Register(models.Entry{
		Name: "dnc", Title: "DNC",
		About: "Differentiable Neural Computer (Graves et al. 2016): LSTM controller, one input step per memory row, pondering steps",
	}, Defaults, New[float32])
}

// Model is a DNC over float32, or float64 in tests against reference values.
type Model[T engine.Float] struct {
	*layers.Shell[T, *network[T]]
}

// New returns a DNC with fresh weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	own := *cfg
	shell, err := layers.NewShell(layers.Design[T, *network[T]]{
		Name: "dnc", Specs: specs(&own, shape),
		Network:  func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: &own} },
		Queries:  own.queries(),
		Feedback: layers.Feedback(own.Feedback),
	}, shape, t, seed)
	if err != nil {
		return nil, err
	}
	return &Model[T]{shell}, nil
}

// Trace returns the loss and a copy of the scores, [B x A x O].
func (m *Model[T]) Trace(b *datasets.Batch) (loss float64, scores []T, err error) {
	n, loss, err := m.Run(b, layers.Prediction)
	if err != nil {
		return 0, nil, err
	}
	return loss, slices.Clone(n.Scores()), nil
}
