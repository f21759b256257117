package ops

import (
	"fmt"
	"math"

	"memobench/models/engine"
	"memobench/models/vector"
)

// AddLayerNorm normalizes the sum of two inputs over groups of its last axis:
//
//	y = gain (s - mean(s)) / sqrt(var(s) + eps) + bias,  s = a + b
//
// a, b [N x G w]; gain, bias [w], shared by the G groups of each line; mean and
// (biased) variance are over the w elements of a group (Ba et al. 2016; MEMO
// eq. 14 with G = H groups, one a head, or G = 1).
type AddLayerNorm[T engine.Float] struct {
	Epsilon float64

	hat []T // (s - mean) / deviation of the last Forward
	inv []T // 1 / deviation, one a group

	scratch []T // [w]
}

func (l *AddLayerNorm[T]) String() string { return fmt.Sprintf("AddLayerNorm(eps=%g)", l.Epsilon) }

// Shape implements engine.Kernel.
func (l *AddLayerNorm[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2, 2, 1, 1); err != nil {
		return nil, err
	}
	if in[0][1] != in[1][1] || in[2][0] != in[3][0] || in[0][1]%in[2][0] != 0 {
		return nil, fmt.Errorf("inputs %v do not fit", in)
	}
	return in[0], nil
}

// Forward implements engine.Kernel.
func (l *AddLayerNorm[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	a, b, gain, bias := in[0].Data, in[1].Data, in[2].Data, in[3].Data
	w := len(gain)
	y := out.Resize(in[0].Dims()...)
	l.hat, l.inv = vector.Grow(l.hat, len(y)), vector.Grow(l.inv, len(y)/w)
	for g := range l.inv {
		hat := l.hat[g*w : (g+1)*w]
		copy(hat, a[g*w:])
		vector.Add(hat, b[g*w:])
		l.inv[g] = standardize(hat, l.Epsilon)
		line := y[g*w : (g+1)*w]
		vector.Product(line, gain, hat)
		vector.Add(line, bias)
	}
}

// standardize subtracts the mean from x, divides it by its deviation (biased,
// epsilon added to the variance) and returns 1 / deviation.
func standardize[T engine.Float](x []T, epsilon float64) T {
	n := len(x)
	vector.AddConstant(x, -vector.Sum(x)/T(n))
	inv := T(1 / math.Sqrt(float64(vector.Dot(x, x))/float64(n)+epsilon))
	vector.Scale(x, inv)
	return inv
}

// standardizeBack adds to dx the gradient through y = gain hat + bias, hat =
// standardize(x), given those of y and 1 / deviation: with e = gain dy,
//
//	dx = (e - mean(e) - hat mean(e hat)) / deviation
//
// e is scratch.
func standardizeBack[T engine.Float](gain, dy, hat []T, inv T, e, dx []T) {
	n := T(len(e))
	vector.Product(e, gain, dy)
	mean, slope := vector.Sum(e)/n, vector.Dot(e, hat)/n
	vector.AddConstant(e, -mean)
	vector.AddScaled(e, -slope, hat)
	vector.AddScaled(dx, inv, e)
}

// Backward implements engine.Kernel. With e = gain dy: ds = (e - mean(e) -
// hat mean(e hat)) / deviation, the same for a and b.
func (l *AddLayerNorm[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	gain, dy := in[2].Data, dout.Data
	w := len(gain)
	if din[2] != nil {
		dg := din[2].Add(w)
		for at := 0; at < len(dy); at += w {
			vector.AddProduct(dg, dy[at:], l.hat[at:])
		}
	}
	if din[3] != nil {
		db := din[3].Add(w)
		for at := 0; at < len(dy); at += w {
			add(db, dy[at:])
		}
	}
	for _, d := range din[:2] {
		if d != nil {
			l.input(gain, dy, d.Add(in[0].Dims()...))
		}
	}
}

func (l *AddLayerNorm[T]) input(gain, dy, ds []T) {
	w := len(gain)
	l.scratch = vector.Grow(l.scratch, w)
	for g, inv := range l.inv {
		standardizeBack(gain, dy[g*w:(g+1)*w], l.hat[g*w:], inv, l.scratch, ds[g*w:(g+1)*w])
	}
}
