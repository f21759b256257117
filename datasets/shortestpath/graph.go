package shortestpath

import "memobench/datasets"

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
