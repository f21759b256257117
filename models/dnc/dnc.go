package dnc

import (
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

// Model is DNC over float32, or float64 in tests against reference values.
type Model[T engine.Float] = layers.Shell[T, *network[T]]

// New returns a DNC with fresh weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	return layers.New(cfg, design[T], shape, t, seed)
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *network[T]] {
	return layers.Design[T, *network[T]]{
		Name: "dnc", Specs: specs(c, shape),
		Network:  func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: c} },
		Queries:  c.queries(),
		Feedback: layers.Feedback(c.Feedback),
	}
}
