// Package models defines Model, the interface between a network and the harness, and the
// registry of models.
//
// A Model is built from a task's Shape, a Config and a Training schedule. It trains on a
// batch, predicts, and exposes its State. A model never sees the protocol, and the harness
// never looks inside a model. A new model is one folder and one Register call.
//
// Several answers to a query are given in order. A model may put the previous answer into
// the next query: its own (free running) or the right one (teacher forcing).
//
// Package layers holds what the models of this repository share.
package models

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"memobench/datasets"
)

// Model is a trainable network. A Model is used by one goroutine at a time;
// different Models are independent.
type Model interface {
	// Train does one update (forward, backward, optimizer step) on the batch.
	// The batch must be valid for the Shape the model was built with.
	Train(b *datasets.Batch) (StepStats, error)

	// Predict scores the batch without changing the model. The result is valid until the
	// next call of Train or Predict. Queries hold the model's own previous answers.
	Predict(b *datasets.Batch) (*Prediction, error)

	// State returns every tensor and counter of a checkpoint. Tensor data are live views:
	// read them before the next Train.
	State() State

	// Restore copies st into the model. If a name, shape or type does not match, it
	// changes nothing and returns an error that names the tensor.
	Restore(st State) error
}

// StepStats is what a training step reports.
type StepStats struct {
	Loss         float64 // mean over the batch's answers, nats
	LearningRate float64
	GradNorm     float64 // Euclidean norm of the whole gradient, before clipping

	// Warnings names problems of this step, such as dead ReLU units in the answer MLP.
	Warnings []string
}

// Prediction holds a model's scores for a batch. The harness, not the model,
// turns scores into answers and evaluates them.
type Prediction struct {
	Scores []float32 // [B x A x O] unnormalized log-probabilities
	Loss   float64   // mean cross entropy against the batch's targets, nats per answer
	Hops   []int     // [B x A] hops taken for each answer; nil for a model without hops
}

// Autoregressive is implemented by models whose queries may hold the previous answer, in
// place of a word (datasets.Shape.QuerySlot) or as an additional word.
type Autoregressive interface {
	// FeedsBack reports whether queries hold the previous answer. They do not in a
	// network that gives all answers after one query; there PredictTeacherForced is
	// Predict.
	FeedsBack() bool

	// PredictTeacherForced is Predict with the batch's targets as the previous answers in
	// the queries. With one answer it is Predict.
	PredictTeacherForced(b *datasets.Batch) (*Prediction, error)
}

// Attender is implemented by models with attention.
type Attender interface {
	// Attention returns the attention weights (before dropout) of the last
	// prediction, one slice per answer and hop (the hops of answer 1, then those of
	// answer 2, ...), each [R x H] for the batch's R packed rows. They are zero at hops
	// that an example did not take.
	Attention() [][]float32
	// Heads returns H, the number of heads with softmax. Their weights sum to 1, or to less
	// where attention may read nothing.
	Heads() int
}

// External is implemented by models that hold a resource that may fail and must be released,
// such as another process.
type External interface {
	// Err returns why the model failed, or nil. A State is complete only while Err is nil.
	Err() error
	// Close releases the resource. The model cannot be used afterwards.
	Close() error
}

// ErrNoAnswer is wrapped by the errors of an External that did not answer in time.
var ErrNoAnswer = errors.New("no answer")

// TimeElsewhere is the time in nanoseconds that models in other processes took for all answers so
// far: this process cannot measure their CPU time.
var TimeElsewhere atomic.Int64

// StateOf returns m's state, or the error of an External that failed.
func StateOf(m Model) (State, error) {
	st := m.State()
	if e, ok := m.(External); ok {
		return st, e.Err()
	}
	return st, nil
}

// Close closes m if it is External.
func Close(m Model) {
	if e, ok := m.(External); ok {
		e.Close()
	}
}

// Extender is implemented by models whose weights depend on the number of memory rows and
// can be extended to more rows than in training.
type Extender interface {
	// Extend returns a trained weight extended to the given shape; false if that is
	// impossible.
	Extend(trained Tensor, shape []int) (extended Tensor, ok bool)
}

// Counter is implemented by models that know their size.
type Counter interface {
	// Parameters returns the number of trainable scalars.
	Parameters() int
}

// State is everything needed to resume training to the same bits.
type State struct {
	Tensors  []Tensor
	Counters map[string]int64
}

// CopyTo copies the tensors of st to those of live, a model's State. If a tensor does not
// match, it changes nothing and returns an error that names it. A state without counters (a
// file of weights) may lack the optimizer's tensors.
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

// Role says what a tensor is for: prediction needs the weights, resuming training also the
// optimizer's moments.
type Role string

// The roles of tensors.
const (
	Weight    Role = "weight"
	Optimizer Role = "optimizer"
)
