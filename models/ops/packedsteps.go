package ops

import (
	"cmp"
	"slices"
)

// PackedSteps is the layout of a batch of packed sequences in a recurrence. Examples are
// sorted by decreasing length, so that the examples that are active at a step are the first
// Active[t] and their values are contiguous: a product over them is one GEMM, and nothing is
// computed for an example that has ended.
//
// A step of an example has one row in the packed arrays. Rows are ordered by step, then by
// example. The first rows are the initial states: one for all examples, or one for each.
type PackedSteps struct {
	Starts int   // number of initial states: 1 or B
	Order  []int // [B] examples, longest first
	Steps  []int // [B] number of steps of Order[n]
	Active []int // [T] number of active examples at step t
	First  []int // [T+1] row of example Order[0] at step t; First[T] is the number of rows
}

// Pack sets the layout of b examples with the given numbers of steps and initial states.
func (p *PackedSteps) Pack(starts, b int, steps func(example int) int) {
	p.Starts, p.Order, p.Steps = starts, p.Order[:0], p.Steps[:0]
	for i := range b {
		p.Order = append(p.Order, i)
	}
	slices.SortStableFunc(p.Order, func(x, y int) int { return cmp.Compare(steps(y), steps(x)) })
	for _, i := range p.Order {
		p.Steps = append(p.Steps, steps(i))
	}
	p.Active, p.First = p.Active[:0], append(p.First[:0], starts)
	running := b
	for t := range p.Steps[0] {
		for p.Steps[running-1] <= t {
			running--
		}
		p.Active = append(p.Active, running)
		p.First = append(p.First, p.First[t]+running)
	}
}

// Rows returns the number of rows, initial states included.
func (p *PackedSteps) Rows() int { return p.First[len(p.Active)] }

// Previous returns the row of example Order[n] before step t.
func (p *PackedSteps) Previous(t, n int) int {
	if t == 0 {
		return p.Start(n)
	}
	return p.First[t-1] + n
}

// Start returns the row of the initial state of example Order[n].
func (p *PackedSteps) Start(n int) int { return min(n, p.Starts-1) }

// Last returns the row of the last step of example Order[n].
func (p *PackedSteps) Last(n int) int { return p.First[p.Steps[n]-1] + n }

// Ending returns the range of examples whose last step is t, Order[lo:hi].
func (p *PackedSteps) Ending(t int) (lo, hi int) {
	if t+1 < len(p.Active) {
		lo = p.Active[t+1]
	}
	return lo, p.Active[t]
}
