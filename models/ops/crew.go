package ops

import (
	"slices"

	"memobench/models/threads"
)

// Crew are the workers that have a part each of one batch, run graphs that are alike at
// the same time, and do together those operations that each would do alike: those on the
// batch's distinct words, which are about the same in every part.
type Crew struct {
	barrier threads.Barrier
	sizes   []int // examples of each part
	posts   [2][]any
}

// Gather makes it a crew whose parts have so many examples.
func (c *Crew) Gather(sizes []int) {
	c.sizes = append(c.sizes[:0], sizes...)
	for i, p := range c.posts {
		c.posts[i] = slices.Grow(p[:0], len(sizes))[:len(sizes)]
	}
	c.barrier.Reset(len(sizes))
}

// Member is a worker of a crew.
type Member struct {
	*Crew
	Index int
	posts int // that it has made
}

// Meet waits for the others.
func (m *Member) Meet() { m.barrier.Meet() }

// Exchange shows something to the others and returns what all show, in order. It is
// valid until the next exchange but one, to which nobody comes who still reads it.
func (m *Member) Exchange(own any) []any {
	posts := m.Crew.posts[m.posts%2]
	m.posts++
	posts[m.Index] = own
	m.barrier.Meet()
	return posts
}

// Share returns which of n lines are the member's.
func (m *Member) Share(n int) (lo, hi int) {
	parts := len(m.sizes)
	return n * m.Index / parts, n * (m.Index + 1) / parts
}

// Weight returns what part i counts beside the member's own: gradients are means over
// the examples of a part.
func (m *Member) Weight(i int) float64 { return float64(m.sizes[i]) / float64(m.sizes[m.Index]) }
