package halting

import "memobench/models/engine"

// The operations depend on which examples have halted. Counts are for the choices of the last
// run, or for the whole batch before the first run.

// active returns the number of examples in the hop.
func (e *Episode) active(hop int) int { return len(e.Stages[hop].Examples) }

// totalHops returns the sum of all examples' hops.
func (e *Episode) totalHops() int {
	n := 0
	for _, s := range e.Stages {
		n += len(s.Examples)
	}
	return n
}

// Count: a product, a root and two additions per weight, a logarithm and an addition per
// head, their mean, and once the uniform weights.
func (o *observation[T]) Count(in [][]int, _ []bool) engine.Count {
	b, heads := o.Episode.active(o.Hop), in[0][1]
	c := engine.Count{
		Out:     []int{b, 1 + len(o.Episode.Stages)},
		Forward: engine.Work{Other: (4*o.Episode.Stages[o.Hop].Segments.Rows()+2*b)*heads + b},
	}
	if o.Hop == 0 {
		c.Saved = o.Episode.batch.Rows() * heads
		c.Forward.Other += c.Saved
	}
	return c
}

// Count: at most a sigmoid of 4 operations.
func (d *decide[T]) Count([][]int, []bool) engine.Count {
	return engine.Count{Out: []int{1}, Forward: engine.Work{Other: 4 * d.Episode.active(d.Hop)}}
}

func (k *gather[T]) Count(in [][]int, _ []bool) engine.Count {
	return engine.Count{Out: []int{len(k.Episode.Stages[k.Hop].From), in[0][1]}}
}

func (a *haltedStates[T]) Count(in [][]int, _ []bool) engine.Count {
	return engine.Count{Out: []int{len(a.Episode.Hops), in[0][1]}}
}

// Count: per example and hop, 4 operations for the value loss, 7 for the choice, 6 for the
// hop loss, and 2 for the return; backward about as many.
func (p *policy[T]) Count([][]int, []bool) engine.Count {
	hops := p.Episode.totalHops()
	return engine.Count{
		Forward: engine.Work{Other: (4 + 7 + 6 + 2) * hops}, Backward: engine.Work{Other: (4 + 4 + 8) * hops},
		Saved: len(p.Episode.Stages) * len(p.Episode.Hops),
	}
}

// Count: per example and hop, a softmax over the answers and its share of the mixture; at the
// end a logarithm per answer.
func (m *actLoss[T]) Count(in [][]int, _ []bool) engine.Count {
	stages, batch, hops := len(m.Episode.Stages), len(m.Episode.Hops), m.Episode.totalHops()
	answers := in[stages][1]
	return engine.Count{
		Forward:  engine.Work{Other: (4+2)*hops*answers + batch*answers + 10*hops + 2*batch},
		Backward: engine.Work{Other: 2*hops*answers + 12*hops},
		Saved:    hops*answers + batch*answers + 2*stages*batch, // weights are float64
	}
}

func (a *mixedAnswer[T]) Count([][]int, []bool) engine.Count {
	m := a.actLoss
	batch := len(m.Episode.Hops)
	return engine.Count{Out: []int{batch, len(m.answer) / max(batch, 1)}}
}

// Count: per step and example, the cross entropy, two logarithms of a sigmoid of 5 operations
// each, and 9 operations for both terms; backward the scores' gradient, a sigmoid of 4 and 8
// more.
func (*ponderLoss[T]) Count(in [][]int, _ []bool) engine.Count {
	steps := len(in) / 2
	rows, answers := steps*in[0][0], in[steps][1]
	return engine.Count{
		Forward:  engine.Work{Other: (4*answers+5+2*5+9)*rows + 2*steps},
		Backward: engine.Work{Other: (2*answers + 1 + 4 + 8) * rows},
		Saved:    rows*answers + 4*rows + 4*in[0][0], // probabilities and costs are float64
	}
}

func (*expectedLoss[T]) Count([][]int, []bool) engine.Count { return engine.Count{} }

// Count: at most a sigmoid of 4 operations and 3 more per step.
func (*halted[T]) Count(in [][]int, _ []bool) engine.Count {
	steps := len(in) / 2
	return engine.Count{Out: in[steps], Forward: engine.Work{Other: 7 * steps * in[0][0]}}
}
