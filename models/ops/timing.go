package ops

import (
	"fmt"
	"math"

	"memobench/models/engine"
)

// TimingSignal returns the sinusoidal code of a position or a step, counted
// from 0, as in tensor2tensor: sines in the first half, cosines in the second,
//
//	code_j = sin(p f_j),  code_{n+j} = cos(p f_j),  f_j = 10000^(-j/(n-1)),  n = d/2
//
// zero in the last place when d is odd. TimeCode alternates sines and cosines
// instead.
func TimingSignal[T engine.Float](position, d int) []T {
	code, n := make([]T, d), d/2
	for j := range n {
		angle := float64(position) * math.Exp(-float64(j)*math.Log(1e4)/float64(max(n-1, 1)))
		code[j], code[n+j] = T(math.Sin(angle)), T(math.Cos(angle))
	}
	return code
}

// AddTiming adds the code of the step, and with Positions that of each line's
// place in its example, oldest row first:
//
//	y[i] = x[i] + E(step) + P(position of i)      x [N x d] -> y [N x d]
//
// (the coordinate embedding of Dehghani et al. 2019, eq. 6 and 7).
type AddTiming[T engine.Float] struct {
	Segments  *Segments
	Step      int // from 0
	Positions bool

	codes []T // [positions so far x d], of step and position together, grown on demand
}

func (a *AddTiming[T]) String() string {
	return fmt.Sprintf("AddTiming(step=%d, positions=%t)", a.Step, a.Positions)
}

// Shape implements engine.Kernel.
func (a *AddTiming[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2); err != nil {
		return nil, err
	}
	return in[0], nil
}

// code returns the sum of the codes for a position.
func (a *AddTiming[T]) code(position, d int) []T {
	if !a.Positions {
		position = 0
	}
	for len(a.codes) <= position*d {
		c := TimingSignal[T](a.Step, d)
		if a.Positions {
			add(c, TimingSignal[T](len(a.codes)/d, d))
		}
		a.codes = append(a.codes, c...)
	}
	return a.codes[position*d : (position+1)*d]
}

// Forward implements engine.Kernel.
func (a *AddTiming[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d := in[0].Dim(1)
	y := out.Resize(in[0].Dims()...)
	for b := range a.Segments.Len() {
		lo, hi := a.Segments.Offsets[b], a.Segments.Offsets[b+1]
		for i := lo; i < hi; i++ {
			x, y, code := in[0].Data[i*d:(i+1)*d], y[i*d:(i+1)*d], a.code(i-lo, d)
			for j, v := range x {
				y[j] = v + code[j]
			}
		}
	}
}

// Backward implements engine.Kernel.
func (a *AddTiming[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	pass(din[0], dout.Data, in[0].Dims()...)
}
