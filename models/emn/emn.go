package emn

import (
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
	shell, err := layers.New(cfg, design[T], shape, t, seed)
	if err != nil {
		return nil, err
	}
	return &Model[T]{shell}, nil
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *network[T]] {
	return layers.Design[T, *network[T]]{
		Name: "emn", Specs: specs(c, shape),
		Network:  func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: c} },
		Feedback: layers.Feedback(c.Feedback),
	}
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
