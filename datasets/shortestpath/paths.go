package shortestpath

import (
	"fmt"

	"memobench/datasets"
)

// Paths is what the edges of an example allow.
type Paths struct {
	Length   int     // edges of a shortest path from source to destination, -1 where there is none
	Shortest float64 // number of shortest paths

	// Nodes is, for each of the A nodes between them, the chance of naming it
	// right for who names the one that most of the shortest paths have there,
	// where the target is a random one of these paths. Whole is that of all nodes
	// together. They are 1 where there is but one path.
	Nodes []float64
	Whole float64
}

// Paths returns what is said of example i of b, which may come from any source
// of shortest paths.
func (src *Source) Paths(b *datasets.Batch, i int) (Paths, error) {
	if i < 0 || i >= b.Size() {
		return Paths{}, fmt.Errorf("shortestpath: no example %d in a batch of %d", i, b.Size())
	}
	e := read(b, i)
	length, reached := e.distance[e.destination]
	if !reached {
		return Paths{Length: -1}, nil
	}
	p := Paths{Length: length, Shortest: e.paths[e.destination], Nodes: make([]float64, max(length-1, 0))}
	p.Whole = 1 / p.Shortest
	for v, behind := range e.onward() {
		if d := e.distance[v]; d > 0 && d < length {
			p.Nodes[d-1] = max(p.Nodes[d-1], e.paths[v]*behind/p.Shortest)
		}
	}
	return p, nil
}

// onward returns the number of shortest paths to the destination from each node
// on one of them.
func (e *example) onward() map[int32]float64 {
	paths := map[int32]float64{e.destination: 1}
	for d := e.distance[e.destination] - 1; d >= 0; d-- {
		for u, v := range e.each {
			if e.onPath[u] && e.onPath[v] && e.distance[u] == d && e.distance[v] == d+1 {
				paths[u] += paths[v]
			}
		}
	}
	return paths
}
