package layers

import (
	"fmt"
	"maps"
	"slices"

	"memobench/models"
	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// learner holds the trainable state of a model: parameters, optimizer, schedule and noise. It
// is everything that a checkpoint stores.
type learner[T engine.Float] struct {
	Params *engine.Params[T]
	Noise  *ops.Noise

	groups []*group[T]
}

var _ models.Counter = (*learner[float32])(nil)

// group is a range of parameters with its own optimizer.
type group[T engine.Float] struct {
	name      string // "" for the main group
	params    *engine.Params[T]
	optimizer *engine.Optimizer[T]
	training  models.Training
}

// newLearner allocates the parameters with one optimizer.
func newLearner[T engine.Float](specs []engine.Spec, t models.Training, seed uint64) (*learner[T], error) {
	if err := checkSize(specs); err != nil {
		return nil, err
	}
	l := &learner[T]{Params: engine.NewParams[T](specs, seed), Noise: &ops.Noise{Seed: seed}}
	return l, l.addGroup("", l.Params, t)
}

// maxWeights bounds a model. In float32, its weights, gradients and two moments take 4 GiB.
const maxWeights = 1 << 28

// checkSize names the first parameter with which the total exceeds maxWeights.
func checkSize(specs []engine.Spec) error {
	total := 0
	for _, s := range specs {
		n := 1
		for _, d := range s.Shape {
			if d > maxWeights || n*d > maxWeights {
				return fmt.Errorf("parameter %s of shape %v: a model has at most %d weights", s.Name, s.Shape, maxWeights)
			}
			n *= d
		}
		if total += n; total > maxWeights {
			return fmt.Errorf("parameters up to %s of shape %v: a model has at most %d weights", s.Name, s.Shape, maxWeights)
		}
	}
	return nil
}

// separate gives the parameters whose names start with prefix their own optimizer. They must
// be the last ones.
func (l *learner[T]) separate(prefix string, main, own models.Training) error {
	rest, part := l.Params.Split(prefix)
	l.groups = nil
	if err := l.addGroup("", rest, main); err != nil {
		return err
	}
	return l.addGroup(prefix, part, own)
}

func (l *learner[T]) addGroup(name string, p *engine.Params[T], t models.Training) error {
	if err := t.Validate(); err != nil {
		return err
	}
	opt, err := engine.NewOptimizer[T](t.Optimizer, len(p.Values))
	if err != nil {
		return err
	}
	l.groups = append(l.groups, &group[T]{name: name, params: p, optimizer: opt, training: t})
	return nil
}

// steps returns the number of updates done.
func (l *learner[T]) steps() int64 { return l.groups[0].optimizer.Steps }

// beginStep sets the noise of the next training step. Dropout masks depend only on the seed
// and the number of updates done.
func (l *learner[T]) beginStep() { l.Noise.Step = uint64(l.steps()) }

// update does one optimizer step on the gradients in Params and returns the
// main group's learning rate and the norm of its gradient before clipping.
func (l *learner[T]) update() (rate, norm float64) {
	done := l.steps()
	for i, g := range l.groups {
		r := g.training.Rate(done)
		n := g.optimizer.Step(g.params, r, g.training.ClipNorm)
		if g.training.WeightDecay > 0 {
			vector.Scale(g.params.Values, T(1-r*g.training.WeightDecay))
		}
		if i == 0 {
			rate, norm = r, n
		}
	}
	return rate, norm
}

// Parameters implements models.Counter.
func (l *learner[T]) Parameters() int { return len(l.Params.Values) }

// State returns live views of the weights and the optimizer's moments.
func (l *learner[T]) State() models.State {
	st := models.State{Counters: map[string]int64{stepsKey: l.steps()}}
	for _, p := range l.Params.List() {
		st.Tensors = append(st.Tensors, tensor(p.Name, models.Weight, p.Shape, p.Value))
	}
	for _, g := range l.groups {
		moments := g.optimizer.Moments
		for _, name := range slices.Sorted(maps.Keys(moments)) {
			st.Tensors = append(st.Tensors, tensor("optimizer."+g.name+name, models.Optimizer, []int{len(moments[name])}, moments[name]))
		}
	}
	return st
}

// stepsKey is the counter of updates done.
const stepsKey = "optimizer.steps"

func tensor[T engine.Float](name string, role models.Role, shape []int, data []T) models.Tensor {
	t := models.Tensor{Name: name, Role: role, Shape: slices.Clone(shape)}
	switch d := any(data).(type) {
	case []float32:
		t.F32 = d
	case []float64:
		t.F64 = d
	}
	return t
}

// Restore implements models.Model. A state without optimizer tensors and counters (a file of
// weights) leaves the optimizer in its initial state.
func (l *learner[T]) Restore(st models.State) error {
	if err := st.CopyTo(l.State()); err != nil {
		return err
	}
	for _, g := range l.groups {
		g.optimizer.Steps = st.Counters[stepsKey]
	}
	return nil
}
