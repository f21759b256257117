package engine

import (
	"fmt"
	"math"

	"memobench/models/vector"
)

// Optimizer updates parameters from their gradients.
type Optimizer[T Float] interface {
	// Step updates p.Values from p.Grads at the given learning rate. It first clips the
	// gradient to the Euclidean norm clip, if above 0. It returns the norm before
	// clipping.
	Step(p *Params[T], rate, clip float64) (norm float64)
	// Moments returns the running averages by name, each of the length of p.Values. With
	// Count they are the optimizer's whole state.
	Moments() map[string][]T
	// Count points to the number of steps done.
	Count() *int64
}

// NewOptimizer returns the optimizer of the given name for n weights.
func NewOptimizer[T Float](name string, n int) (Optimizer[T], error) {
	switch name {
	case "adam":
		return &adam[T]{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, m: vector.Make[T](n), v: vector.Make[T](n)}, nil
	case "rmsprop":
		return &rmsProp[T]{Alpha: 0.99, Epsilon: 1e-8, v: vector.Make[T](n)}, nil
	}
	return nil, fmt.Errorf("training.optimizer: %q, want adam or rmsprop", name)
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

// update clips the gradient to the norm clip (0: never), updates the weights by f, and returns
// the norm before clipping.
func (p *Params[T]) update(f func(p *Params[T], lo, hi int), clip float64) (norm float64) {
	squares := 0.0
	p.eachBlock(func(lo, hi int) {
		squares += vector.SumSquares(p.Grads[lo:hi])
		if clip <= 0 { // update while the block is in the cache
			f(p, lo, hi)
		}
	})
	norm = math.Sqrt(squares)
	if clip <= 0 {
		return norm
	}
	if norm > clip {
		vector.Scale(p.Grads, T(clip/norm))
	}
	p.eachBlock(func(lo, hi int) { f(p, lo, hi) })
	return norm
}

// adam is the optimizer of Kingma and Ba (2015), algorithm 1, with epsilon added outside the
// square root. It is dense: embeddings of words that a batch lacks are updated too.
type adam[T Float] struct {
	Beta1, Beta2, Epsilon float64
	m, v                  []T // running mean of the gradient and of its square
	rates                 vector.AdamRates[T]
	steps                 int64
}

// Step implements Optimizer.
func (o *adam[T]) Step(p *Params[T], rate, clip float64) (norm float64) {
	o.steps++
	// The bias corrections c1 and c2 are in two scalars: rate m/c1 / (sqrt(v/c2) + eps).
	o.rates = vector.AdamRates[T]{
		KeepMean: T(o.Beta1), NewMean: T(1 - o.Beta1),
		KeepSquare: T(o.Beta2), NewSquare: T(1 - o.Beta2),
		Rate:    T(rate / (1 - math.Pow(o.Beta1, float64(o.steps)))),
		Root:    T(1 / math.Sqrt(1-math.Pow(o.Beta2, float64(o.steps)))),
		Epsilon: T(o.Epsilon),
	}
	return p.update(o.update, clip)
}

func (o *adam[T]) update(p *Params[T], lo, hi int) {
	vector.Adam(p.Values[lo:hi], p.Grads[lo:hi], o.m[lo:hi], o.v[lo:hi], &o.rates)
}

// Moments returns the averages "adam.m" and "adam.v".
func (o *adam[T]) Moments() map[string][]T { return map[string][]T{"adam.m": o.m, "adam.v": o.v} }

// Count points to the number of steps done.
func (o *adam[T]) Count() *int64 { return &o.steps }

// rmsProp is the optimizer of Tieleman and Hinton (2012), not centred, without
// momentum, with epsilon added outside the square root.
type rmsProp[T Float] struct {
	Alpha, Epsilon float64
	v              []T // running mean of the squared gradient
	rate           T
	steps          int64
}

// Step implements Optimizer.
func (o *rmsProp[T]) Step(p *Params[T], rate, clip float64) (norm float64) {
	o.steps++
	o.rate = T(rate)
	return p.update(o.update, clip)
}

func (o *rmsProp[T]) update(p *Params[T], lo, hi int) {
	r, a, c, eps := o.rate, T(o.Alpha), T(1-o.Alpha), T(o.Epsilon)
	w := p.Values[lo:hi]
	g, v := p.Grads[lo:hi][:len(w)], o.v[lo:hi][:len(w)]
	for i := range w {
		vi := a*v[i] + c*g[i]*g[i]
		v[i] = vi
		w[i] -= r * g[i] / (T(math.Sqrt(float64(vi))) + eps)
	}
}

// Moments returns the average "rmsprop.v".
func (o *rmsProp[T]) Moments() map[string][]T { return map[string][]T{"rmsprop.v": o.v} }

// Count points to the number of steps done.
func (o *rmsProp[T]) Count() *int64 { return &o.steps }

// Schedule is a learning rate schedule: a linear warm-up, a plateau and a polynomial decay to
// End,
//
//	rate(t) = End + (Peak - End) (1 - u)^Power,  u = fraction of the decay done
//
// The paper decays polynomially and states neither power, horizon nor end value; our choice
// is power 1 to 0 over all steps.
type Schedule struct {
	Peak    float64
	End     float64
	Power   float64 // 0 keeps the rate at Peak
	Warmup  int     // steps of the warm-up
	Plateau float64 // fraction of Steps before the decay
	Steps   int     // horizon
}

// Rate returns the learning rate of the update that follows the given number of
// completed updates.
func (s Schedule) Rate(done int64) float64 {
	rate := s.Peak
	if s.Power > 0 && s.Steps > 0 {
		start := s.Plateau * float64(s.Steps)
		u := (float64(done) - start) / (float64(s.Steps) - start)
		u = min(max(u, 0), 1)
		rate = s.End + (s.Peak-s.End)*math.Pow(1-u, s.Power)
	}
	if done < int64(s.Warmup) {
		rate *= float64(done+1) / float64(s.Warmup)
	}
	return rate
}
