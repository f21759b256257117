package control

import (
	"memobench/datasets"
	"memobench/models"
)

// path uses a graph and one end of the path. It finds all shortest paths of A+1 edges from the
// source or, backwards, to the destination, and answers with the most frequent node at
// position a. This is optimal if the other end is uniform among the valid ones and the target
// is uniform among its shortest paths. From the training questions it learns whether
// questions may have several shortest paths; if not, it ignores ends with several.
type path struct {
	answers   int
	backwards bool
	seen      []float32 // [2] training questions with one shortest path, and with several

	words      []int32       // of the nodes
	nodes      map[int32]int // index of each word
	successors [][]int       // of each node
	distance   [][]int       // [N x N], unreachable for none
	paths      [][]float64   // [N x N] number of shortest paths
}

const unreachable = -1

func (p *path) counts() []models.Tensor {
	return []models.Tensor{{Name: "paths", Role: models.Weight, Shape: []int{2}, F32: p.seen}}
}

func (p *path) count(b *datasets.Batch, i int) {
	p.search(b, i)
	from, to, ok := p.ends(b, i)
	switch {
	case !ok || p.distance[from][to] == unreachable:
	case p.paths[from][to] == 1:
		p.seen[0]++
	default:
		p.seen[1]++
	}
}

// ends returns the nodes of the query; ok is false if the graph lacks one.
func (p *path) ends(b *datasets.Batch, i int) (from, to int, ok bool) {
	from, first := p.nodes[b.Queries[i*b.QueryWidth]]
	to, second := p.nodes[b.Queries[i*b.QueryWidth+1]]
	return from, to, first && second
}

// search finds the shortest paths between all nodes of example i.
func (p *path) search(b *datasets.Batch, i int) {
	p.words, p.successors, p.nodes = p.words[:0], p.successors[:0], map[int32]int{}
	node := func(word int32) int {
		n, known := p.nodes[word]
		if !known {
			n = len(p.words)
			p.nodes[word], p.words, p.successors = n, append(p.words, word), append(p.successors, nil)
		}
		return n
	}
	for at := b.Offsets[i]; at < b.Offsets[i+1]; at++ {
		from, to := b.Rows[at*b.RowWidth], b.Rows[at*b.RowWidth+1]
		if from != datasets.NoWord && to != datasets.NoWord {
			x, y := node(from), node(to)
			p.successors[x] = append(p.successors[x], y)
		}
	}
	p.distance, p.paths = p.distance[:0], p.paths[:0]
	for from := range p.words {
		distance, paths, queue := make([]int, len(p.words)), make([]float64, len(p.words)), []int{from}
		for n := range distance {
			distance[n] = unreachable
		}
		distance[from], paths[from] = 0, 1
		for len(queue) > 0 {
			x := queue[0]
			queue = queue[1:]
			for _, y := range p.successors[x] {
				if distance[y] == unreachable {
					distance[y] = distance[x] + 1
					queue = append(queue, y)
				}
				if distance[y] == distance[x]+1 {
					paths[y] += paths[x]
				}
			}
		}
		p.distance, p.paths = append(p.distance, distance), append(p.paths, paths)
	}
}

func (p *path) odds(dst, frequency []float64, b *datasets.Batch, i, a int) {
	const epsilon = 1e-6 // for words that are on no such path
	for w, v := range frequency {
		dst[w] = epsilon * v
	}
	p.search(b, i)
	known, ok := p.nodes[b.Queries[i*b.QueryWidth]]
	if p.backwards {
		known, ok = p.nodes[b.Queries[i*b.QueryWidth+1]]
	}
	if !ok {
		return
	}
	for other := range p.words {
		from, to := known, other
		if p.backwards {
			from, to = other, known
		}
		if p.distance[from][to] != p.answers+1 || p.seen[1] == 0 && p.paths[from][to] > 1 {
			continue
		}
		for n, word := range p.words {
			if p.distance[from][n] == a+1 && p.distance[n][to] == p.answers-a {
				dst[word] += p.paths[from][n] * p.paths[n][to] / p.paths[from][to]
			}
		}
	}
}
