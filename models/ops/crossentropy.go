package ops

import (
	"fmt"
	"slices"

	"memobench/models/engine"
	"memobench/models/vector"
)

// CrossEntropy is the mean over examples, and over the given score arrays, of
// -ln softmax(scores[b])[label b]; every input is [B x O], the result a scalar
// in nats. With one input it is the loss of the final hop, with all hops'
// scores the mean of their losses.
type CrossEntropy[T engine.Float] struct {
	Labels *Labels

	prob [][]T // softmax of each input
}

func (*CrossEntropy[T]) String() string { return "CrossEntropy" }

// Shape implements engine.Kernel.
func (*CrossEntropy[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	for _, s := range in {
		if len(s) != 2 || !slices.Equal(s, in[0]) {
			return nil, fmt.Errorf("inputs %v, want all [B x O]", in)
		}
	}
	return engine.Shape{}, nil
}

// Forward implements engine.Kernel.
func (c *CrossEntropy[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	if c.prob == nil {
		c.prob = make([][]T, len(in))
	}
	total := 0.0
	for i, x := range in {
		n, o := x.Dim(0), x.Dim(1)
		c.prob[i] = vector.Grow(c.prob[i], n*o)
		sum := 0.0
		for b := range n {
			line := x.Data[b*o : (b+1)*o]
			// Not -ln of the probability, which may underflow to 0.
			sum += SoftmaxLine(line, c.prob[i][b*o:(b+1)*o]) - float64(line[c.Labels.IDs[b]])
		}
		total += sum / float64(n)
	}
	out.Resize()[0] = T(total / float64(len(in)))
}

// Backward implements engine.Kernel: (softmax - onehot) / (B inputs).
func (c *CrossEntropy[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	for i, d := range din {
		if d == nil {
			continue
		}
		n, o := in[i].Dim(0), in[i].Dim(1)
		f := dout.Data[0] / T(n*len(in))
		dx := d.Add(n, o)
		vector.AddScaled(dx, f, c.prob[i])
		for b := range n {
			dx[b*o+int(c.Labels.IDs[b])] -= f
		}
	}
}
