package ops

import "memobench/models/engine"

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
func (*Ask[T]) Count([][]int, []bool) engine.Count { return same(1) }

// Count implements engine.Counted.
func (a *After[T]) Count(in [][]int, wanted []bool) engine.Count {
	return a.Kernel.(engine.Counted).Count(in[:a.inputs], wanted[:a.inputs])
}
