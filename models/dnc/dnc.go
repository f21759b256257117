package dnc

import (
	"fmt"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
)

func init() {
	models.Register(models.Entry{
		Name: "dnc", Title: "DNC",
		About:    "Differentiable Neural Computer (Graves et al. 2016): LSTM controller, one input step per memory row, pondering steps",
		Defaults: func() any { return Defaults() },
		New: func(b models.Build) (models.Model, error) {
			cfg, ok := b.Config.(*Config)
			if !ok {
				return nil, fmt.Errorf("dnc: config is a %T", b.Config)
			}
			return New[float32](cfg, b.Shape, b.Training, b.Seed)
		},
	})
}

// Model is a DNC over float32, or float64 in tests against reference values.
type Model[T engine.Float] struct {
	*layers.Learner[T]
	cfg   Config
	shape datasets.Shape
	in    *layers.Input

	training, predict *network[T]    // built when first needed
	memory            *recurrence[T] // of the training graph
	scores            []float32
}

var (
	_ models.Model   = (*Model[float32])(nil)
	_ models.Counter = (*Model[float32])(nil)
)

// New returns a DNC with fresh weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	if err := cfg.Validate(shape); err != nil {
		return nil, err
	}
	m := &Model[T]{cfg: *cfg, shape: shape, in: layers.NewInput(shape)}
	var err error
	if m.Learner, err = layers.NewLearner[T](specs(&m.cfg, shape), t, seed); err != nil {
		return nil, fmt.Errorf("dnc: %w", err)
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
	n, err := m.run(b, &m.training)
	if err != nil {
		return 0, err
	}
	return float64(n.program.Array(n.loss).Data[0]), nil
}

// Predict scores the batch.
func (m *Model[T]) Predict(b *datasets.Batch) (*models.Prediction, error) {
	n, err := m.run(b, &m.predict)
	if err != nil {
		return nil, err
	}
	m.scores = layers.Float32s(m.scores, n.program.Array(n.scores).Data)
	return &models.Prediction{Scores: m.scores, Loss: float64(n.program.Array(n.loss).Data[0])}, nil
}

// Trace returns the loss and a copy of the answer scores, [B x O].
func (m *Model[T]) Trace(b *datasets.Batch) (loss float64, scores []T, err error) {
	n, err := m.run(b, &m.predict)
	if err != nil {
		return 0, nil, err
	}
	return float64(n.program.Array(n.loss).Data[0]), append([]T(nil), n.program.Array(n.scores).Data...), nil
}

// run evaluates the training or the prediction graph on b.
func (m *Model[T]) run(b *datasets.Batch, graph **network[T]) (*network[T], error) {
	if err := m.in.Set(b); err != nil {
		return nil, fmt.Errorf("dnc: %w", err)
	}
	if *graph == nil {
		n := &network[T]{graph: engine.NewGraph(m.Params), in: m.in}
		memory := &recurrence[T]{
			cell: cell[T]{
				sizes: m.cfg.sizes(m.shape), epsilon: T(m.cfg.ContentEpsilon),
				history: history[T]{budget: defaultBudget},
			},
			ponder: m.cfg.Ponder, training: graph == &m.training,
		}
		if err := n.build(memory); err != nil {
			return nil, err
		}
		if memory.training {
			m.memory = memory
		}
		*graph = n
	}
	return *graph, (*graph).program.Run()
}
