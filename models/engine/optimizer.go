package engine

import (
	"fmt"
	"math"

	"memobench/models/vector"
)

// Optimizer updates parameters from their gradients.
type Optimizer[T Float] struct {
	// Steps is the number of steps done. Moments holds the running averages by name, each of
	// the length of Params.Values. Together they are the optimizer's whole state.
	Steps   int64
	Moments map[string][]T

	begin  func(rate float64)             // begins a step
	update func(p *Params[T], lo, hi int) // updates the weights lo to hi-1
}

// NewOptimizer returns the optimizer of the given name for n weights.
func NewOptimizer[T Float](name string, n int) (*Optimizer[T], error) {
	o := new(Optimizer[T])
	switch name {
	case "adam":
		o.adam(vector.Make[T](n), vector.Make[T](n))
	case "rmsprop":
		o.rmsProp(vector.Make[T](n))
	default:
		return nil, fmt.Errorf("training.optimizer: %q, want adam or rmsprop", name)
	}
	return o, nil
}

// adam makes o the optimizer of Kingma and Ba (2015), algorithm 1, with epsilon added outside the
// square root. m and v are the running means of the gradient and of its square. It is dense:
// embeddings of words that a batch lacks are updated too.
func (o *Optimizer[T]) adam(m, v []T) {
	const beta1, beta2 = 0.9, 0.999
	rates := vector.AdamRates[T]{KeepMean: beta1, NewMean: 1 - beta1, KeepSquare: beta2, NewSquare: 1 - beta2, Epsilon: 1e-8}
	o.Moments = map[string][]T{"adam.m": m, "adam.v": v}
	o.begin = func(rate float64) {
		// The bias corrections c1 and c2 are in two scalars: rate m/c1 / (sqrt(v/c2) + eps).
		rates.Rate = T(rate / (1 - math.Pow(beta1, float64(o.Steps))))
		rates.Root = T(1 / math.Sqrt(1-math.Pow(beta2, float64(o.Steps))))
	}
	o.update = func(p *Params[T], lo, hi int) {
		vector.Adam(p.Values[lo:hi], p.Grads[lo:hi], m[lo:hi], v[lo:hi], &rates)
	}
}

// rmsProp makes o the optimizer of Tieleman and Hinton (2012), not centred, without momentum, with
// epsilon added outside the square root. squares is the running mean of the squared gradient.
func (o *Optimizer[T]) rmsProp(squares []T) {
	const alpha, epsilon = 0.99, 1e-8
	var r T
	o.Moments = map[string][]T{"rmsprop.v": squares}
	o.begin = func(rate float64) { r = T(rate) }
	o.update = func(p *Params[T], lo, hi int) {
		w := p.Values[lo:hi]
		g, v := p.Grads[lo:hi][:len(w)], squares[lo:hi][:len(w)]
		for i := range w {
			vi := alpha*v[i] + (1-alpha)*g[i]*g[i]
			v[i] = vi
			w[i] -= r * g[i] / (T(math.Sqrt(float64(vi))) + epsilon)
		}
	}
}

// passBlock is the number of weights per block: their values, gradients and moments fit in a
// second-level cache. The norm is summed block by block.
const passBlock = 1 << 14

// eachBlock calls f for the weights lo to hi-1 of each block.
func (p *Params[T]) eachBlock(f func(lo, hi int)) {
	for lo := 0; lo < len(p.Values); lo += passBlock {
		f(lo, min(lo+passBlock, len(p.Values)))
	}
}

// Step updates p.Values from p.Grads at the given learning rate. It first clips the gradient to
// the Euclidean norm clip, if above 0. It returns the norm before clipping.
func (o *Optimizer[T]) Step(p *Params[T], rate, clip float64) (norm float64) {
	o.Steps++
	o.begin(rate)
	squares := 0.0
	p.eachBlock(func(lo, hi int) {
		squares += vector.SumSquares(p.Grads[lo:hi])
		if clip <= 0 { // update while the block is in the cache
			o.update(p, lo, hi)
		}
	})
	norm = math.Sqrt(squares)
	if clip <= 0 {
		return norm
	}
	if norm > clip {
		vector.Scale(p.Grads, T(clip/norm))
	}
	p.eachBlock(func(lo, hi int) { o.update(p, lo, hi) })
	return norm
}
