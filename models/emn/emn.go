package emn

import (
	"fmt"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
)

func init() {
	models.Register(models.Entry{
		Name: "emn", Title: "EMN",
		About:    "End-to-End Memory Network (Sukhbaatar et al. 2015): tied weights, position encoding, fixed hops",
		Defaults: func() any { return Defaults() },
		New: func(b models.Build) (models.Model, error) {
			cfg, ok := b.Config.(*Config)
			if !ok {
				return nil, fmt.Errorf("emn: config is a %T", b.Config)
			}
			return New[float32](cfg, b.Shape, b.Training, b.Seed)
		},
	})
}

// Model is EMN over float32, or float64 in tests against reference values.
type Model[T engine.Float] struct {
	*layers.Learner[T]
	cfg   Config
	shape datasets.Shape
	in    *layers.Input

	networks map[purpose]*network[T]
	last     *network[T] // of the last Predict

	scores []float32
	hops   []int
}

// purpose says what a graph is for.
type purpose int

const (
	training purpose = iota
	predict
	tracing
)

var (
	_ models.Model    = (*Model[float32])(nil)
	_ models.Attender = (*Model[float32])(nil)
	_ models.Counter  = (*Model[float32])(nil)
)

// New returns an EMN with fresh weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	if err := cfg.Validate(shape); err != nil {
		return nil, err
	}
	m := &Model[T]{cfg: *cfg, shape: shape, in: layers.NewInput(shape), networks: map[purpose]*network[T]{}}
	var err error
	if m.Learner, err = layers.NewLearner[T](specs(&m.cfg, shape), t, seed); err != nil {
		return nil, fmt.Errorf("emn: %w", err)
	}
	return m, nil
}

// Train does one update on the batch.
func (m *Model[T]) Train(b *datasets.Batch) (models.StepStats, error) {
	loss, err := m.Gradient(b)
	if err != nil {
		return models.StepStats{}, err
	}
	stats := models.StepStats{Loss: loss}
	stats.LearningRate, stats.GradNorm = m.Update()
	return stats, nil
}

// Gradient runs forward and backward without an update: Params.Grads holds the
// gradient of the returned loss.
func (m *Model[T]) Gradient(b *datasets.Batch) (loss float64, err error) {
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
	m.scores = layers.Float32s(m.scores, n.program.Array(n.answers[0]).Data)
	m.hops = m.hops[:0]
	for range b.Size() {
		m.hops = append(m.hops, m.cfg.Hops)
	}
	return &models.Prediction{Scores: m.scores, Loss: float64(n.program.Array(n.loss).Data[0]), Hops: m.hops}, nil
}

// Trace returns the loss, and copies of the answer scores of every hop, each
// [B x O].
func (m *Model[T]) Trace(b *datasets.Batch) (loss float64, scores [][]T, err error) {
	n, err := m.run(b, tracing)
	if err != nil {
		return 0, nil, err
	}
	for _, a := range n.answers {
		scores = append(scores, append([]T(nil), n.program.Array(a).Data...))
	}
	return float64(n.program.Array(n.loss).Data[0]), scores, nil
}

// run evaluates the graph for the purpose on b.
func (m *Model[T]) run(b *datasets.Batch, p purpose) (*network[T], error) {
	if err := m.in.Set(b); err != nil {
		return nil, fmt.Errorf("emn: %w", err)
	}
	n := m.networks[p]
	if n == nil {
		n = &network[T]{cfg: &m.cfg, shape: m.shape, graph: engine.NewGraph(m.Params), in: m.in}
		if err := n.build(p == training, p == tracing); err != nil {
			return nil, err
		}
		m.networks[p] = n
	}
	return n, n.program.Run()
}

// Heads returns 1.
func (m *Model[T]) Heads() int { return 1 }

// Attention returns the attention weights of the last Predict by hop, each
// [R x 1].
func (m *Model[T]) Attention() [][]float32 {
	if m.last == nil {
		return nil
	}
	var hops [][]float32
	for _, w := range m.last.weights {
		hops = append(hops, layers.Float32s(nil, m.last.program.Array(w).Data))
	}
	return hops
}
