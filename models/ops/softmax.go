package ops

import (
	"math"

	"gorgonia.org/tensor"

	"memobench/models/engine"
)

// Softmax normalizes each head's logits over the rows of each example:
//
//	w[r, h] = exp(x[r, h]) / sum over rows r' of the same example of exp(x[r', h])
//
// x [R x H] -> w [R x H].
type Softmax[T engine.Float] struct {
	Segments *Segments
}

func (s *Softmax[T]) String() string { return "Softmax" }

// Shape implements engine.Kernel.
func (s *Softmax[T]) Shape(in []tensor.Shape) (tensor.Shape, error) {
	if err := axes(in, 2); err != nil {
		return nil, err
	}
	return in[0].Clone(), nil
}

// Forward implements engine.Kernel.
func (s *Softmax[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	x, heads := in[0].Data, in[0].Dim(1)
	y := out.Resize(in[0].Dims()...)
	for b := range s.Segments.Len() {
		lo, hi := s.Segments.Offsets[b]*heads, s.Segments.Offsets[b+1]*heads
		for h := lo; h < lo+heads && h < hi; h++ {
			softmax(x[h:hi], y[h:hi], heads)
		}
	}
}

// softmax normalizes x[0], x[step], ... into y and returns ln of the sum of
// exp(x), which is finite however far apart the logits are.
func softmax[T engine.Float](x, y []T, step int) float64 {
	top := x[0]
	for i := step; i < len(x); i += step {
		top = max(top, x[i])
	}
	sum := 0.0
	for i := 0; i < len(x); i += step {
		e := math.Exp(float64(x[i] - top))
		y[i] = T(e)
		sum += e
	}
	inv := T(1 / sum)
	for i := 0; i < len(x); i += step {
		y[i] *= inv
	}
	return float64(top) + math.Log(sum)
}

// SoftmaxLine sets y to the softmax of one line of scores.
func SoftmaxLine[T engine.Float](x, y []T) { softmax(x, y, 1) }

// Backward implements engine.Kernel: dx = w (dw - <w, dw>).
func (s *Softmax[T]) Backward(in []*engine.Array[T], out, dout *engine.Array[T], din []*engine.Grad[T]) {
	if din[0] == nil {
		return
	}
	w, dw, heads := out.Data, dout.Data, in[0].Dim(1)
	dx := din[0].Add(in[0].Dims()...)
	for b := range s.Segments.Len() {
		lo, hi := s.Segments.Offsets[b]*heads, s.Segments.Offsets[b+1]*heads
		for h := lo; h < lo+heads && h < hi; h++ {
			dot := T(0)
			for i := h; i < hi; i += heads {
				dot += w[i] * dw[i]
			}
			for i := h; i < hi; i += heads {
				dx[i] += w[i] * (dw[i] - dot)
			}
		}
	}
}
