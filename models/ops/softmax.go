package ops

import (
	"math"
	"strings"

	"memobench/models/engine"
	"memobench/models/vector"
)

// Softmax normalizes each head's logits over the rows of each example:
//
//	w[r, h] = exp(x[r, h]) / sum over rows r' of the same example of exp(x[r', h])
//
// x [R x H] -> w [R x H]. The last Linear heads have no softmax, w = x (Sukhbaatar et al.
// 2015, section 4.1, linear start). With Sink, each example has one more row, which is not in x
// or w: its logit is 0. The weights then sum to less than 1.
type Softmax[T engine.Float] struct {
	Segments *Segments
	Linear   int // heads without softmax, 0 to H
	Sink     bool

	columns [2][]T // scratch, [H] each
}

func (s *Softmax[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "R H -> R H")
}

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
		s.heads(x, y, heads)
	}
	if s.Linear > 0 {
		for at := heads - s.Linear; at < len(x); at += heads {
			copy(y[at:at+s.Linear], x[at:])
		}
	}
}

// heads sets y to the softmax of every column of x, [n x heads]. It computes the exponentials
// of all columns in one pass.
func (s *Softmax[T]) heads(x, y []T, heads int) {
	if heads == 1 {
		copy(y, x)
		if total := vector.Softmax(y); s.Sink { // the logarithm of the sum of exponentials
			vector.Scale(y, T(1/(1+math.Exp(-total))))
		}
		return
	}
	maxima, sums := vector.Grow(s.columns[0], heads), vector.Grow(s.columns[1], heads)
	s.columns[0], s.columns[1] = maxima, sums
	copy(maxima, x)
	for at := heads; at < len(x); at += heads {
		for h, v := range x[at : at+heads] {
			maxima[h] = max(maxima[h], v)
		}
	}
	for at := 0; at < len(x); at += heads {
		row := y[at : at+heads]
		for h, v := range x[at : at+heads] {
			row[h] = v - maxima[h]
		}
	}
	vector.Exp(y, 0)
	clear(sums)
	for at := 0; at < len(y); at += heads {
		vector.Add(sums, y[at:])
	}
	for h := range sums {
		if s.Sink {
			sums[h] += T(math.Exp(-float64(maxima[h])))
		}
		sums[h] = 1 / sums[h]
	}
	for at := 0; at < len(y); at += heads {
		vector.Multiply(y[at:at+heads], sums)
	}
}

// Backward: dx = w (dw - <w, dw>), and dx = dw for linear heads.
func (s *Softmax[T]) Backward(in []*engine.Array[T], out, dout *engine.Array[T], din []*engine.Grad[T]) {
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

// CrossEntropy is the mean over examples, and over the given score arrays, of
// -ln softmax(scores[b])[label b]; every input is [B x O], the result a scalar
// in nats.
type CrossEntropy[T engine.Float] struct {
	Labels *Words // [B x 1]

	prob [][]T // softmax of each input
}

func (*CrossEntropy[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, strings.Repeat(", B o", len(in))[2:]+" ->")
}

func (c *CrossEntropy[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	if c.prob == nil {
		c.prob = make([][]T, len(in))
	}
	total := 0.0
	for i, x := range in {
		n, o := x.Dim(0), x.Dim(1)
		c.prob[i] = vector.Grow(c.prob[i], n*o)
		copy(c.prob[i], x.Data)
		sum := 0.0
		for b := range n {
			// Not -ln of the probability, which may underflow to 0.
			sum += vector.Softmax(c.prob[i][b*o:(b+1)*o]) - float64(x.Data[b*o+int(c.Labels.IDs[b])])
		}
		total += sum / float64(n)
	}
	out.Resize()[0] = T(total / float64(len(in)))
}

// Backward: (softmax - onehot) / (B inputs).
func (c *CrossEntropy[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	for i, d := range din {
		n, o := in[i].Dim(0), in[i].Dim(1)
		f := dout.Data[0] / T(n*len(in))
		dx := d.Add(n, o)
		vector.AddScaled(dx, f, c.prob[i])
		for b := range n {
			dx[b*o+int(c.Labels.IDs[b])] -= f
		}
	}
}
