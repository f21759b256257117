package dnc

import (
	"memobench/models/engine"
	"memobench/models/ops"
)

// history stores the memory M [N x W] and the links L [N x N] of each time step and
// example. If all of them would take too much memory, it keeps those of every k-th step
// (gradient checkpointing); the backward pass recomputes the others, k at a time, from the
// write weights and vectors on the tape, to the same bits.
type history[T engine.Float] struct {
	budget        int // how many numbers all states may take before checkpointing
	memory, links buffer[T]
	interval      int   // k
	starts        int   // initial states, as in ops.PackedSteps
	first         []int // [T] index of the first state of each step
}

// defaultBudget is 1 GiB of float32.
const defaultBudget = 1 << 28

// plan allocates the states of a batch. A forward pass without a backward pass keeps
// only those of the current and the previous step.
func (h *history[T]) plan(p *ops.PackedSteps, z *sizes, training bool) {
	states := h.layout(p, z, training)
	h.memory.resize(states, z.slots*z.word)
	h.links.resize(states, z.slots*z.slots)
}

// layout assigns an index to each state and returns the number of states to allocate.
func (h *history[T]) layout(p *ops.PackedSteps, z *sizes, training bool) (states int) {
	h.starts = p.Starts
	switch size := z.slots * (z.word + z.slots); {
	case !training:
		h.interval, h.first = 1, h.first[:0]
		for t := range p.Active {
			h.first = append(h.first, p.Starts+t%2*p.Active[0])
		}
		states = p.Starts + 2*p.Active[0]
	case p.Rows()*size <= h.budget:
		h.interval = len(p.Active)
		h.first = append(h.first[:0], p.First[:h.interval]...)
		states = p.Rows()
	default:
		best := 1
		for k := 2; k <= len(p.Active); k++ {
			if h.checkpointLayout(p, k) < h.checkpointLayout(p, best) {
				best = k
			}
		}
		states = h.checkpointLayout(p, best)
	}
	return states
}

// checkpointLayout is layout for a checkpoint every k steps. The order is: the initial
// states, k-1 steps that all groups share, the checkpoints. With examples of equal length,
// k near the square root of the number of steps takes the least memory.
func (h *history[T]) checkpointLayout(p *ops.PackedSteps, k int) (states int) {
	h.interval, h.first = k, h.first[:0]
	states = p.Starts + (k-1)*p.Active[0]
	for t, n := range p.Active {
		if h.kept(t) {
			h.first = append(h.first, states)
			states += n
		} else {
			h.first = append(h.first, p.Starts+t%k*p.Active[0])
		}
	}
	return states
}

// kept reports whether the state after step t is a checkpoint, the last of a group of k.
func (h *history[T]) kept(t int) bool { return t%h.interval == h.interval-1 }

// at returns the index of the state of example Order[n] after step t; t = -1 is the initial
// state.
func (h *history[T]) at(t, n int) int {
	if t < 0 {
		return min(n, h.starts-1)
	}
	return h.first[t] + n
}

// group returns the group of steps, lo to hi-1, that contains step t.
func (h *history[T]) group(t, steps int) (lo, hi int) {
	lo = t / h.interval * h.interval
	return lo, min(lo+h.interval, steps)
}
