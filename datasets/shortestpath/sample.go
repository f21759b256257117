package shortestpath

import (
	"fmt"
	"math/rand/v2"

	"memobench/datasets"
)

// maxAttempts bounds the graphs sampled for one example. Settings that need more than a few
// hundred do not pass feasible.
const maxAttempts = 20_000

// sampler holds the storage for sampling examples; one goroutine uses it at a time.
type sampler struct {
	settings Settings
	unique   bool

	pcg rand.PCG
	rng *rand.Rand // over pcg

	graph  *graph
	search *search
	pairs  []int   // [N] number of valid destinations, by source
	all    int     // their sum
	labels []int32 // [N] word of each node: the start of deck
	deck   []int32 // all words, permuted if labels are random
}

func newSampler(s Settings) *sampler {
	d := &sampler{
		settings: s, unique: s.Targets == targetsUnique,
		graph: newGraph(s.Nodes, s.Degree), search: newSearch(s.Nodes), pairs: make([]int, s.Nodes),
	}
	words := s.Nodes
	if s.Labels == labelsRandom {
		words = s.Vocabulary
	}
	d.deck = make([]int32, words)
	d.labels = d.deck[:s.Nodes]
	d.rng = rand.New(&d.pcg)
	return d
}

// start begins a new random stream, independent of earlier samples.
func (d *sampler) start(purpose string, split datasets.Split, seed, step uint64) {
	d.pcg.Seed(datasets.StreamSeed(purpose, split, seed, step))
	for word := range d.deck {
		d.deck[word] = int32(word)
	}
}

func (d *sampler) intN(n int) int { return int(d.rng.Uint32N(uint32(n))) }

// sampleGraph samples a graph of any split, with its labels.
func (d *sampler) sampleGraph() {
	g := d.graph
	for u := range g.x {
		g.x[u], g.y[u] = int64(d.rng.Uint64()%side), int64(d.rng.Uint64()%side)
	}
	for u := range g.x {
		k := d.settings.Degree
		if d.settings.Edges == edgesUniform {
			k = 1 + d.intN(k)
		}
		g.connect(u, k)
	}
	if d.settings.Labels == labelsIDs {
		return
	}
	// Fisher and Yates, from the start; the deck stays a permutation.
	for i := range d.labels {
		j := i + d.intN(len(d.deck)-i)
		d.deck[i], d.deck[j] = d.deck[j], d.deck[i]
	}
}

// countPairs counts the valid pairs of source and destination.
func (d *sampler) countPairs() {
	d.all = 0
	for u := range d.pairs {
		d.search.run(d.graph, int32(u), d.settings.Length)
		d.pairs[u] = len(d.search.ends(d.settings.Length, d.unique))
		d.all += d.pairs[u]
	}
}

// example samples an example and appends it to dst: a graph of the split with a valid pair, and
// one of its valid pairs, all equally likely. If it asks again about the graph of the last
// example, it samples only the pair.
func (d *sampler) example(dst *datasets.Batch, split datasets.Split, again bool) error {
	if again {
		d.question(dst, d.intN(d.all))
		dst.RepeatMemory()
		return nil
	}
	for range maxAttempts {
		d.sampleGraph()
		if d.graph.split(d.labels) != split {
			continue
		}
		if d.countPairs(); d.all > 0 {
			d.question(dst, d.intN(d.all))
			d.rows(dst)
			return nil
		}
	}
	return fmt.Errorf("%d graphs of the sizes %s were drawn, and none is of the %v split and has a path to ask for", maxAttempts, d.settings.sizes(), split)
}

// question appends the query and the targets of the i-th pair.
func (d *sampler) question(dst *datasets.Batch, i int) {
	source := 0
	for ; i >= d.pairs[source]; source++ {
		i -= d.pairs[source]
	}
	length := d.settings.Length
	d.search.run(d.graph, int32(source), length)
	at := d.search.ends(length, d.unique)[i]
	destination := d.labels[at]
	dst.Queries = append(dst.Queries, d.labels[source], destination)

	n := len(dst.Targets)
	for range length - 1 {
		dst.Targets = append(dst.Targets, 0)
	}
	for i := n + length - 2; i >= n; i-- {
		at = d.search.predecessor(d.graph, at, d.rng.Float64())
		dst.Targets[i] = d.labels[at]
	}
	for range -d.settings.omitted {
		dst.Targets = append(dst.Targets, destination)
	}
	dst.Targets = dst.Targets[:n+d.settings.answers()]
	dst.Kinds = append(dst.Kinds, 0)
}

// rows appends the edges in random order.
func (d *sampler) rows(dst *datasets.Batch) {
	n := len(dst.Rows)
	for u := range d.labels {
		for _, v := range d.graph.from(int32(u)) {
			dst.Rows = append(dst.Rows, d.labels[u], d.labels[v])
		}
	}
	rows := dst.Rows[n:]
	for i := len(rows)/rowWidth - 1; i > 0; i-- {
		a, b := rows[i*rowWidth:][:rowWidth], rows[d.intN(i+1)*rowWidth:][:rowWidth]
		a[0], a[1], b[0], b[1] = b[0], b[1], a[0], a[1]
	}
	dst.Offsets = append(dst.Offsets, len(dst.Rows)/rowWidth)
}
