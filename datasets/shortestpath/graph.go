package shortestpath

import (
	"slices"

	"memobench/datasets"
)

// graph is a directed graph of points in a square, with at most degree edges from each node.
//
// Source: A. Graves et al., "Hybrid computing using a neural network with
// dynamic external memory", Nature 538 (2016), Methods: points uniform in the
// unit square, outbound edges to the K nearest ones. MEMO, appendix B, says the
// same.
type graph struct {
	degree int
	x, y   []int64 // [N] position, in units of 1/side of the square
	to     []int32 // [N x degree] end of each edge, nearest first
	edges  []int   // [N] edges from each node
	near   []int64 // [degree] scratch: squared length and end of one node's edges
}

// side is the number of positions along a side of the square, and nodeBits the bits of a
// node's number. Positions are integers so that comparisons are exact on every machine. A
// squared distance, below 2 x side^2, and a node fit into one int64. Of neighbours at equal
// distance, the one with the lower number is nearer.
const (
	side     = 1 << 26
	nodeBits = 10
)

func newGraph(nodes, degree int) *graph {
	return &graph{
		degree: degree,
		x:      make([]int64, nodes), y: make([]int64, nodes),
		to: make([]int32, nodes*degree), edges: make([]int, nodes), near: make([]int64, degree),
	}
}

// from returns the nodes to which node u has an edge.
func (g *graph) from(u int32) []int32 {
	at := int(u) * g.degree
	return g.to[at : at+g.edges[u]]
}

// connect gives node u edges to its k nearest neighbours, k at most g.degree.
func (g *graph) connect(u, k int) {
	near := g.near[:k] // near[:n] is sorted
	x, y := g.x[u], g.y[u]
	n := 0
	for v := range g.x {
		if v == u {
			continue
		}
		dx, dy := g.x[v]-x, g.y[v]-y
		d := (dx*dx+dy*dy)<<nodeBits | int64(v)
		if n < k {
			n++
		} else if d > near[k-1] {
			continue
		}
		at := n - 1
		for ; at > 0 && near[at-1] > d; at-- {
			near[at] = near[at-1]
		}
		near[at] = d
	}
	g.edges[u] = k
	for i, d := range near {
		g.to[u*g.degree+i] = int32(d & (1<<nodeBits - 1))
	}
}

// split returns the split of the graph with the given label of each node. It depends only on
// the set of edges.
func (g *graph) split(labels []int32) datasets.Split {
	var sum uint64
	for u, k := range g.edges {
		for _, v := range g.to[u*g.degree:][:k] {
			sum += edgeHash(labels[u], labels[v])
		}
	}
	return datasets.SplitByHash(datasets.Mix(sum))
}

func edgeHash(u, v int32) uint64 { return datasets.Mix(uint64(u)<<32 | uint64(uint32(v))) }

// search is a breadth-first search from one node that counts shortest paths.
type search struct {
	distance []int32   // [N] edges from the start, -1 if unreachable
	paths    []float64 // [N] number of shortest paths from the start
	queue    []int32   // reached nodes, by distance
	layers   []int     // queue[layers[d-1]:layers[d]] are the nodes at distance d
	single   []int32   // of ends
}

func newSearch(nodes int) *search {
	return &search{
		distance: make([]int32, nodes), paths: make([]float64, nodes),
		queue: make([]int32, 0, nodes), layers: make([]int, 0, nodes), single: make([]int32, 0, nodes),
	}
}

// run searches g from start to at most the given depth.
func (s *search) run(g *graph, start int32, depth int) {
	for i := range s.distance {
		s.distance[i] = -1
	}
	s.distance[start], s.paths[start] = 0, 1
	s.queue = append(s.queue[:0], start)
	s.layers = append(s.layers[:0], 1)
	for begin, d := 0, int32(1); int(d) <= depth; d++ {
		end := len(s.queue)
		for _, u := range s.queue[begin:end] {
			for _, v := range g.from(u) {
				switch s.distance[v] {
				case -1:
					s.distance[v], s.paths[v] = d, s.paths[u]
					s.queue = append(s.queue, v)
				case d:
					s.paths[v] += s.paths[u]
				}
			}
		}
		if len(s.queue) == end {
			return
		}
		begin = end
		s.layers = append(s.layers, len(s.queue))
	}
}

// depth returns the largest distance found.
func (s *search) depth() int { return len(s.layers) - 1 }

// at returns the nodes at distance d, 1 or more.
func (s *search) at(d int) []int32 {
	if d > s.depth() {
		return nil
	}
	return s.queue[s.layers[d-1]:s.layers[d]]
}

// ends returns the nodes at distance d, with unique only those with a single shortest path, until
// the next call.
func (s *search) ends(d int, unique bool) []int32 {
	if !unique {
		return s.at(d)
	}
	s.single = s.single[:0]
	for _, v := range s.at(d) {
		if s.paths[v] == 1 {
			s.single = append(s.single, v)
		}
	}
	return s.single
}

// predecessor returns a node before v, at distance 2 or more, on a shortest path to v, chosen
// by u uniform in [0, 1). Repeated calls with independent u sample all shortest paths with
// equal probability.
func (s *search) predecessor(g *graph, v int32, u float64) int32 {
	rest := float64(u * s.paths[v]) // rounded here on every machine
	last := int32(-1)
	for _, w := range s.at(int(s.distance[v]) - 1) {
		if !slices.Contains(g.from(w), v) {
			continue
		}
		if last = w; rest < s.paths[w] {
			break
		}
		rest -= s.paths[w]
	}
	return last
}
