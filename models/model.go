// Package models defines Model, the whole of what the harness knows of a
// network, and the registry of models.
//
// What comes in: a task's Shape, a model's Config and a Training schedule.
// What goes out: a Model that can train on a batch, predict, and hand over its
// State. Of several answers to a query each is given after the one before it. A
// model may put that answer into the next query, its own or, where
// Chained.PredictGiven or a setting for training says so, the right one. What always
// holds: a model never sees the protocol, and the harness never looks inside a
// model; a fifth model is one folder and one Register call. What our models
// share around their equations is in package layers.
package models

import (
	"fmt"
	"slices"

	"memobench/datasets"
)

// Model is a trainable network. A Model is used by one goroutine at a time;
// different Models are independent.
type Model interface {
	// Train does one update (forward, backward, optimizer step) on the batch.
	// The batch must be valid for the Shape the model was built with.
	Train(b *datasets.Batch) (StepStats, error)

	// Predict scores the batch without changing the model. The result is valid
	// until the next call of Train or Predict.
	Predict(b *datasets.Batch) (*Prediction, error)

	// State returns every tensor and counter that a checkpoint must hold.
	// Tensor data are live views: read them before the next Train.
	State() State

	// Restore copies st into the model. It changes nothing and returns an error
	// naming the tensor when a name, shape or type does not fit.
	Restore(st State) error
}

// StepStats is what a training step reports.
type StepStats struct {
	Loss         float64 // mean over the batch's answers, nats
	LearningRate float64 // rate used in this step
	GradNorm     float64 // Euclidean norm of the whole gradient, before any clipping

	// Warnings names pathologies seen in this step, such as "answer MLP: all
	// relu units are off". Empty in a healthy step.
	Warnings []string
}

// Prediction holds a model's scores for a batch. The harness, not the model,
// turns scores into answers and evaluates them.
type Prediction struct {
	Scores []float32 // [B x A x O] unnormalized log-probabilities
	Loss   float64   // mean cross entropy against the batch's targets, nats per answer
	Hops   []int     // [B x A] hops taken for each answer; nil for a model without hops
}

// Autoregressive is implemented by models that may give an answer with the one before it
// in its query: in place of a word (datasets.Shape.QuerySlot) or as one more.
// Predict puts the model's own answers there, as it must where the right ones are
// not known.
type Autoregressive interface {
	// FeedsBack reports whether a query holds the answer before. Where it does
	// not, as in a network that gives all answers after one query, PredictGiven
	// is Predict.
	FeedsBack() bool

	// PredictTeacherForced is Predict with the right answers, from the batch's targets,
	// in the queries. With one answer they are the same.
	PredictTeacherForced(b *datasets.Batch) (*Prediction, error)
}

// Attender is implemented by models that can show where they look.
type Attender interface {
	// Attention returns the attention weights (before dropout) of the last
	// Predict or PredictGiven, one slice per hop, each [R x H] for the batch's R
	// packed rows: the hops of the first answer, then as many of the second, and
	// so on. They are zero at the hops that an example did not take.
	Attention() [][]float32
	// Heads returns H.
	Heads() int
}

// External is implemented by models that need something that may fail while they are
// used and that must be given back, such as another process.
type External interface {
	// Err returns why the model failed, nil if it did not. What State returned is
	// complete only while Err is nil.
	Err() error
	// Close gives back what the model holds; it is of no use after that.
	Close() error
}

// StateOf returns m's state, or why it cannot be had.
func StateOf(m Model) (State, error) {
	st := m.State()
	if e, ok := m.(External); ok {
		return st, e.Err()
	}
	return st, nil
}

// Close gives back what m holds, if it is External.
func Close(m Model) {
	if e, ok := m.(External); ok {
		e.Close()
	}
}

// Extender is implemented by models with weights for each memory row that may be
// extended to more rows than they were trained for.
type Extender interface {
	// Extend returns a trained weight in the shape that this model has it in; false where it
	// cannot be extended to that.
	Extend(trained Tensor, shape []int) (extended Tensor, ok bool)
}

// Counter is implemented by models that know their size.
type Counter interface {
	// Parameters returns the number of trained scalars.
	Parameters() int
}

// State is everything needed to continue training bit for bit.
type State struct {
	Tensors  []Tensor
	Counters map[string]int64
}

// CopyTo copies the tensors of st to those of live, a model's State, or changes nothing
// and returns an error that names what does not fit. A state without counters (a file of
// weights) may lack the optimizer's tensors.
func (st State) CopyTo(live State) error {
	given := map[string]Tensor{}
	for _, t := range st.Tensors {
		given[t.Name] = t
	}
	for _, want := range live.Tensors {
		got, ok := given[want.Name]
		switch {
		case !ok && want.Role == Optimizer && len(st.Counters) == 0:
		case !ok:
			return fmt.Errorf("restoring: tensor %q is missing", want.Name)
		case !slices.Equal(got.Shape, want.Shape):
			return fmt.Errorf("restoring: tensor %q has shape %v, want %v", want.Name, got.Shape, want.Shape)
		case len(got.F32) != len(want.F32) || len(got.F64) != len(want.F64):
			return fmt.Errorf("restoring: tensor %q has %d float32 and %d float64 values, want %d and %d",
				want.Name, len(got.F32), len(got.F64), len(want.F32), len(want.F64))
		}
		delete(given, want.Name)
	}
	for name := range given {
		return fmt.Errorf("restoring: tensor %q is not part of this model", name)
	}
	for name, n := range st.Counters {
		if n < 0 {
			return fmt.Errorf("restoring: counter %s is %d", name, n)
		}
	}
	for _, t := range st.Tensors {
		given[t.Name] = t
	}
	for _, to := range live.Tensors {
		copy(to.F32, given[to.Name].F32)
		copy(to.F64, given[to.Name].F64)
	}
	return nil
}

// Tensor is a named array in a State; exactly one of F32 and F64 is set.
type Tensor struct {
	Name  string
	Role  Role
	Shape []int
	F32   []float32
	F64   []float64
}

// Role says what a tensor is for: weights alone make a model usable, the
// optimizer's moments are needed to resume.
type Role string

// The roles of tensors.
const (
	Weight    Role = "weight"
	Optimizer Role = "optimizer"
)

// Costed is implemented by models that count what a batch takes.
type Costed interface {
	// TrainCost and PredictCost return what Train and Predict take on the batch,
	// counted by operation from the model's graph and the batch's sizes, as if it
	// were not divided among threads. Nothing is computed, unless what the model computes depends on what it has computed, as
	// where it learns when to halt.
	TrainCost(b *datasets.Batch) (Cost, error)
	PredictCost(b *datasets.Batch) (Cost, error)
}

// Cost is what a batch takes. A multiplication with its addition is two
// floating-point operations (see engine.Work).
type Cost struct {
	Forward  int // floating-point operations
	Backward int // likewise, when training
	Update   int // likewise, of the optimizer's step: so many for each weight

	Products int // of all these, in products of matrices and vectors by BLAS

	Activations int // bytes of what is computed on the way and held
	Gradients   int // bytes of the gradients of these, when training
	Weights     int // bytes of the weights, their gradients and the optimizer's state
}

// Operations returns all floating-point operations.
func (c Cost) Operations() int { return c.Forward + c.Backward + c.Update }

// Bytes returns all bytes that depend on the batch.
func (c Cost) Bytes() int { return c.Activations + c.Gradients }
