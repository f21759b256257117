package shortestpath

import (
	"slices"

	"memobench/datasets"
)

// example is an example of a batch.
type example struct {
	edges               []int32 // [M x 2] from, to
	source, destination int32
}

// read returns example i of b.
func read(b *datasets.Batch, i int) *example {
	return &example{b.Rows[b.Offsets[i]*rowWidth : b.Offsets[i+1]*rowWidth], b.Queries[i*queryWidth], b.Queries[i*queryWidth+1]}
}

// search returns the length of the shortest paths from a node to every node that they reach, and how many
// there are.
func (e *example) search(from int32) (distance map[int32]int, paths map[int32]float64) {
	distance, paths = map[int32]int{from: 0}, map[int32]float64{from: 1}
	for d, grown := 0, true; grown; d++ {
		grown = false
		for u, v := range e.each {
			if du, reached := distance[u]; !reached || du != d {
				continue
			}
			if _, reached := distance[v]; !reached {
				distance[v], grown = d+1, true
			}
			if distance[v] == d+1 {
				paths[v] += paths[u]
			}
		}
	}
	return distance, paths
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
	distance, _ := e.search(e.source)
	length, last := distance[e.destination], e.source
	whole := length == len(answers)+1
	for a, v := range answers {
		toEnd, _ := e.search(v)
		rest, reaches := toEnd[e.destination]
		each[a] = reaches && distance[v] == a+1 && a+1+rest == length
		whole = whole && slices.Contains(e.from(last), v)
		last = v
	}
	return whole && slices.Contains(e.from(last), e.destination)
}
