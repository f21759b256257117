package ops

import "memobench/models/engine"

// Count implements engine.Counted.
func (*Bias[T]) Count(in [][]int, wanted []bool) engine.Count {
	n := elements(in[0])
	return engine.Count{Out: in[0], Forward: engine.Work{Other: n}, Backward: engine.Work{Other: when(wanted[1], n)}}
}

// Count implements engine.Counted.
func (*Sum[T]) Count(in [][]int, _ []bool) engine.Count {
	return engine.Count{Out: in[0], Forward: engine.Work{Other: (len(in) - 1) * elements(in[0])}}
}

// Count implements engine.Counted.
func (*Average[T]) Count(in [][]int, wanted []bool) engine.Count {
	n := elements(in[0])
	return engine.Count{Out: in[0], Forward: engine.Work{Other: len(in) * n}, Backward: engine.Work{Other: number(wanted) * n}}
}

// Count implements engine.Counted: comparisons are no operations.
func (*Relu[T]) Count(in [][]int, _ []bool) engine.Count { return same(in[0]...) }

// Count implements engine.Counted.
func (d *Dropout[T]) Count(in [][]int, wanted []bool) engine.Count {
	n := elements(in[0])
	return engine.Count{Out: in[0], Forward: engine.Work{Other: n}, Backward: engine.Work{Other: when(wanted[0], n)}, Kept: n}
}

// Count implements engine.Counted.
func (m *Mean[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, out := elements(in[0]), []int{m.Segments.Len(), in[0][1]}
	return engine.Count{Out: out, Forward: engine.Work{Other: n + elements(out)}, Backward: engine.Work{Other: when(wanted[0], n)}}
}

// Count implements engine.Counted: besides the softmax's, a division, a
// logarithm and an addition for each example and head.
func (s *Softmax[T]) Count(in [][]int, wanted []bool) engine.Count {
	heads := in[0][1] - s.Linear
	n := in[0][0] * heads
	c := engine.Count{Out: in[0], Forward: softmaxCount(n, s.Segments.Len()*heads, 3)}
	if wanted[0] {
		c.Backward = softmaxBackward(n)
	}
	return c
}

// Count implements engine.Counted: besides the softmax's, 5 operations for each
// example, a division and an addition for each input, and one for their mean.
func (*CrossEntropy[T]) Count(in [][]int, wanted []bool) engine.Count {
	c := engine.Count{Forward: engine.Work{Other: 1}}
	for i, x := range in {
		n := elements(x)
		c.Forward.Add(softmaxCount(n, x[0], 5))
		c.Forward.Other += 2
		c.Backward.Other += when(wanted[i], 1+n+x[0])
		c.Kept += n
	}
	return c
}

// normCount is what normalizing lines of w elements takes: 7 for an element
// (mean, difference, square and its sum, scaling, gain and bias) and 5 for a
// line, backward 2 for the gain, 1 for the bias, and 9 and 2 for each input.
func normCount(lines, w int, gain, bias bool, inputs int) (forward, backward engine.Work) {
	n := lines * w
	forward.Other = 7*n + 5*lines
	backward.Other = when(gain, 2*n) + when(bias, n) + inputs*(9*n+2*lines)
	return forward, backward
}

// Count implements engine.Counted.
func (*LayerNorm[T]) Count(in [][]int, wanted []bool) engine.Count {
	lines, w := in[0][0], in[0][1]
	forward, backward := normCount(lines, w, wanted[1], wanted[2], when(wanted[0], 1))
	return engine.Count{Out: in[0], Forward: forward, Backward: backward, Kept: lines*w + lines, Scratch: when(wanted[0], w)}
}

// Count implements engine.Counted: one more for each element of the sum.
func (*AddLayerNorm[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, w := elements(in[0]), in[2][0]
	forward, backward := normCount(n/w, w, wanted[2], wanted[3], number(wanted[:2]))
	forward.Other += n
	return engine.Count{Out: in[0], Forward: forward, Backward: backward, Kept: n + n/w}
}

// Count implements engine.Counted.
func (*Blend[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, c := elements(in[1]), engine.Count{Out: in[1]}
	for i := range in[1:] {
		c.Forward.Other += 3 * n
		c.Backward.Other += 2*n + when(wanted[0], 3*n) + when(wanted[1+i], n)
		c.Kept += n
	}
	c.Scratch = n
	return c
}

// Count implements engine.Counted, for tokens that take all steps: a sigmoid, a
// sum and a comparison with it at each.
func (h *HaltingWeights[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, steps := in[0][0], len(in)
	return engine.Count{
		Out: []int{n, steps + 1}, Kept: n * steps,
		Forward:  engine.Work{Other: 6 * n * steps},
		Backward: engine.Work{Other: 5 * n * number(wanted)},
	}
}

// Count implements engine.Counted.
func (*Ponder[T]) Count(in [][]int, wanted []bool) engine.Count {
	return engine.Count{Forward: engine.Work{Other: in[1][0] + 3}, Backward: engine.Work{Other: when(wanted[1], 2*in[1][0])}}
}
