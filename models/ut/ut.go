package ut

import (
	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
)

func init() {
	layers.Register(models.Entry{
		Name: "ut", Title: "UT",
		About: "Universal Transformer encoder (Dehghani et al. 2019): shared pre-norm block, fixed steps or adaptive halting",
	}, Defaults, New[float32])
}

// Model is UT over float32, or float64 in tests against reference values.
type Model[T engine.Float] struct {
	*layers.Shell[T, *network[T]]
}

// New returns a UT with fresh weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	own := *cfg
	shell, err := layers.NewShell(layers.Design[T, *network[T]]{
		Name: "ut", Specs: specs(&own, shape),
		Network:  func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: &own} },
		Queries:  own.queries(),
		Feedback: layers.Feedback(own.Feedback),
	}, shape, t, seed)
	if err != nil {
		return nil, err
	}
	return &Model[T]{shell}, nil
}

// Trace returns the scores of the batch, [B x A x O], and their mean cross
// entropy without dropout. The scores are valid until the next call.
func (m *Model[T]) Trace(b *datasets.Batch) (scores []T, loss float64, err error) {
	n, loss, err := m.Run(b, layers.Prediction)
	if err != nil {
		return nil, 0, err
	}
	return n.Scores(), loss, nil
}
