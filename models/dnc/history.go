package dnc

import (
	"memobench/models/engine"
	"memobench/models/ops"
)

// history keeps the memory M [N x W] and the links L [N x N] of the lines,
// N (W + N) numbers each. Where all of them would take too much room, only
// those of every k-th step are kept, and the backward pass computes the steps
// between again, k at a time, from the write weights and vectors on the tape.
// It sees the same bits.
type history[T engine.Float] struct {
	budget        int // numbers up to which all lines are kept
	memory, links column[T]
	every         int   // k
	starts        int   // states before the first step, as in the timetable
	first         []int // [T] place of the first line of each step
}

// defaultBudget is 1 GiB of float32.
const defaultBudget = 1 << 28

// plan allots room for a batch. A forward pass without a backward one keeps
// the current and the previous step only.
func (h *history[T]) plan(p *ops.Timetable, z *sizes, training bool) {
	places := h.layOut(p, z, training)
	h.memory.resize(places, z.slots*z.word)
	h.links.resize(places, z.slots*z.slots)
}

// layOut decides which states are kept and where, and returns the number of
// places.
func (h *history[T]) layOut(p *ops.Timetable, z *sizes, training bool) (places int) {
	h.starts = p.Starts
	switch size := z.slots * (z.word + z.slots); {
	case !training:
		h.every, h.first = 1, h.first[:0]
		for t := range p.Active {
			h.first = append(h.first, p.Starts+t%2*p.Active[0])
		}
		places = p.Starts + 2*p.Active[0]
	case p.Lines()*size <= h.budget:
		h.every = len(p.Active)
		h.first = append(h.first[:0], p.First[:h.every]...)
		places = p.Lines()
	default:
		best := 1
		for k := 2; k <= len(p.Active); k++ {
			if h.arrange(p, k) < h.arrange(p, best) {
				best = k
			}
		}
		places = h.arrange(p, best)
	}
	return places
}

// arrange places the states when those of every k-th step are kept, and
// returns the number of places. First are the states before the first step;
// then come the k-1 steps that every group uses in turn, then the kept ones.
// For examples of one length the least room is with k near the square root of
// the number of steps.
func (h *history[T]) arrange(p *ops.Timetable, k int) (places int) {
	h.every, h.first = k, h.first[:0]
	places = p.Starts + (k-1)*p.Active[0]
	for t, n := range p.Active {
		if h.kept(t) {
			h.first = append(h.first, places)
			places += n
		} else {
			h.first = append(h.first, p.Starts+t%k*p.Active[0])
		}
	}
	return places
}

// kept reports whether the state after step t stays for good: the last of each
// group of k.
func (h *history[T]) kept(t int) bool { return t%h.every == h.every-1 }

// at returns the place of example order[n] after step t; t = -1 is the start.
func (h *history[T]) at(t, n int) int {
	if t < 0 {
		return min(n, h.starts-1)
	}
	return h.first[t] + n
}

// group returns the steps lo to hi-1 of the group of step t.
func (h *history[T]) group(t, steps int) (lo, hi int) {
	lo = t / h.every * h.every
	return lo, min(lo+h.every, steps)
}
