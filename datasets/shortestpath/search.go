package shortestpath

import "slices"

// search is a breadth-first search from one node that counts shortest paths.
type search struct {
	distance []int32   // [N] edges from the start, -1 if unreachable
	paths    []float64 // [N] number of shortest paths from the start
	queue    []int32   // reached nodes, by distance
	ends     []int     // queue[ends[d-1]:ends[d]] are the nodes at distance d
}

func newSearch(nodes int) *search {
	return &search{
		distance: make([]int32, nodes), paths: make([]float64, nodes),
		queue: make([]int32, 0, nodes), ends: make([]int, 0, nodes),
	}
}

// run searches g from start to at most the given depth.
func (s *search) run(g *graph, start int32, depth int) {
	for i := range s.distance {
		s.distance[i] = -1
	}
	s.distance[start], s.paths[start] = 0, 1
	s.queue = append(s.queue[:0], start)
	s.ends = append(s.ends[:0], 1)
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
		s.ends = append(s.ends, len(s.queue))
	}
}

// depth returns the largest distance found.
func (s *search) depth() int { return len(s.ends) - 1 }

// at returns the nodes at distance d, 1 or more.
func (s *search) at(d int) []int32 {
	if d > s.depth() {
		return nil
	}
	return s.queue[s.ends[d-1]:s.ends[d]]
}

// count returns the number of nodes at distance d, pick the i-th of them. With unique they
// consider only nodes with a single shortest path.
func (s *search) count(d int, unique bool) int {
	if !unique {
		return len(s.at(d))
	}
	n := 0
	for _, v := range s.at(d) {
		if s.paths[v] == 1 {
			n++
		}
	}
	return n
}

func (s *search) pick(d int, unique bool, i int) int32 {
	if !unique {
		return s.at(d)[i]
	}
	for _, v := range s.at(d) {
		if s.paths[v] != 1 {
			continue
		}
		if i == 0 {
			return v
		}
		i--
	}
	panic("shortestpath: picked a node beyond the count")
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
