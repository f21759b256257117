package ops

import "memobench/models/engine"

// Each operation states what it takes (engine.Counted), by its equations, in
// the files count_*.go. TestCounts compares the products with those that run,
// and the sizes against those that result.

var (
	_ engine.Counted = (*Attention[float32])(nil)
	_ engine.Counted = (*Project[float32])(nil)
)

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

// square returns the sum of the squares of the examples' numbers of rows.
func (s *Segments) square() int {
	total := 0
	for b := range s.Len() {
		n := s.Offsets[b+1] - s.Offsets[b]
		total += n * n
	}
	return total
}

// softmaxCount is what a softmax takes: 4 per element (subtract the largest, take
// the exponential, sum, scale), and so many more for each of the sums.
func softmaxCount(elements, sums, each int) engine.Work {
	return engine.Work{Other: 4*elements + each*sums}
}

// softmaxBackward is what its gradient takes: an inner product, and w (dw - it).
func softmaxBackward(elements int) engine.Work { return engine.Work{Other: 4 * elements} }

// same is the count of an operation that moves numbers and computes none.
func same(out ...int) engine.Count { return engine.Count{Out: out} }

// Count implements engine.Counted: words are looked up, and their gradients
// added.
func (e *Embed[T]) Count(in [][]int, wanted []bool) engine.Count {
	dc := in[0][1]
	return engine.Count{
		Out:      []int{e.Words.Lines(), e.slots() * dc},
		Backward: engine.Work{Other: when(wanted[0], e.Words.filled()*dc)},
	}
}

// Count implements engine.Counted.
func (e *EmbedSum[T]) Count(in [][]int, wanted []bool) engine.Count {
	d, words := in[0][1], e.Words.filled()
	weighted := words * d * (1 + when(e.Encoding != nil, 1))
	return engine.Count{
		Out:      []int{e.Words.Lines(), d},
		Forward:  engine.Work{Other: weighted + when(e.Added != nil, words*d)},
		Backward: engine.Work{Other: when(wanted[0], weighted)},
	}
}

// Count implements engine.Counted.
func (*AddAge[T]) Count(in [][]int, wanted []bool) engine.Count {
	n := elements(in[0])
	return engine.Count{Out: in[0], Forward: engine.Work{Other: n}, Backward: engine.Work{Other: when(wanted[1], n)}}
}

// Count implements engine.Counted. Codes are made once, up to the largest
// position so far, and held.
func (a *AddTiming[T]) Count(in [][]int, _ []bool) engine.Count {
	positions := 1
	for e := range a.Segments.Len() {
		if a.Positions {
			positions = max(positions, a.Segments.Offsets[e+1]-a.Segments.Offsets[e])
		}
	}
	return engine.Count{Out: in[0], Forward: engine.Work{Other: elements(in[0])}, Kept: positions * in[0][1]}
}

// Count implements engine.Counted.
func (a *AppendQuery[T]) Count(in [][]int, _ []bool) engine.Count {
	return same(in[0][0]+in[1][0], in[0][1])
}

// Count implements engine.Counted.
func (l *Last[T]) Count(in [][]int, _ []bool) engine.Count { return same(l.Segments.Len(), in[0][1]) }

// Count implements engine.Counted.
func (*CompleteQuery[T]) Count([][]int, []bool) engine.Count { return same(1) }

// Count implements engine.Counted.
func (a *After[T]) Count(in [][]int, wanted []bool) engine.Count {
	return a.Kernel.(engine.Counted).Count(in[:a.inputs], wanted[:a.inputs])
}
