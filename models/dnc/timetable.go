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
// then by example; line 0 is the state before the first step, all zero.
type timetable struct {
	order  []int // [B] examples, longest first
	steps  []int // [B] steps of order[n]
	active []int // [T] examples running at step t
	first  []int // [T+1] line of example order[0] at step t; after T, the number of lines
}

// plan fills the timetable: an example takes a step for each memory row, one
// for the query, and ponder more.
func (p *timetable) plan(s *ops.Segments, ponder int) {
	b := s.Len()
	rows := func(i int) int { return s.Offsets[i+1] - s.Offsets[i] }
	p.order, p.steps = p.order[:0], p.steps[:0]
	for i := range b {
		p.order = append(p.order, i)
	}
	slices.SortStableFunc(p.order, func(x, y int) int { return cmp.Compare(rows(y), rows(x)) })
	for _, i := range p.order {
		p.steps = append(p.steps, rows(i)+1+ponder)
	}
	p.active, p.first = p.active[:0], append(p.first[:0], 1)
	running := b
	for t := range p.steps[0] {
		for p.steps[running-1] <= t {
			running--
		}
		p.active = append(p.active, running)
		p.first = append(p.first, p.first[t]+running)
	}
}

// total returns the number of lines, line 0 included.
func (p *timetable) total() int { return p.first[len(p.active)] }

// previous returns the line of example order[n] before step t.
func (p *timetable) previous(t, n int) int {
	if t == 0 {
		return 0
	}
	return p.first[t-1] + n
}

// ending returns the examples whose last step is t: order[lo:hi].
func (p *timetable) ending(t int) (lo, hi int) {
	if t+1 < len(p.active) {
		lo = p.active[t+1]
	}
	return lo, p.active[t]
}
