package train

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/checkpoint"
)

// A restored model computes the same in another process, but for the order of sums on a GPU. The
// tolerance of weights is relative to their update, which may be tiny while the rate warms up.
const tolerance, updateTolerance = 1e-4, 0.05

// checkExternal verifies, before the first step, that a model in another process resumes: trained
// for two steps, saved and restored in a fresh process, it has the same scores, with its weights
// alone, and the same loss and weights after one more step. The model is then built anew.
func (t *trainer) checkExternal() error {
	if _, external := t.model.(models.External); !external {
		return nil
	}
	batches, err := t.batches()
	if err != nil {
		return err
	}
	defer batches.close()
	b, err := batches.next()
	if err != nil {
		return err
	}
	if _, err = t.model.Train(b); err == nil {
		_, err = t.model.Train(b)
	}
	var first, again checkedStep
	if err == nil {
		first, err = t.stepFrom(nil, b)
	}
	if err == nil {
		err = t.rebuild()
	}
	if err == nil {
		again, err = t.stepFrom(&first.before, b)
	}
	if err == nil {
		err = again.differs(&first)
	}
	if err != nil {
		return fmt.Errorf("checking before training that the external model resumes from its state: %w", err)
	}
	return t.rebuild()
}

// rebuild replaces the model by a new one of the present phase.
func (t *trainer) rebuild() error {
	models.Close(t.model)
	m, err := t.build(t.state.Phase)
	if err == nil {
		t.model = m
	}
	return err
}

// checkedStep is what a model computes from a state: its scores, and what one step changes.
type checkedStep struct {
	before, after models.State
	scores        []float32
	loss          float64
}

// stepFrom predicts and trains on a batch. If the state is not nil, the model predicts with its weights
// alone, as when weights are evaluated, and trains from the whole state.
func (t *trainer) stepFrom(state *models.State, b *datasets.Batch) (s checkedStep, err error) {
	if s.before, err = models.StateOf(t.model); err == nil && state != nil {
		if s.before, err = checkpoint.WithWeights(s.before, checkpoint.Weights(*state)); err == nil {
			err = t.model.Restore(s.before)
		}
	}
	if err != nil {
		return s, err
	}
	p, err := t.model.Predict(b)
	if err == nil && state != nil {
		err = t.model.Restore(*state)
	}
	var stats models.StepStats
	if err == nil {
		stats, err = t.model.Train(b)
	}
	if err == nil {
		s.scores, s.loss = p.Scores, stats.Loss
		s.after, err = models.StateOf(t.model)
	}
	return s, err
}

// differs says in what a step of a restored model differs from that of the model that was saved.
func (s *checkedStep) differs(saved *checkedStep) error {
	scores, want := float64s(s.scores), float64s(saved.scores)
	if d, size := floats.Distance(scores, want, 2), floats.Norm(want, 2); d > tolerance*size {
		return fmt.Errorf("predict: the scores of a restored model differ by %.2g of their size: its state lacks something that they depend on, or has it under a name that begins with optimizer/ (only the others, weights and buffers, are restored to evaluate)", d/size)
	}
	if math.Abs(s.loss-saved.loss) > tolerance*math.Max(1, math.Abs(saved.loss)) {
		return fmt.Errorf("train: the loss of a restored model is %g, without the restart %g: its state lacks something that training depends on, such as that of its random generator", s.loss, saved.loss)
	}
	old, after := checkpoint.Weights(saved.before), checkpoint.Weights(saved.after)
	for i, w := range checkpoint.Weights(s.after) {
		if i >= len(after) || i >= len(old) || w.Name != after[i].Name || len(values(w)) != len(values(after[i])) || len(values(w)) != len(values(old[i])) {
			return fmt.Errorf("save: %s: after a step and a restart there are other arrays than before", w.Name)
		}
		update := floats.Distance(values(after[i]), values(old[i]), 2)
		if d := floats.Distance(values(w), values(after[i]), 2); d > updateTolerance*update {
			return fmt.Errorf("train: %s of a restored model differs after a step by %.2g of its update: its state lacks something that training depends on, such as the moments of its optimizer", w.Name, d/update)
		}
	}
	return nil
}

func values(t models.Tensor) []float64 {
	if t.F64 != nil {
		return t.F64
	}
	return float64s(t.F32)
}

func float64s(list []float32) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = float64(v)
	}
	return out
}
