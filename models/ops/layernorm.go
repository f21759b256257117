package ops

import (
	"fmt"
	"math"

	"gorgonia.org/tensor"

	"memobench/models/engine"
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
}

func (l *AddLayerNorm[T]) String() string { return fmt.Sprintf("AddLayerNorm(eps=%g)", l.Epsilon) }

// Shape implements engine.Kernel.
func (l *AddLayerNorm[T]) Shape(in []tensor.Shape) (tensor.Shape, error) {
	if err := axes(in, 2, 2, 1, 1); err != nil {
		return nil, err
	}
	if in[0][1] != in[1][1] || in[2][0] != in[3][0] || in[0][1]%in[2][0] != 0 {
		return nil, fmt.Errorf("inputs %v do not fit", in)
	}
	return in[0].Clone(), nil
}

// Forward implements engine.Kernel.
func (l *AddLayerNorm[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	a, b, gain, bias := in[0].Data, in[1].Data, in[2].Data, in[3].Data
	w := len(gain)
	y := out.Resize(in[0].Dims()...)
	if cap(l.hat) < len(y) {
		l.hat, l.inv = make([]T, len(y)), make([]T, len(y)/w)
	}
	l.hat, l.inv = l.hat[:len(y)], l.inv[:len(y)/w]
	for g := range l.inv {
		hat := l.hat[g*w : (g+1)*w]
		sum := T(0)
		for i := range hat {
			s := a[g*w+i] + b[g*w+i]
			hat[i] = s
			sum += s
		}
		mean, square := sum/T(w), T(0)
		for i := range hat {
			hat[i] -= mean
			square += hat[i] * hat[i]
		}
		inv := T(1 / math.Sqrt(float64(square)/float64(w)+l.Epsilon))
		l.inv[g] = inv
		for i := range hat {
			hat[i] *= inv
			y[g*w+i] = gain[i]*hat[i] + bias[i]
		}
	}
}

// Backward implements engine.Kernel. With e = gain dy: ds = (e - mean(e) -
// hat mean(e hat)) / deviation, the same for a and b.
func (l *AddLayerNorm[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	gain, dy := in[2].Data, dout.Data
	w := len(gain)
	if din[2] != nil {
		dg := din[2].Add(w)
		for at := 0; at < len(dy); at += w {
			hat, d := l.hat[at:at+w], dy[at:at+w]
			for i := range dg {
				dg[i] += d[i] * hat[i]
			}
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
	for g, inv := range l.inv {
		hat, d, out := l.hat[g*w:(g+1)*w], dy[g*w:(g+1)*w], ds[g*w:(g+1)*w]
		sum, dot := T(0), T(0)
		for i := range hat {
			e := gain[i] * d[i]
			sum += e
			dot += e * hat[i]
		}
		sum /= T(w)
		dot /= T(w)
		for i := range hat {
			out[i] += inv * (gain[i]*d[i] - sum - hat[i]*dot)
		}
	}
}
