package ops

import (
	"slices"

	"memobench/models/threads"
)

// Crew is a group of workers that have a part each of one batch and run graphs that are
// alike at the same time. Operations on the batch's distinct words, which every worker
// would do alike, they can do together: each of them, by its rank, takes some rows of the
// weights (tensor parallelism, where the rest of the step is data parallel).
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
	Rank  int
	posts int // that it has made
}

// Wait waits until all members have called it.
func (m *Member) Wait() { m.barrier.Wait() }

// Exchange shows something to all members and returns what they show, by rank (an
// all-gather). It must have been read before the next exchange. There are two buffers:
// who writes one again has left the exchange between, to which all have come who read it.
func (m *Member) Exchange(own any) []any {
	posts := m.Crew.posts[m.posts%2]
	m.posts++
	posts[m.Rank] = own
	m.barrier.Wait()
	return posts
}

// Share returns which of n lines are the member's.
func (m *Member) Share(n int) (lo, hi int) {
	parts := len(m.sizes)
	return n * m.Rank / parts, n * (m.Rank + 1) / parts
}

// Weight returns what part i counts beside the member's own: gradients are means over
// the examples of a part.
func (m *Member) Weight(i int) float64 { return float64(m.sizes[i]) / float64(m.sizes[m.Rank]) }
