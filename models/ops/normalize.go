package ops

import (
	"fmt"

	"memobench/models/engine"
	"memobench/models/vector"
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
	inv []T // 1 / deviation, one per line

	scratch []T // [w]
}

func (l *LayerNorm[T]) String() string { return fmt.Sprintf("LayerNorm(eps=%g)", l.Epsilon) }

// Shape implements engine.Kernel.
func (l *LayerNorm[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2, 1, 1); err != nil {
		return nil, err
	}
	if in[0][1] != in[1][0] || in[0][1] != in[2][0] {
		return nil, fmt.Errorf("lines %v, gain %v and bias %v do not fit", in[0], in[1], in[2])
	}
	return in[0], nil
}

// Forward implements engine.Kernel.
func (l *LayerNorm[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	n, w := in[0].Dim(0), in[0].Dim(1)
	gain, bias := in[1].Data, in[2].Data
	y := out.Resize(n, w)
	l.hat, l.inv = vector.Grow(l.hat, n*w), vector.Grow(l.inv, n)
	for i := range n {
		hat, y := l.hat[i*w:(i+1)*w], y[i*w:(i+1)*w]
		copy(hat, in[0].Data[i*w:])
		l.inv[i] = standardize(hat, l.Epsilon)
		vector.Product(y, gain, hat)
		vector.Add(y, bias)
	}
}

// Backward implements engine.Kernel. With e = gain dy: dx = (e - mean(e) - hat
// mean(e hat)) / deviation, dgain = sum over lines of dy hat, dbias of dy.
func (l *LayerNorm[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	w, gain := in[0].Dim(1), in[1].Data
	if din[1] != nil {
		dg := din[1].Add(w)
		for at := 0; at < len(dout.Data); at += w {
			vector.AddProduct(dg, dout.Data[at:], l.hat[at:])
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
	l.scratch = vector.Grow(l.scratch, w)
	for i, inv := range l.inv {
		standardizeBack(gain, dout.Data[i*w:(i+1)*w], l.hat[i*w:], inv, l.scratch, dx[i*w:(i+1)*w])
	}
}
