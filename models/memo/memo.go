package memo

import (
	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/halting"
	"memobench/models/layers"
)

func init() {
	layers.Register(models.Entry{
		Name: "memo", Title: "MEMO",
		About: "MEMO (Banino et al. 2020): separated memories, multi-hop attention, fixed or learned number of hops",
	}, Defaults, New[float32])
}

// Model is MEMO over float32, or float64 in tests against reference values.
type Model[T engine.Float] struct {
	*layers.Shell[T, *network[T]]
	heads int
}

var _ models.Attender = (*Model[float32])(nil)

// New returns a MEMO with fresh weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	shell, err := layers.New(cfg, design[T], shape, t, seed)
	if err != nil {
		return nil, err
	}
	return &Model[T]{shell, cfg.Heads}, nil
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *network[T]] {
	d := layers.Design[T, *network[T]]{
		Name: "memo", Draws: c.SampleHalting, Decides: c.halts(), Specs: specs(c, shape),
		Network: func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: c} },
		Form: func(in *layers.Input) string {
			in.FindPairs(c.timed(shape))
			return string(c.choose(in.Segments.Len(), in.Segments.Rows(), shape.Answers, &in.Pairs))
		},
		Feedback: layers.Feedback(c.Feedback),
	}
	if c.halts() {
		// The halting network learns at a rate of its own, which does not decay.
		// The paper says so of its policy. For ACT, of which it says nothing, we
		// do the same: at the rate of the rest, halting settles on one hop before
		// a second one is of any use.
		d.Separate, d.Own = halting.Prefix, models.Training{Optimizer: "rmsprop", LearningRate: c.HaltRate}
	}
	return d
}

// Heads returns H.
func (m *Model[T]) Heads() int { return m.heads }

// Attention returns the attention weights of the last prediction by answer and
// hop, each [R x H]; zero for examples that had halted before.
func (m *Model[T]) Attention() [][]float32 {
	n, ok := m.Last()
	if !ok {
		return nil
	}
	var hops [][]float32
	for _, t := range n.turns {
		for hop, w := range t.weights {
			weights := n.Array(w)
			if t.halt != nil {
				weights = halting.Spread(t.halt.Episode, hop, weights, m.heads)
			}
			hops = append(hops, layers.Float32s(nil, weights))
		}
	}
	return hops
}
