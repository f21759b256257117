package ops

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// Softmax normalizes each head's logits over the rows of each example:
//
//	w[r, h] = exp(x[r, h]) / sum over rows r' of the same example of exp(x[r', h])
//
// x [R x H] -> w [R x H]. The last Linear heads are left as they are: w = x there,
// attention without a softmax (Sukhbaatar et al. 2015, section 4.1, linear start).
type Softmax[T engine.Float] struct {
	Segments *Segments
	Linear   int // heads without softmax, 0 to H

	columns [2][]T // scratch, [H] each
}

func (s *Softmax[T]) String() string { return "Softmax" }

// Shape implements engine.Kernel.
func (s *Softmax[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 2); err != nil {
		return nil, err
	}
	return in[0], nil
}

// Forward implements engine.Kernel.
func (s *Softmax[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	x, heads := in[0].Data, in[0].Dim(1)
	y := out.Resize(in[0].Dims()...)
	for b := range s.Segments.Len() {
		lo, hi := s.Segments.Offsets[b]*heads, s.Segments.Offsets[b+1]*heads
		if lo < hi {
			s.example(x[lo:hi], y[lo:hi], heads)
		}
	}
}

// example sets y to the weights of one example's logits x, [n x heads].
func (s *Softmax[T]) example(x, y []T, heads int) {
	if s.Linear < heads {
		softmaxHeads(x, y, heads, &s.columns)
	}
	if s.Linear > 0 {
		for at := heads - s.Linear; at < len(x); at += heads {
			copy(y[at:at+s.Linear], x[at:])
		}
	}
}

// softmaxHeads sets y to the softmax of every column of x, [n x heads]. The
// exponentials of all columns are taken in one pass, each less its column's top.
func softmaxHeads[T engine.Float](x, y []T, heads int, columns *[2][]T) {
	if heads == 1 {
		SoftmaxLine(x, y)
		return
	}
	tops, sums := vector.Grow(columns[0], heads), vector.Grow(columns[1], heads)
	columns[0], columns[1] = tops, sums
	copy(tops, x)
	for at := heads; at < len(x); at += heads {
		for h, v := range x[at : at+heads] {
			tops[h] = max(tops[h], v)
		}
	}
	for at := 0; at < len(x); at += heads {
		line := y[at : at+heads]
		for h, v := range x[at : at+heads] {
			line[h] = v - tops[h]
		}
	}
	vector.Exp(y, 0)
	clear(sums)
	for at := 0; at < len(y); at += heads {
		vector.Add(sums, y[at:])
	}
	for h, s := range sums {
		sums[h] = 1 / s
	}
	for at := 0; at < len(y); at += heads {
		vector.Multiply(y[at:at+heads], sums)
	}
}

// SoftmaxLine sets y to the softmax of one line of scores and returns ln of the
// sum of exp(x), which is finite however far apart the scores are.
func SoftmaxLine[T engine.Float](x, y []T) float64 {
	copy(y, x)
	return vector.Softmax(y[:len(x)])
}

// Backward implements engine.Kernel: dx = w (dw - <w, dw>), and dx = dw for linear
// heads.
func (s *Softmax[T]) Backward(in []*engine.Array[T], out, dout *engine.Array[T], din []*engine.Grad[T]) {
	if din[0] == nil {
		return
	}
	w, dw, heads := out.Data, dout.Data, in[0].Dim(1)
	dx := din[0].Add(in[0].Dims()...)
	for b := range s.Segments.Len() {
		lo, hi := s.Segments.Offsets[b]*heads, s.Segments.Offsets[b+1]*heads
		for h := lo + heads - s.Linear; s.Linear > 0 && h < hi; h += heads {
			vector.Add(dx[h:h+s.Linear], dw[h:])
		}
		for h := lo; h < lo+heads-s.Linear && h < hi; h++ {
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
