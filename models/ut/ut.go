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
type Model[T engine.Float] = layers.Shell[T, *network[T]]

// New returns a UT with fresh weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	return layers.New(cfg, design[T], shape, t, seed)
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *network[T]] {
	return layers.Design[T, *network[T]]{
		Name: "ut", Specs: specs(c, shape),
		Network:  func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: c} },
		Queries:  c.queries(),
		Feedback: layers.Feedback(c.Feedback),
	}
}
