package dnc

import (
	"cmp"
	"slices"

	"memobench/models/ops"
)

// timetable orders the steps of a batch whose examples differ in length. The
// longest example comes first, so that the examples that are still running at
// a step are always the first active[t], and their values one contiguous
// block: a product over them is one GEMM, and nothing is computed for an
// example that has ended.
//
// What an example computes at a step is a line. Lines are numbered by step,
// then by example; before them come the states before the first step: one, all
// zero, for the first answer, and one per example for a later answer.
type timetable struct {
	starts int   // states before the first step: 1 or B
	order  []int // [B] examples, longest first
	steps  []int // [B] steps of order[n]
	active []int // [T] examples running at step t
	first  []int // [T+1] line of example order[0] at step t; after T, the number of lines
}

// plan fills the timetable of the first answer: an example takes a step for each
// memory row, one for the query, and ponder more.
func (p *timetable) plan(s *ops.Segments, ponder int) {
	p.fill(1, s.Len(), func(i int) int { return s.Offsets[i+1] - s.Offsets[i] + 1 + ponder })
}

// planNext fills that of a later answer of b examples of so many steps.
func (p *timetable) planNext(b, steps int) {
	p.fill(b, b, func(int) int { return steps })
}

// fill arranges b examples of so many steps each.
func (p *timetable) fill(starts, b int, steps func(example int) int) {
	p.starts, p.order, p.steps = starts, p.order[:0], p.steps[:0]
	for i := range b {
		p.order = append(p.order, i)
	}
	slices.SortStableFunc(p.order, func(x, y int) int { return cmp.Compare(steps(y), steps(x)) })
	for _, i := range p.order {
		p.steps = append(p.steps, steps(i))
	}
	p.active, p.first = p.active[:0], append(p.first[:0], starts)
	running := b
	for t := range p.steps[0] {
		for p.steps[running-1] <= t {
			running--
		}
		p.active = append(p.active, running)
		p.first = append(p.first, p.first[t]+running)
	}
}

// total returns the number of lines, the states before the first step included.
func (p *timetable) total() int { return p.first[len(p.active)] }

// previous returns the line of example order[n] before step t.
func (p *timetable) previous(t, n int) int {
	if t == 0 {
		return p.start(n)
	}
	return p.first[t-1] + n
}

// start returns the line of example order[n] before the first step.
func (p *timetable) start(n int) int { return min(n, p.starts-1) }

// last returns the line of example order[n] after its last step.
func (p *timetable) last(n int) int { return p.first[p.steps[n]-1] + n }

// ending returns the examples whose last step is t: order[lo:hi].
func (p *timetable) ending(t int) (lo, hi int) {
	if t+1 < len(p.active) {
		lo = p.active[t+1]
	}
	return lo, p.active[t]
}
