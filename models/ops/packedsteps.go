package ops

import (
	"cmp"
	"slices"
)

// PackedSteps orders the steps of a recurrence over a batch whose examples differ in
// length. The longest example comes first, so that the examples that are still running
// at a step are always the first Active[t], and their values one contiguous
// block: a product over them is one GEMM, and nothing is computed for an
// example that has ended.
//
// What an example computes at a step is a line. Lines are numbered by step,
// then by example; before them come the states before the first step: one for all
// examples, or one for each.
type PackedSteps struct {
	Starts int   // states before the first step: 1 or B
	Order  []int // [B] examples, longest first
	Steps  []int // [B] steps of Order[n]
	Active []int // [T] examples running at step t
	First  []int // [T+1] line of example Order[0] at step t; after T, the number of lines
}

// Pack arranges b examples of so many steps each.
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

// Rows returns the number of lines, the states before the first step included.
func (p *PackedSteps) Rows() int { return p.First[len(p.Active)] }

// Previous returns the line of example Order[n] before step t.
func (p *PackedSteps) Previous(t, n int) int {
	if t == 0 {
		return p.Start(n)
	}
	return p.First[t-1] + n
}

// Start returns the line of example Order[n] before the first step.
func (p *PackedSteps) Start(n int) int { return min(n, p.Starts-1) }

// Last returns the line of example Order[n] after its last step.
func (p *PackedSteps) Last(n int) int { return p.First[p.Steps[n]-1] + n }

// Ending returns the examples whose last step is t: Order[lo:hi].
func (p *PackedSteps) Ending(t int) (lo, hi int) {
	if t+1 < len(p.Active) {
		lo = p.Active[t+1]
	}
	return lo, p.Active[t]
}
