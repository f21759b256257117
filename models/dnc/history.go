package dnc

import (
	"math"

	"memobench/models/engine"
)

// history keeps the memory M [N x W] and the links L [N x N] of the lines,
// N (W + N) numbers each. Where all of them would take too much room, only
// those of every k-th step are kept, with k the square root of the number of
// steps; the backward pass computes the steps between again, k at a time, from
// the write weights and vectors on the tape. It sees the same bits.
type history[T engine.Float] struct {
	budget        int // numbers up to which all lines are kept
	memory, links column[T]
	every         int   // k
	first         []int // [T] place of the first line of each step
}

// defaultBudget is 1 GiB of float32.
const defaultBudget = 1 << 28

// plan allots room for a batch. A forward pass without a backward one keeps
// the current and the previous step only.
func (h *history[T]) plan(p *timetable, z *sizes, training bool) {
	steps, places := len(p.active), 1 // place 0 is the state before the first step
	h.first = h.first[:0]
	switch size := z.slots * (z.word + z.slots); {
	case !training:
		h.every = 1
		for t := range steps {
			h.first = append(h.first, 1+t%2*p.active[0])
		}
		places += 2 * p.active[0]
	case p.total()*size <= h.budget:
		h.every = steps
		h.first = append(h.first, p.first[:steps]...)
		places = p.total()
	default:
		h.every = int(math.Ceil(math.Sqrt(float64(steps))))
		shared := places
		places += (h.every - 1) * p.active[0] // reused by every group of k steps
		for t := range steps {
			if h.kept(t) {
				h.first = append(h.first, places)
				places += p.active[t]
			} else {
				h.first = append(h.first, shared+t%h.every*p.active[0])
			}
		}
	}
	h.memory.resize(places, z.slots*z.word)
	h.links.resize(places, z.slots*z.slots)
}

// kept reports whether the state after step t stays for good: the last of each
// group of k.
func (h *history[T]) kept(t int) bool { return t%h.every == h.every-1 }

// at returns the place of example order[n] after step t; t = -1 is the start.
func (h *history[T]) at(t, n int) int {
	if t < 0 {
		return 0
	}
	return h.first[t] + n
}

// group returns the steps lo to hi-1 of the group of step t.
func (h *history[T]) group(t, steps int) (lo, hi int) {
	lo = t / h.every * h.every
	return lo, min(lo+h.every, steps)
}
