package ops

import "memobench/models/engine"

// The methods Count implement engine.Counted, here and in countproducts.go. TestCounts
// compares them with the products and sizes of a run.

// work counts an operation without products.
func work(forward, backward int, out ...int) engine.Count {
	return engine.Count{Out: out, Forward: engine.Work{Other: forward}, Backward: engine.Work{Other: backward}}
}

// when returns n if wanted, else 0.
func when(wanted bool, n int) int {
	if wanted {
		return n
	}
	return 0
}

// number returns the number of wanted gradients.
func number(wanted []bool) int {
	n := 0
	for _, w := range wanted {
		n += when(w, 1)
	}
	return n
}

// filled returns the number of words that are not empty slots.
func (w *Words) filled() int {
	n := 0
	for _, id := range w.IDs {
		n += when(id >= 0, 1)
	}
	return n
}

// softmaxCount counts a softmax: 4 operations per element (subtract the maximum, exponential,
// sum, scale) and each more per sum. Its gradient takes 4 per element (an inner product, and
// w (dw - it)).
func softmaxCount(elements, sums, each int) (forward, backward engine.Work) {
	return engine.Work{Other: 4*elements + each*sums}, engine.Work{Other: 4 * elements}
}

func (e *Embed[T]) Count(in [][]int, wanted []bool) engine.Count {
	dc := in[0][1]
	return work(0, when(wanted[0], e.Words.filled()*dc), e.Words.Rows(), e.slots()*dc)
}

func (e *EmbedSum[T]) Count(in [][]int, wanted []bool) engine.Count {
	d, words := in[0][1], e.Words.filled()
	weighted := words * d * (1 + when(e.Encoding != nil, 1))
	return work(weighted+when(e.Added != nil, words*d), when(wanted[0], weighted), e.Words.Rows(), d)
}

func (*AddAge[T]) Count(in [][]int, wanted []bool) engine.Count {
	return work(engine.Elements(in[0]), when(wanted[1], engine.Elements(in[0])), in[0]...)
}

// Count: codes are computed once, up to the largest position so far, and stored.
func (a *AddTiming[T]) Count(in [][]int, _ []bool) engine.Count {
	positions := 1
	for e := range a.Segments.Len() {
		if a.Positions {
			positions = max(positions, a.Segments.Offsets[e+1]-a.Segments.Offsets[e])
		}
	}
	c := work(engine.Elements(in[0]), 0, in[0]...)
	c.Saved = positions * in[0][1]
	return c
}

func (a *AppendQuery[T]) Count(in [][]int, _ []bool) engine.Count {
	return work(0, 0, in[0][0]+in[1][0], in[0][1])
}

func (l *Last[T]) Count(in [][]int, _ []bool) engine.Count {
	return work(0, 0, l.Segments.Len(), in[0][1])
}

func (c *Columns[T]) Count(in [][]int, _ []bool) engine.Count {
	return work(0, 0, in[0][0], c.N)
}

func (*Diagonals[T]) Count(in [][]int, _ []bool) engine.Count {
	return work(0, 0, in[0][1], engine.Elements(in[0]))
}

func (*CompleteQuery[T]) Count([][]int, []bool) engine.Count { return work(0, 0, 1) }

func (a *ControlDependency[T]) Count(in [][]int, wanted []bool) engine.Count {
	return a.Kernel.(engine.Counted).Count(in[:a.inputs], wanted[:a.inputs])
}

func (*Bias[T]) Count(in [][]int, wanted []bool) engine.Count {
	return work(engine.Elements(in[0]), when(wanted[1], engine.Elements(in[0])), in[0]...)
}

func (s *Sum[T]) Count(in [][]int, wanted []bool) engine.Count {
	if n := engine.Elements(in[0]); s.Mean {
		return work(len(in)*n, number(wanted)*n, in[0]...)
	}
	return work((len(in)-1)*engine.Elements(in[0]), 0, in[0]...)
}

// Count: comparisons do not count.
func (*Relu[T]) Count(in [][]int, _ []bool) engine.Count { return work(0, 0, in[0]...) }

// Count: a sigmoid takes 4 operations.
func (*Silu[T]) Count(in [][]int, wanted []bool) engine.Count {
	n := engine.Elements(in[0])
	c := work(5*n, when(wanted[0], 4*n), in[0]...)
	c.Saved = n
	return c
}

func (d *Dropout[T]) Count(in [][]int, wanted []bool) engine.Count {
	n := engine.Elements(in[0])
	c := work(n, when(wanted[0], n), in[0]...)
	c.Saved = n
	return c
}

func (m *Mean[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, examples := engine.Elements(in[0]), m.Segments.Len()
	return work(n+examples*in[0][1], when(wanted[0], n), examples, in[0][1])
}

// Count: the softmax, and a division, a logarithm and an addition per example and head.
func (s *Softmax[T]) Count(in [][]int, wanted []bool) engine.Count {
	heads := in[0][1] - s.Linear
	c := engine.Count{Out: in[0]}
	c.Forward, c.Backward = softmaxCount(in[0][0]*heads, s.Segments.Len()*heads, 3)
	c.Backward.Other = when(wanted[0], c.Backward.Other)
	return c
}

// Count: the softmax, 5 operations per example, a division and an addition per input, and
// one for their mean.
func (*CrossEntropy[T]) Count(in [][]int, wanted []bool) engine.Count {
	c := work(1, 0)
	for i, x := range in {
		n := engine.Elements(x)
		forward, _ := softmaxCount(n, x[0], 5)
		c.Forward.Other += forward.Other + 2
		c.Backward.Other += when(wanted[i], 1+n+x[0])
		c.Saved += n
	}
	return c
}

// Count: 7 per element (mean, difference, square and its sum, scaling, gain, bias), one more
// for the sum of two inputs, and 5 per group; backward, per element 2 for the gain, 1 for
// the bias and 9 for each input, and 2 per group and input.
func (*LayerNorm[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, last := engine.Elements(in[0]), len(in)-1
	w := in[last][0]
	groups := n / w
	backward := when(wanted[last-1], 2*n) + when(wanted[last], n) + number(wanted[:last-1])*(9*n+2*groups)
	c := work(7*n+5*groups, backward, in[0]...)
	c.Saved = n + groups
	if len(in) == 3 {
		c.Scratch = when(wanted[0], w)
	} else {
		c.Forward.Other += n
	}
	return c
}

// Count: 3 per element (square and its sum, scaling), one more for the gain, and 4 per group;
// backward, per element 2 for the gain and 6 for the input (7 with a gain).
func (r *RMSNorm[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, w := engine.Elements(in[0]), in[0][1]/r.Groups
	groups := n / w
	c := work(3*n+4*groups, when(wanted[0], 6*n), in[0]...)
	c.Saved, c.Scratch = groups, when(wanted[0], w)
	if !r.Unit {
		c.Saved += n
		c.Forward.Other += n
		c.Backward.Other += when(wanted[0], n) + when(wanted[1], 2*n)
	}
	return c
}

func (*Blend[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, states := engine.Elements(in[1]), len(in)-1
	c := work(3*n*states, (2+when(wanted[0], 3))*n*states+number(wanted[1:])*n, in[1]...)
	c.Saved, c.Scratch = states*n, n
	return c
}

// Count assumes that tokens take all steps: a sigmoid, a sum and its comparison at each.
func (h *HaltingWeights[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, steps := in[0][0], len(in)
	c := work(6*n*steps, 5*n*number(wanted), n, steps+1)
	c.Saved = n * steps
	return c
}

func (*PonderCost[T]) Count(in [][]int, wanted []bool) engine.Count {
	return work(in[1][0]+3, when(wanted[1], 2*in[1][0]))
}
