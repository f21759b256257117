package ops

import (
	"fmt"
	"math"

	"memobench/models/engine"
	"memobench/models/vector"
)

// LayerNorm normalizes its input, or the sum of two inputs, over groups of the last
// axis:
//
//	y = gain (s - mean(s)) / sqrt(var(s) + eps) + bias,  s = x or a + b
//
// x, or a and b, [N x G w]; gain, bias [w], shared by the G groups of each row; mean
// and (biased) variance are over the w elements of a group (Ba et al. 2016; MEMO eq. 14
// with two inputs and G = H groups, one per head, or G = 1).
type LayerNorm[T engine.Float] struct {
	Epsilon float64

	hat []T // (s - mean) / deviation of the last Forward
	inv []T // 1 / deviation, one per group

	scratch []T // [w]
}

func (l *LayerNorm[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if len(in) == 0 || len(in[len(in)-1]) != 1 {
		return nil, fmt.Errorf("inputs %v, want x, gain [w] and bias [w]", in)
	}
	groups := in[0][len(in[0])-1] / in[len(in)-1][0]
	if len(in) == 3 {
		return engine.Fit(in, "N %d*w, w, w -> N %[1]d*w", groups)
	}
	return engine.Fit(in, "N %d*w, N %[1]d*w, w, w -> N %[1]d*w", groups)
}

func (l *LayerNorm[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	x, gain, bias := in[:len(in)-2], in[len(in)-2].Data, in[len(in)-1].Data
	w := len(gain)
	y := out.Resize(x[0].Dims()...)
	l.hat, l.inv = vector.Grow(l.hat, len(y)), vector.Grow(l.inv, len(y)/w)
	for g := range l.inv {
		hat, row := l.hat[g*w:(g+1)*w], y[g*w:(g+1)*w]
		copy(hat, x[0].Data[g*w:])
		if len(x) > 1 {
			vector.Add(hat, x[1].Data[g*w:])
		}
		l.inv[g] = standardize(hat, l.Epsilon)
		vector.Product(row, gain, hat)
		vector.Add(row, bias)
	}
}

// standardize subtracts its mean from x, divides it by its standard deviation (biased, with
// epsilon added to the variance) and returns 1 / deviation.
func standardize[T engine.Float](x []T, epsilon float64) T {
	n := len(x)
	vector.AddConstant(x, -vector.Sum(x)/T(n))
	inv := T(1 / math.Sqrt(float64(vector.Dot(x, x))/float64(n)+epsilon))
	vector.Scale(x, inv)
	return inv
}

// Backward: with e = gain dy, ds = (e - mean(e) - hat mean(e hat)) / deviation, the
// same for both inputs; dgain = sum over groups of dy hat, dbias of dy.
func (l *LayerNorm[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	last, dy := len(in)-1, dout.Data
	gain := in[last-1].Data
	w := len(gain)
	dg := din[last-1].Add(w)
	for at := 0; at < len(dy); at += w {
		vector.AddProduct(dg, dy[at:], l.hat[at:])
	}
	addRows(din[last], dy, w)
	l.scratch = vector.Grow(l.scratch, w)
	for _, d := range din[:last-1] {
		ds, e := d.Add(in[0].Dims()...), l.scratch
		for g, inv := range l.inv {
			hat := l.hat[g*w : (g+1)*w]
			vector.Product(e, gain, dy[g*w:])
			mean, slope := vector.Sum(e)/T(w), vector.Dot(e, hat)/T(w)
			vector.AddConstant(e, -mean)
			vector.AddScaled(e, -slope, hat)
			vector.AddScaled(ds[g*w:(g+1)*w], inv, e)
		}
	}
}
