package models

import "memobench/datasets"

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

	Products int // of all these, in products of matrices and vectors by the linear algebra library

	Activations int // bytes of what is computed on the way and held
	Gradients   int // bytes of the gradients of these, when training
	Weights     int // bytes of the weights, their gradients and the optimizer's state
}

// Operations returns all floating-point operations.
func (c Cost) Operations() int { return c.Forward + c.Backward + c.Update }

// Bytes returns all bytes that depend on the batch.
func (c Cost) Bytes() int { return c.Activations + c.Gradients }
