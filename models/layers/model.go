// Package layers holds what models share: the current batch (Input), parameters, optimizer
// and checkpoint state (learner), and an implementation of models.Model around a network
// (Model, Network).
//
// The package of a model has a Config with Validate, the parameters (engine.Spec), a network
// type that embeds Network and adds the equations in Build, and a call of models.Register.
// Its New returns a Model over the network, or a type that embeds one and adds optional
// abilities such as models.Attender.
//
// Build embeds words by Table, which handles one-hot words and dense items. It builds what
// all answers share, then calls Decode for what they do not share: parameters declared by
// EachAnswer, query, labels and noise. Such a model supports any number of answers.
package layers

import (
	"slices"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
)

// Design describes a model to New.
type Design[T engine.Float, N Equations[T]] struct {
	Name  string        // prefix of errors
	Specs []engine.Spec // parameters

	// Network returns the model's network around n, before Build.
	Network func(n Network[T]) N

	// Samples says that the model also draws random numbers in predictions.
	Samples bool

	// Form chooses among networks that compute the same function at different costs, for
	// the current batch of in; nil if there is only one.
	Form func(in *Input) string

	Queries        Queries // for the answers after the first
	TeacherForcing bool    // while training

	// Separate is the prefix of the names of parameters with their own optimizer, Own; ""
	// for none.
	Separate string
	Own      models.Training
}

// Model implements models.Model around a network. It builds the graph of each mode on first
// use; batches of any size share it. T is float32, or float64 in tests against reference
// values.
type Model[T engine.Float, N Equations[T]] struct {
	*learner[T]
	design   Design[T, N]
	worker   worker[T, N]
	replicas *dataParallel[T, N] // nil for one thread

	last      N // of the last Predict
	predicted bool
	scores    []float32
	hops      []int
}

// New returns a model with initial weights for tasks of the given shape. design gets a copy
// of the configuration.
func New[T engine.Float, N Equations[T], C any, P interface {
	*C
	Validate() error
}](cfg P, design func(c *C, shape datasets.Shape) Design[T, N], shape datasets.Shape, t models.Training, seed uint64) (*Model[T, N], error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	own := *cfg
	return newModel(design(&own, shape), shape, t, seed)
}

func newModel[T engine.Float, N Equations[T]](d Design[T, N], shape datasets.Shape, t models.Training, seed uint64) (_ *Model[T, N], err error) {
	defer outOfMemoryError(&err, d.Name)
	err = checkShape(shape)
	var l *learner[T]
	if err == nil {
		l, err = newLearner[T](d.Specs, t, seed)
	}
	if err == nil && d.Separate != "" {
		err = l.separate(d.Separate, t, d.Own)
	}
	if err != nil {
		return nil, err
	}
	s := &Model[T, N]{learner: l, design: d}
	s.worker = worker[T, N]{design: &s.design, params: l.Params, noise: l.Noise, in: newInput(shape).widenQueries(d.Queries), networks: map[key]N{}}
	return s, nil
}

// Train does one update on the batch.
func (s *Model[T, N]) Train(b *datasets.Batch) (models.StepStats, error) {
	s.beginStep()
	stats, err := s.computeGradient(b)
	if err != nil {
		return models.StepStats{}, err
	}
	stats.LearningRate, stats.GradNorm = s.update()
	return stats, nil
}

// computeGradient stores the batch's gradient in Params.Grads.
func (s *Model[T, N]) computeGradient(b *datasets.Batch) (models.StepStats, error) {
	if s.replicas != nil {
		return s.replicas.computeGradient(b)
	}
	n, loss, err := s.worker.run(b, training)
	if err != nil {
		return models.StepStats{}, err
	}
	return models.StepStats{Loss: loss, Warnings: n.Warnings()}, nil
}

// Gradient runs forward and backward without an update. Params.Grads then holds the gradient
// of the objective, which differs from the returned loss if halting has a cost.
func (s *Model[T, N]) Gradient(b *datasets.Batch) (loss float64, err error) {
	s.beginStep()
	stats, err := s.computeGradient(b)
	return stats.Loss, err
}

// Predict implements models.Model.
func (s *Model[T, N]) Predict(b *datasets.Batch) (*models.Prediction, error) {
	return s.predict(b, prediction)
}

// FeedsBack implements models.Autoregressive.
func (s *Model[T, N]) FeedsBack() bool { return s.design.Queries != Single }

// PredictTeacherForced implements models.Autoregressive.
func (s *Model[T, N]) PredictTeacherForced(b *datasets.Batch) (*models.Prediction, error) {
	if b.Answers == 1 {
		return s.predict(b, prediction)
	}
	return s.predict(b, teacherForced)
}

func (s *Model[T, N]) predict(b *datasets.Batch, m mode) (*models.Prediction, error) {
	n, loss, err := s.worker.run(b, m)
	if err != nil {
		return nil, err
	}
	s.last, s.predicted = n, true
	s.scores = s.scores[:0]
	for _, v := range n.Scores() {
		s.scores = append(s.scores, float32(v))
	}
	s.hops = n.Hops(s.hops[:0])
	return &models.Prediction{Scores: s.scores, Loss: loss, Hops: s.hops}, nil
}

// Trace holds intermediate values of a prediction, for comparison with other
// implementations.
type Trace[T engine.Float] struct {
	Loss   float64
	Scores []T              // [B x A x O]
	Values map[string][][]T // by the name given to Network.AddTrace, in the order of the calls
}

// Trace evaluates the batch and returns copies of intermediate values.
func (s *Model[T, N]) Trace(b *datasets.Batch) (*Trace[T], error) {
	n, loss, err := s.worker.run(b, tracing)
	if err != nil {
		return nil, err
	}
	t := &Trace[T]{Loss: loss, Scores: slices.Clone(n.Scores()), Values: map[string][][]T{}}
	for _, o := range n.common().traced {
		t.Values[o.name] = append(t.Values[o.name], slices.Clone(n.common().Array(o.node)))
	}
	return t, nil
}

// Last returns the network of the last prediction, false if there was none.
func (s *Model[T, N]) Last() (n N, ok bool) { return s.last, s.predicted }
