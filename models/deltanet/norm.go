package deltanet

import (
	"math"

	"memobench/models/engine"
	"memobench/models/vector"
)

// rmsNorm divides each group of the last axis by its root mean square (Zhang and Sennrich
// 2019):
//
//	y = gain o x / sqrt(mean(x^2) + eps)
//
// x [N x G w]; gain [w], shared by the G groups of each row. With Unit there is no gain and
// the sum replaces the mean, so that every group has length 1.
type rmsNorm[T engine.Float] struct {
	Groups  int
	Unit    bool
	Epsilon float64

	hat []T // x / root, with a gain
	inv []T // 1 / root, one per group

	scratch []T // [w]
}

func (r *rmsNorm[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if r.Unit {
		return engine.Fit(in, "N %d*w -> N %[1]d*w", r.Groups)
	}
	return engine.Fit(in, "N %d*w, w -> N %[1]d*w", r.Groups)
}

// terms returns the divisor of a group's sum of squares.
func (r *rmsNorm[T]) terms(w int) T {
	if r.Unit {
		return 1
	}
	return T(w)
}

func (r *rmsNorm[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	x, w := in[0].Data, in[0].Dim(1)/r.Groups
	y := out.Resize(in[0].Dims()...)
	hat := y
	if !r.Unit {
		r.hat = vector.Grow(r.hat, len(y))
		hat = r.hat
	}
	copy(hat, x)
	r.inv = vector.Grow(r.inv, len(x)/w)
	for g := range r.inv {
		row := hat[g*w : (g+1)*w]
		r.inv[g] = T(1 / math.Sqrt(float64(vector.Dot(row, row)/r.terms(w))+r.Epsilon))
		vector.Scale(row, r.inv[g])
		if !r.Unit {
			vector.Product(y[g*w:(g+1)*w], in[1].Data, row)
		}
	}
}

// Backward: with h = x / root and e = gain dy, dx = (e - h mean(e h)) / root (with Unit, the
// sum instead of the mean), and dgain = sum over groups of dy h.
func (r *rmsNorm[T]) Backward(in []*engine.Array[T], out, dout *engine.Array[T], din []*engine.Grad[T]) {
	dy, w, hat := dout.Data, in[0].Dim(1)/r.Groups, out.Data
	if !r.Unit {
		hat = r.hat
		dg := din[1].Add(w)
		for at := 0; at < len(dy); at += w {
			vector.AddProduct(dg, dy[at:], hat[at:])
		}
	}
	dx := din[0].Add(in[0].Dims()...)
	r.scratch = vector.Grow(r.scratch, w)
	for g, inv := range r.inv {
		e, h := r.scratch, hat[g*w:(g+1)*w]
		copy(e, dy[g*w:])
		if !r.Unit {
			vector.Multiply(e, in[1].Data)
		}
		vector.AddScaled(e, -vector.Dot(e, h)/r.terms(w), h)
		vector.AddScaled(dx[g*w:(g+1)*w], inv, e)
	}
}

// silu is x sigmoid(x) element by element (Elfwing et al. 2018).
type silu[T engine.Float] struct {
	s []T // sigmoid(x)
}

func (*silu[T]) Shape(in []engine.Shape) (engine.Shape, error) { return in[0], nil }

func (l *silu[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	y := out.Resize(in[0].Dims()...)
	l.s = vector.Grow(l.s, len(y))
	copy(l.s, in[0].Data)
	vector.Sigmoid(l.s)
	vector.Product(y, in[0].Data, l.s)
}

// Backward: with s = sigmoid(x), dx = dy (s + y (1 - s)).
func (l *silu[T]) Backward(in []*engine.Array[T], out, dout *engine.Array[T], din []*engine.Grad[T]) {
	dx := din[0].Add(in[0].Dims()...)
	for i, y := range out.Data {
		dx[i] += dout.Data[i] * (l.s[i] + y*(1-l.s[i]))
	}
}
