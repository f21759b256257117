package memo

import (
	"fmt"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/halting"
	"memobench/models/layers"
	"memobench/models/ops"
)

func init() {
	models.Register(models.Entry{
		Name: "memo", Title: "MEMO",
		About:    "MEMO (Banino et al. 2020): separated memories, multi-hop attention, fixed or learned number of hops",
		Defaults: func() any { return Defaults() },
		New: func(b models.Build) (models.Model, error) {
			cfg, ok := b.Config.(*Config)
			if !ok {
				return nil, fmt.Errorf("memo: config is a %T", b.Config)
			}
			return New[float32](cfg, b.Shape, b.Training, b.Seed)
		},
	})
}

// Model is MEMO over float32, or float64 in tests against reference values.
type Model[T engine.Float] struct {
	*layers.Learner[T]
	cfg   Config
	shape datasets.Shape
	in    *layers.Input
	pairs *ops.Pairs

	networks map[key]*network[T]
	last     *network[T] // of the last Predict

	scores []float32
	hops   []int
}

// key names a graph of the cache. Batches of any size share one graph.
type key struct {
	purpose purpose
	form    Form
}

var (
	_ models.Model    = (*Model[float32])(nil)
	_ models.Attender = (*Model[float32])(nil)
	_ models.Counter  = (*Model[float32])(nil)
)

// New returns a MEMO with fresh weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	if err := cfg.Validate(shape); err != nil {
		return nil, err
	}
	m := &Model[T]{cfg: *cfg, shape: shape, in: layers.NewInput(shape), pairs: new(ops.Pairs), networks: map[key]*network[T]{}}
	var err error
	if m.Learner, err = layers.NewLearner[T](specs(&m.cfg, shape), t, seed); err != nil {
		return nil, fmt.Errorf("memo: %w", err)
	}
	if halting.Mode(cfg.Halting) == halting.Reinforce {
		// The policy learns at a rate of its own, which does not decay.
		own := models.Training{Optimizer: "rmsprop", LearningRate: cfg.HaltRate}
		if err := m.Separate(halting.Prefix, t, own); err != nil {
			return nil, fmt.Errorf("memo: halting network: %w", err)
		}
	}
	return m, nil
}

// Train does one update on the batch.
func (m *Model[T]) Train(b *datasets.Batch) (models.StepStats, error) {
	m.BeginStep()
	n, err := m.run(b, training)
	if err != nil {
		return models.StepStats{}, err
	}
	stats := models.StepStats{Loss: float64(n.program.Array(n.loss).Data[0])}
	if n.silent() {
		stats.Warnings = append(stats.Warnings, "answer MLP: every relu unit is off for the whole batch")
	}
	stats.LearningRate, stats.GradNorm = m.Update()
	return stats, nil
}

// silent reports whether no hidden unit of an answer is on: then no gradient
// passes, and the loss stays at ln O for good.
func (n *network[T]) silent() bool {
	for _, v := range n.array(n.hidden[0]) {
		if v != 0 {
			return false
		}
	}
	return true
}

// Gradient runs forward and backward without an update: Params.Grads holds the
// gradient of the returned loss.
func (m *Model[T]) Gradient(b *datasets.Batch) (loss float64, err error) {
	m.BeginStep()
	n, err := m.run(b, training)
	if err != nil {
		return 0, err
	}
	return float64(n.program.Array(n.loss).Data[0]), nil
}

// Predict scores the batch.
func (m *Model[T]) Predict(b *datasets.Batch) (*models.Prediction, error) {
	n, err := m.run(b, predict)
	if err != nil {
		return nil, err
	}
	m.last = n
	m.scores = layers.Float32s(m.scores, n.scores())
	m.hops = n.hops(m.hops[:0])
	return &models.Prediction{Scores: m.scores, Loss: float64(n.program.Array(n.loss).Data[0]), Hops: m.hops}, nil
}

// run evaluates the graph for the purpose and the cheaper form on b.
func (m *Model[T]) run(b *datasets.Batch, p purpose) (*network[T], error) {
	if err := m.in.Set(b); err != nil {
		return nil, fmt.Errorf("memo: %w", err)
	}
	m.pairs.Find(&m.in.Rows, &m.in.Segments, m.shape.Vocabulary, m.shape.MaxRows, m.cfg.timed(m.shape))
	k := key{p, m.cfg.choose(b.Size(), b.NumRows(), m.pairs)}
	n := m.networks[k]
	if n == nil {
		n = &network[T]{cfg: &m.cfg, graph: engine.NewGraph(m.Params), in: m.in, pairs: m.pairs, noise: m.Noise, use: p, maxRows: m.shape.MaxRows}
		if m.cfg.timed(m.shape) {
			n.time = ops.NewTimeCode[T](&m.in.Segments, m.cfg.Embedding)
		}
		if err := n.build(k.form); err != nil {
			return nil, err
		}
		m.networks[k] = n
	}
	if n.halt != nil {
		n.halt.Begin()
	}
	return n, n.program.Run()
}

// Heads returns H.
func (m *Model[T]) Heads() int { return m.cfg.Heads }

// Attention returns the attention weights of the last Predict by hop, each
// [R x H]; zero for examples that had halted before.
func (m *Model[T]) Attention() [][]float32 {
	if m.last == nil {
		return nil
	}
	var hops [][]float32
	for hop, w := range m.last.weights {
		weights := m.last.array(w)
		if m.last.halt != nil {
			weights = halting.Spread(m.last.halt.Episode, hop, weights, m.cfg.Heads)
		}
		hops = append(hops, layers.Float32s(nil, weights))
	}
	return hops
}
