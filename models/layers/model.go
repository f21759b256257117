// Package layers holds what models share: how a batch reaches the graph
// (Input), how a model learns (learner: parameters, optimizer, schedule,
// checkpoint state), and the shell around a model's equations (Shell, Network).
//
// A model is a package with a Config and its Validate, the parameters
// (engine.Spec), a network type that embeds Network and adds the equations in
// Build, a Model type that embeds a Shell over it, and a call of Register.
//
// In Build a network embeds words by Table, which serves one-hot words and dense
// items alike, builds once what its answers share, and calls Decode for what they
// do not: parameters declared by EachAnswer, the query, the labels, the noise.
// A model that does so takes tasks of any number of answers.
//
// What only some models do, such as an optimizer for a part of the weights
// (Design.Separate) or showing attention (models.Attender), a model adds to
// its own Model.
package layers

import (
	"slices"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
)

// Design is what a model fills its Shell with.
type Design[T engine.Float, N Equations[T]] struct {
	Name  string        // prefix of errors
	Specs []engine.Spec // parameters

	// Network returns a network of the model around n, which Build has not seen
	// yet.
	Network func(n Network[T]) N

	// Samples says that the model draws while predicting too.
	Samples bool

	// DataDependent says that what the model computes depends on what it has computed.
	DataDependent bool

	// Form chooses between networks that compute the same in different ways, for
	// the batch that in holds; nil where there is but one.
	Form func(in *Input) string

	Queries        Queries // for the answers after the first
	TeacherForcing bool    // queries hold the right answers while training

	// Separate is the prefix of the names of parameters with an optimizer of their
	// own, which Own describes; "" for none.
	Separate string
	Own      models.Training
}

// Model is a model without its equations: it learns, builds a graph for each
// purpose when it is first needed, runs the one that a call needs, and hands
// out what it computed. Batches of any size share a graph. A model embeds a
// Shell over float32, or float64 in tests against reference values.
type Model[T engine.Float, N Equations[T]] struct {
	*learner[T]
	design   Design[T, N]
	own      worker[T, N]
	replicas *dataParallel[T, N] // nil where training batches are not divided

	last      N // of the last Predict
	predicted bool
	scores    []float32
	hops      []int
}

// New returns a model with fresh weights for tasks of the given shape. design gets a
// copy of the configuration.
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

func newModel[T engine.Float, N Equations[T]](d Design[T, N], shape datasets.Shape, t models.Training, seed uint64) (*Model[T, N], error) {
	err := checkShape(shape)
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
	s.own = worker[T, N]{design: &s.design, params: l.Params, noise: l.Noise, in: NewInput(shape).widenQueries(d.Queries), networks: map[key]N{}}
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

// computeGradient leaves the batch's gradient in Params.Grads.
func (s *Model[T, N]) computeGradient(b *datasets.Batch) (models.StepStats, error) {
	if s.replicas != nil {
		return s.replicas.computeGradient(b)
	}
	n, loss, err := s.own.run(b, Training)
	if err != nil {
		return models.StepStats{}, err
	}
	return models.StepStats{Loss: loss, Warnings: n.Warnings()}, nil
}

// Gradient runs forward and backward without an update: Params.Grads holds the
// gradient of what training descends, and the returned loss is the reported one;
// the two differ where halting has a cost of its own.
func (s *Model[T, N]) Gradient(b *datasets.Batch) (loss float64, err error) {
	s.beginStep()
	stats, err := s.computeGradient(b)
	return stats.Loss, err
}

// Predict scores the batch; the query of each answer holds the model's own answer
// before it.
func (s *Model[T, N]) Predict(b *datasets.Batch) (*models.Prediction, error) {
	return s.predict(b, Prediction)
}

// FeedsBack reports whether the query of an answer holds the one before it.
func (s *Model[T, N]) FeedsBack() bool { return s.design.Queries != Single }

// PredictTeacherForced scores the batch; the query of each answer holds the right answer
// before it.
func (s *Model[T, N]) PredictTeacherForced(b *datasets.Batch) (*models.Prediction, error) {
	if b.Answers == 1 {
		return s.predict(b, Prediction)
	}
	return s.predict(b, TeacherForced)
}

func (s *Model[T, N]) predict(b *datasets.Batch, use Mode) (*models.Prediction, error) {
	n, loss, err := s.own.run(b, use)
	if err != nil {
		return nil, err
	}
	s.last, s.predicted = n, true
	s.scores = Float32s(s.scores, n.Scores())
	s.hops = n.Hops(s.hops[:0])
	return &models.Prediction{Scores: s.scores, Loss: loss, Hops: s.hops}, nil
}

// Trace is what a prediction computes on the way, for comparisons with other
// implementations.
type Trace[T engine.Float] struct {
	Loss   float64
	Scores []T              // [B x A x O]
	Values map[string][][]T // by the name given to Network.Show, in the order of its calls
}

// Trace evaluates the batch and returns copies of what it computes.
func (s *Model[T, N]) Trace(b *datasets.Batch) (*Trace[T], error) {
	n, loss, err := s.own.run(b, Tracing)
	if err != nil {
		return nil, err
	}
	t := &Trace[T]{Loss: loss, Scores: slices.Clone(n.Scores()), Values: map[string][][]T{}}
	for _, o := range n.common().traced {
		t.Values[o.name] = append(t.Values[o.name], slices.Clone(n.common().Array(o.node)))
	}
	return t, nil
}

// Last returns the network of the last Predict, false when there was none.
func (s *Model[T, N]) Last() (n N, ok bool) { return s.last, s.predicted }

// Run evaluates the graph for a purpose on the batch, and returns the network
// with what it computed, and the loss.
func (s *Model[T, N]) Run(b *datasets.Batch, use Mode) (n N, loss float64, err error) {
	return s.own.run(b, use)
}

// Float32s converts src into dst, reusing its storage.
func Float32s[T engine.Float](dst []float32, src []T) []float32 {
	dst = dst[:0]
	for _, v := range src {
		dst = append(dst, float32(v))
	}
	return dst
}
