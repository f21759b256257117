package shortestpath

import (
	"fmt"

	"memobench/datasets"
)

// Settings are feasible if at least 1 in commonShare graphs has a valid pair. Otherwise
// rejection sampling would be slow and the graphs atypical.
const commonShare = 20

// feasible samples up to 1,000 graphs, fewer if they are large, and returns a
// *datasets.SettingError unless enough of them have a path of the required length. It samples
// the same graphs every time.
func (s Settings) feasible() error {
	work := s.Nodes * s.Nodes * (s.Degree + 1) // per graph: all pairs, all edges from all sources
	graphs := min(1000, max(60, 300_000_000/work))
	need := graphs / commonShare

	d := newSampler(s)
	d.start("shortestpath feasible", datasets.Train, 0, 0)
	// A graph with a path of some length also has all shorter ones: a part of a shortest
	// path is a shortest path, and unique if the whole is.
	with := make([]int, s.Nodes) // graphs with a path of the length of the index
	for range graphs {
		for length := d.longest(); length > 0; length-- {
			with[length]++
		}
		if with[s.Length] == need {
			return nil
		}
	}
	longest := minLength - 1
	for longest+1 < s.Nodes && with[longest+1] >= need {
		longest++
	}
	if longest < minLength {
		return &datasets.SettingError{Key: "degree", Value: s.Degree,
			Want: fmt.Sprintf("less: fewer than 1 in %d graphs have a path (targets %s) of %d edges", commonShare, s.Targets, minLength)}
	}
	return &datasets.SettingError{Key: "length", Value: s.Length,
		Want: fmt.Sprintf("%d to %d: fewer than 1 in %d graphs have a longer path (targets %s)", minLength, longest, commonShare, s.Targets)}
}

// longest samples a graph and returns the length of its longest valid path.
func (d *sampler) longest() int {
	d.sampleGraph()
	longest := 0
	for u := range d.pairs {
		d.search.run(d.graph, int32(u), d.settings.Nodes)
		for length := d.search.depth(); length > longest; length-- {
			if d.search.count(length, d.unique) > 0 {
				longest = length
			}
		}
	}
	return longest
}
