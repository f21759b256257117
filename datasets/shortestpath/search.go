package shortestpath

import "slices"

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
