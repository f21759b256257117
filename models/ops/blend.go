package ops

import (
	"fmt"

	"memobench/models/engine"
)

// Blend moves from state to state by the given weights:
//
//	y_0 = 0,  y_t = w_t s_t + (1 - w_t) y_{t-1}        result y_T
//
// Inputs: w [N x (T+1)], whose last column is not used (see HaltingWeights),
// and the states s_1 ... s_T, each [N x d].
type Blend[T engine.Float] struct {
	before [][]T // y_{t-1} of the last Forward, [N x d] for each step
}

func (*Blend[T]) String() string { return "Blend" }

// Shape implements engine.Kernel.
func (*Blend[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if len(in) < 2 || len(in[0]) != 2 || in[0][1] != len(in) {
		return nil, fmt.Errorf("inputs %v, want weights [N x (T+1)] and T states", in)
	}
	for _, s := range in[1:] {
		if len(s) != 2 || s[1] != in[1][1] {
			return nil, fmt.Errorf("states %v differ in width", in[1:])
		}
	}
	return in[1], nil
}

// Forward implements engine.Kernel.
func (b *Blend[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	w, states, d := in[0], in[1:], in[1].Dim(1)
	y := out.Resize(in[1].Dims()...)
	clear(y)
	if b.before == nil {
		b.before = make([][]T, len(states))
	}
	for t, s := range states {
		b.before[t] = append(b.before[t][:0], y...)
		for i := range w.Dim(0) {
			weight := w.Data[i*w.Dim(1)+t]
			for j := i * d; j < (i+1)*d; j++ {
				y[j] += weight * (s.Data[j] - y[j])
			}
		}
	}
}

// Backward implements engine.Kernel. With g_t the gradient of y_t: ds_t = w_t
// g_t, dw_t = <g_t, s_t - y_{t-1}>, g_{t-1} = (1 - w_t) g_t.
func (b *Blend[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	w, states, d := in[0], in[1:], in[1].Dim(1)
	g := append([]T(nil), dout.Data...)
	var dw []T
	if din[0] != nil {
		dw = din[0].Add(w.Dims()...)
	}
	for t := len(states) - 1; t >= 0; t-- {
		var ds []T
		if din[1+t] != nil {
			ds = din[1+t].Add(states[t].Dims()...)
		}
		for i := range w.Dim(0) {
			at := i*w.Dim(1) + t
			for j := i * d; j < (i+1)*d; j++ {
				if dw != nil {
					dw[at] += g[j] * (states[t].Data[j] - b.before[t][j])
				}
				if ds != nil {
					ds[j] += w.Data[at] * g[j]
				}
				g[j] *= 1 - w.Data[at]
			}
		}
	}
}
