package shortestpath

import (
	"slices"

	"memobench/datasets"
)

// example is an example of a batch with the paths that follow from its rows and query.
type example struct {
	edges               []int32 // [M x 2] from, to
	source, destination int32
	distance            map[int32]int     // edges from the source; no entry if unreachable
	paths               map[int32]float64 // number of shortest paths from the source
	onPath              map[int32]bool    // on some shortest path to the destination
}

// read reads example i of b.
func read(b *datasets.Batch, i int) *example {
	e := &example{
		edges:       b.Rows[b.Offsets[i]*rowWidth : b.Offsets[i+1]*rowWidth],
		source:      b.Queries[i*queryWidth],
		destination: b.Queries[i*queryWidth+1],
		onPath:      map[int32]bool{},
	}
	e.distance, e.paths = map[int32]int{e.source: 0}, map[int32]float64{e.source: 1}
	for d, grown := 0, true; grown; d++ {
		grown = false
		for u, v := range e.each {
			if du, reached := e.distance[u]; !reached || du != d {
				continue
			}
			if _, reached := e.distance[v]; !reached {
				e.distance[v], grown = d+1, true
			}
			if e.distance[v] == d+1 {
				e.paths[v] += e.paths[u]
			}
		}
	}
	if _, reached := e.distance[e.destination]; !reached {
		return e
	}
	e.onPath[e.destination] = true
	for d := e.distance[e.destination]; d > 0; d-- {
		for u, v := range e.each {
			if du, reached := e.distance[u]; reached && du == d-1 && e.onPath[v] && e.distance[v] == d {
				e.onPath[u] = true
			}
		}
	}
	return e
}

// each yields the edges.
func (e *example) each(yield func(u, v int32) bool) {
	for i := 0; i < len(e.edges); i += rowWidth {
		if !yield(e.edges[i], e.edges[i+1]) {
			return
		}
	}
}

// Accepts implements datasets.AnswerChecker: a node is right at position a if it is a+1
// edges from the source on some shortest path. The nodes are right as a whole if edges
// connect them from the source to the destination. Two nodes may be right on different paths
// and not right as a whole.
func (src *Source) Accepts(b *datasets.Batch, i int, answers []int32, each []bool) bool {
	e := read(b, i)
	length, reached := e.distance[e.destination]
	whole := reached && length == len(answers)+1
	last := e.source
	for a, v := range answers {
		d, reached := e.distance[v]
		each[a] = reached && d == a+1 && e.onPath[v]
		whole = whole && slices.Contains(e.from(last), v)
		last = v
	}
	return whole && slices.Contains(e.from(last), e.destination)
}
