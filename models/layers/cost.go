package layers

import (
	"fmt"
	"unsafe"

	"memobench/datasets"
	"memobench/models"
)

// TrainCost implements models.Costed.
func (s *Model[T, N]) TrainCost(b *datasets.Batch) (models.Cost, error) {
	s.beginStep()
	c, err := s.cost(b, Training)
	if err == nil {
		c.Update = s.updateOperations()
	}
	return c, err
}

// PredictCost implements models.Costed.
func (s *Model[T, N]) PredictCost(b *datasets.Batch) (models.Cost, error) {
	return s.cost(b, Prediction)
}

// cost counts a run of the graph for a mode.
func (s *Model[T, N]) cost(b *datasets.Batch, mode Mode) (models.Cost, error) {
	n, err := s.worker.prepare(b, mode)
	if err == nil && s.design.DataDependent {
		n, _, err = s.worker.run(b, mode)
	}
	if err != nil {
		return models.Cost{}, err
	}
	c, err := n.common().program.Count()
	if err != nil {
		return models.Cost{}, fmt.Errorf("%s: %w", s.design.Name, err)
	}
	return models.Cost{
		Forward: c.Forward.Total(), Backward: c.Backward.Total(), Products: c.Forward.Products + c.Backward.Products,
		Activations: c.Activations, Gradients: c.Gradients, Weights: s.bytes(),
	}, nil
}

// updateOperations returns the floating-point operations of an optimizer step without
// clipping.
func (l *learner[T]) updateOperations() int {
	total := 0
	for _, g := range l.groups {
		total += g.optimizer.Operations(len(g.params.Values))
	}
	return total
}

// bytes returns the size of the weights, their gradients and the optimizer's
// state.
func (l *learner[T]) bytes() int {
	n := len(l.Params.Values) + len(l.Params.Grads)
	for _, g := range l.groups {
		for _, m := range g.optimizer.Moments() {
			n += len(m)
		}
	}
	return n * int(unsafe.Sizeof(*new(T)))
}
