package ops

import "memobench/models/engine"

// Each operation states what it takes (engine.Counted), by its equations, here and in
// countproducts.go. TestCounts compares the products with those that run, and the sizes
// with those that result.

// work counts an operation without products.
func work(forward, backward int, out ...int) engine.Count {
	return engine.Count{Out: out, Forward: engine.Work{Other: forward}, Backward: engine.Work{Other: backward}}
}

// elements returns the number of elements of an array of the given sizes.
func elements(sizes []int) int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return n
}

// when returns n if wanted, else 0.
func when(wanted bool, n int) int {
	if wanted {
		return n
	}
	return 0
}

// number returns how many are wanted.
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

// softmaxCount is what a softmax takes: 4 per element (subtract the largest, take
// the exponential, sum, scale), and so many more for each of the sums; its gradient
// takes 4 per element (an inner product, and w (dw - it)).
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
	return work(elements(in[0]), when(wanted[1], elements(in[0])), in[0]...)
}

// Count: codes are made once, up to the largest position so far, and held.
func (a *AddTiming[T]) Count(in [][]int, _ []bool) engine.Count {
	positions := 1
	for e := range a.Segments.Len() {
		if a.Positions {
			positions = max(positions, a.Segments.Offsets[e+1]-a.Segments.Offsets[e])
		}
	}
	c := work(elements(in[0]), 0, in[0]...)
	c.Kept = positions * in[0][1]
	return c
}

func (a *AppendQuery[T]) Count(in [][]int, _ []bool) engine.Count {
	return work(0, 0, in[0][0]+in[1][0], in[0][1])
}

func (l *Last[T]) Count(in [][]int, _ []bool) engine.Count {
	return work(0, 0, l.Segments.Len(), in[0][1])
}

func (c *Columns[T]) Count(in [][]int, _ []bool) engine.Count {
	return work(0, 0, in[0][0], c.To-c.From)
}

func (*Diagonals[T]) Count(in [][]int, _ []bool) engine.Count {
	return work(0, 0, in[0][1], elements(in[0]))
}

func (*CompleteQuery[T]) Count([][]int, []bool) engine.Count { return work(0, 0, 1) }

func (a *ControlDependency[T]) Count(in [][]int, wanted []bool) engine.Count {
	return a.Kernel.(engine.Counted).Count(in[:a.inputs], wanted[:a.inputs])
}

func (*Bias[T]) Count(in [][]int, wanted []bool) engine.Count {
	return work(elements(in[0]), when(wanted[1], elements(in[0])), in[0]...)
}

func (s *Sum[T]) Count(in [][]int, wanted []bool) engine.Count {
	if n := elements(in[0]); s.Mean {
		return work(len(in)*n, number(wanted)*n, in[0]...)
	}
	return work((len(in)-1)*elements(in[0]), 0, in[0]...)
}

// Count: comparisons are no operations.
func (*Relu[T]) Count(in [][]int, _ []bool) engine.Count { return work(0, 0, in[0]...) }

// Count: a sigmoid takes 4 operations.
func (*Silu[T]) Count(in [][]int, wanted []bool) engine.Count {
	n := elements(in[0])
	c := work(5*n, when(wanted[0], 4*n), in[0]...)
	c.Kept = n
	return c
}

func (d *Dropout[T]) Count(in [][]int, wanted []bool) engine.Count {
	n := elements(in[0])
	c := work(n, when(wanted[0], n), in[0]...)
	c.Kept = n
	return c
}

func (m *Mean[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, lines := elements(in[0]), m.Segments.Len()
	return work(n+lines*in[0][1], when(wanted[0], n), lines, in[0][1])
}

// Count: besides the softmax's, a division, a logarithm and an addition for each
// example and head.
func (s *Softmax[T]) Count(in [][]int, wanted []bool) engine.Count {
	heads := in[0][1] - s.Linear
	c := engine.Count{Out: in[0]}
	c.Forward, c.Backward = softmaxCount(in[0][0]*heads, s.Segments.Len()*heads, 3)
	c.Backward.Other = when(wanted[0], c.Backward.Other)
	return c
}

// Count: besides the softmax's, 5 operations for each example, a division and an
// addition for each input, and one for their mean.
func (*CrossEntropy[T]) Count(in [][]int, wanted []bool) engine.Count {
	c := work(1, 0)
	for i, x := range in {
		n := elements(x)
		forward, _ := softmaxCount(n, x[0], 5)
		c.Forward.Other += forward.Other + 2
		c.Backward.Other += when(wanted[i], 1+n+x[0])
		c.Kept += n
	}
	return c
}

// Count: 7 for an element (mean, difference, square and its sum, scaling, gain and
// bias), one more for the sum of two inputs, and 5 for a group; backward 2 for the gain,
// 1 for the bias, and 9 and 2 for each input.
func (*LayerNorm[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, last := elements(in[0]), len(in)-1
	w := in[last][0]
	groups := n / w
	backward := when(wanted[last-1], 2*n) + when(wanted[last], n) + number(wanted[:last-1])*(9*n+2*groups)
	c := work(7*n+5*groups, backward, in[0]...)
	c.Kept = n + groups
	if len(in) == 3 {
		c.Scratch = when(wanted[0], w)
	} else {
		c.Forward.Other += n
	}
	return c
}

// Count: 3 for an element (square and its sum, scaling), one more for the gain, and 4 for a
// group; backward 2 for the gain, and for the input an inner product, a multiple of x and
// the root, 6, with a gain 7.
func (r *RMSNorm[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, w := elements(in[0]), in[0][1]/r.Groups
	groups := n / w
	c := work(3*n+4*groups, when(wanted[0], 6*n), in[0]...)
	c.Kept, c.Scratch = groups, when(wanted[0], w)
	if !r.Unit {
		c.Kept += n
		c.Forward.Other += n
		c.Backward.Other += when(wanted[0], n) + when(wanted[1], 2*n)
	}
	return c
}

func (*Blend[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, states := elements(in[1]), len(in)-1
	c := work(3*n*states, (2+when(wanted[0], 3))*n*states+number(wanted[1:])*n, in[1]...)
	c.Kept, c.Scratch = states*n, n
	return c
}

// Count, for tokens that take all steps: a sigmoid, a sum and a comparison with it at
// each.
func (h *HaltingWeights[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, steps := in[0][0], len(in)
	c := work(6*n*steps, 5*n*number(wanted), n, steps+1)
	c.Kept = n * steps
	return c
}

func (*PonderCost[T]) Count(in [][]int, wanted []bool) engine.Count {
	return work(in[1][0]+3, when(wanted[1], 2*in[1][0]))
}
