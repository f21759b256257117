package ut

import (
	"fmt"
	"slices"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
)

func init() {
	models.Register(models.Entry{
		Name: "ut", Title: "UT",
		About:    "Universal Transformer encoder (Dehghani et al. 2019): shared pre-norm block, fixed steps or adaptive halting",
		Defaults: func() any { return Defaults() },
		New: func(b models.Build) (models.Model, error) {
			cfg, ok := b.Config.(*Config)
			if !ok {
				return nil, fmt.Errorf("ut: config is a %T", b.Config)
			}
			return New[float32](cfg, b.Shape, b.Training, b.Seed)
		},
	})
}

// Model is UT over float32, or float64 in tests against reference values.
type Model[T engine.Float] struct {
	*layers.Learner[T]
	cfg Config
	in  *input

	training, predicting *network[T] // built on first use; batches of any size share them

	scores []float32
	hops   []int
}

var (
	_ models.Model   = (*Model[float32])(nil)
	_ models.Counter = (*Model[float32])(nil)
)

// New returns a UT with fresh weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	if err := cfg.Validate(shape); err != nil {
		return nil, err
	}
	m := &Model[T]{cfg: *cfg, in: newInput(shape)}
	var err error
	if m.Learner, err = layers.NewLearner[T](specs(&m.cfg, shape), t, seed); err != nil {
		return nil, fmt.Errorf("ut: %w", err)
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
	m.BeginStep()
	if err := m.run(&m.training, b, true); err != nil {
		return 0, err
	}
	return m.training.value(), nil
}

// Predict scores the batch. Hops are the steps that count for the answer.
func (m *Model[T]) Predict(b *datasets.Batch) (*models.Prediction, error) {
	scores, loss, err := m.Trace(b)
	if err != nil {
		return nil, err
	}
	m.scores = layers.Float32s(m.scores, scores)
	m.hops = m.predicting.steps(m.hops[:0])
	return &models.Prediction{Scores: m.scores, Loss: loss, Hops: m.hops}, nil
}

// Trace returns the answer scores of the batch, [B x O], and their mean cross
// entropy without dropout. The scores are valid until the next call.
func (m *Model[T]) Trace(b *datasets.Batch) (scores []T, loss float64, err error) {
	if err := m.run(&m.predicting, b, false); err != nil {
		return nil, 0, err
	}
	n := m.predicting
	return n.program.Array(n.answer).Data, n.value(), nil
}

// run evaluates the network at n, which it builds on first use, on b.
func (m *Model[T]) run(n **network[T], b *datasets.Batch, training bool) error {
	if err := m.in.set(b); err != nil {
		return fmt.Errorf("ut: %w", err)
	}
	if *n == nil {
		built := &network[T]{cfg: &m.cfg, graph: engine.NewGraph(m.Params), in: m.in, noise: m.Noise, training: training}
		if err := built.build(); err != nil {
			return err
		}
		*n = built
	}
	return (*n).program.Run()
}

// value returns the loss of the last run.
func (n *network[T]) value() float64 { return float64(n.program.Array(n.loss).Data[0]) }

// steps appends the steps taken by each example's answering token in the last
// run; when the answer is the mean of several, by the slowest.
func (n *network[T]) steps(dst []int) []int {
	offsets := n.in.tokens.Offsets
	for b, end := range offsets[1:] {
		switch {
		case n.halting == nil:
			dst = append(dst, n.cfg.Steps)
		case n.cfg.AnswerFrom == FromMean:
			dst = append(dst, slices.Max(n.halting.Steps[offsets[b]:end]))
		default:
			dst = append(dst, n.halting.Steps[end-1])
		}
	}
	return dst
}
