package ops

import (
	"fmt"
	"math"

	"gorgonia.org/tensor"

	"memobench/models/engine"
)

// LayerNorm normalizes each line over its w elements:
//
//	y = gain (x - mean(x)) / sqrt(var(x) + eps) + bias
//
// x [N x w]; gain, bias [w]; biased variance (Ba et al. 2016). For the norm of
// a residual sum, whose terms are needed nowhere else, see AddLayerNorm.
type LayerNorm[T engine.Float] struct {
	Epsilon float64

	hat []T // (x - mean) / deviation of the last Forward
	inv []T // 1 / deviation, one a line
}

func (l *LayerNorm[T]) String() string { return fmt.Sprintf("LayerNorm(eps=%g)", l.Epsilon) }

// Shape implements engine.Kernel.
func (l *LayerNorm[T]) Shape(in []tensor.Shape) (tensor.Shape, error) {
	if err := axes(in, 2, 1, 1); err != nil {
		return nil, err
	}
	if in[0][1] != in[1][0] || in[0][1] != in[2][0] {
		return nil, fmt.Errorf("lines %v, gain %v and bias %v do not fit", in[0], in[1], in[2])
	}
	return in[0].Clone(), nil
}

// Forward implements engine.Kernel.
func (l *LayerNorm[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	n, w := in[0].Dim(0), in[0].Dim(1)
	gain, bias := in[1].Data, in[2].Data
	y := out.Resize(n, w)
	l.hat, l.inv = grow(l.hat, n*w), grow(l.inv, n)
	for i := range n {
		x, hat, y := in[0].Data[i*w:(i+1)*w], l.hat[i*w:(i+1)*w], y[i*w:(i+1)*w]
		mean := sum(x) / T(w)
		for j, v := range x {
			hat[j] = v - mean
		}
		inv := T(1 / math.Sqrt(float64(dot(hat, hat))/float64(w)+l.Epsilon))
		l.inv[i] = inv
		for j := range hat {
			h := hat[j] * inv
			hat[j] = h
			y[j] = gain[j]*h + bias[j]
		}
	}
}

// Backward implements engine.Kernel. With e = gain dy: dx = (e - mean(e) - hat
// mean(e hat)) / deviation, dgain = sum over lines of dy hat, dbias of dy.
func (l *LayerNorm[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	w, gain := in[0].Dim(1), in[1].Data
	if din[1] != nil {
		dg := din[1].Add(w)
		for at := 0; at < len(dout.Data); at += w {
			dy, hat := dout.Data[at:at+w], l.hat[at:at+w]
			for j := range dg {
				dg[j] += dy[j] * hat[j]
			}
		}
	}
	if din[2] != nil {
		db := din[2].Add(w)
		for at := 0; at < len(dout.Data); at += w {
			add(db, dout.Data[at:])
		}
	}
	if din[0] == nil {
		return
	}
	dx := din[0].Add(in[0].Dims()...)
	e := make([]T, w)
	for i, inv := range l.inv {
		dy, hat, dx := dout.Data[i*w:(i+1)*w], l.hat[i*w:(i+1)*w], dx[i*w:(i+1)*w]
		for j := range e {
			e[j] = gain[j] * dy[j]
		}
		mean, slope := sum(e)/T(w), dot(e, hat)/T(w)
		for j, h := range hat {
			dx[j] += inv * (e[j] - mean - h*slope)
		}
	}
}
