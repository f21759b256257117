package shortestpath

import (
	"fmt"
	"slices"
	"strconv"

	"memobench/datasets"
)

// Settings of the task. Defaults are the paper's where it states a value.
type Settings struct {
	Nodes      int    `yaml:"nodes" range:"6 to 1000" doc:"nodes of a graph; fixed by the task, except in sp"`
	Degree     int    `yaml:"degree" doc:"edges from a node to its nearest neighbours; fixed by the task, except in sp"`
	Length     int    `yaml:"length" doc:"edges of the shortest path; length-1 nodes are asked for; fixed by the task, except in sp"`
	Edges      string `yaml:"edges" range:"fixed or uniform" doc:"edges from a node: fixed (degree of them) or uniform (1 to degree, drawn for each node)"`
	Labels     string `yaml:"labels" range:"ids or random" doc:"words that name the nodes: ids (always the first words) or random (drawn from the vocabulary for each graph)"`
	Targets    string `yaml:"targets" range:"unique or random" doc:"unique (asks only for pairs of nodes with one shortest path) or random (any pair; the target is a random one of its shortest paths)"`
	Vocabulary int    `yaml:"vocabulary" doc:"words to answer from, 1000 in the paper"`

	// omitted is the number of nodes before the destination that are not targets, on paths
	// longer than those of training: the model has no answers for them. If it is negative, on
	// shorter paths, the destination is the target of the last -omitted answers.
	omitted int
}

// answers is the number of targets.
func (s Settings) answers() int { return s.Length - 1 - s.omitted }

// Values of Settings.Edges, Settings.Labels and Settings.Targets.
const (
	edgesFixed    = "fixed"
	edgesUniform  = "uniform"
	labelsIDs     = "ids"
	labelsRandom  = "random"
	targetsUnique = "unique"
	targetsRandom = "random"
)

// paperVocabulary is O of the paper's table 11.
const paperVocabulary = 1000

// paperSizes are the setups of the paper's table 2: nodes, degree, length.
var paperSizes = [][3]int{{10, 2, 2}, {20, 3, 3}, {20, 5, 3}}

// With fewer than 6 nodes a split has only a few graphs: with 5 nodes of one edge each, 120
// graphs have a path of 4 edges, 12 of them for validation. With at most 1000 the number of
// shortest paths between two nodes is in the range of a float64: it is at most the product of the
// layers' sizes, hence at most exp(nodes/e), 10^160. A node fits into nodeBits.
const (
	maxRows       = 10_000
	minLength     = 2
	maxVocabulary = 1_000_000
)

// Defaults returns the paper's settings for the given sizes.
func Defaults(nodes, degree, length int) *Settings {
	return &Settings{Nodes: nodes, Degree: degree, Length: length, Edges: edgesFixed,
		Labels: labelsIDs, Targets: targetsUnique, Vocabulary: paperVocabulary}
}

// validate returns a *datasets.SettingError for the first setting out of range. Whether such
// paths exist is checked by feasible.
func (s Settings) validate() error {
	if err := datasets.CheckSettings(&s, false); err != nil {
		return err
	}
	// In a complete graph all distances are 1.
	if most := min(s.Nodes-2, maxRows/s.Nodes); s.Degree < 1 || s.Degree > most {
		return datasets.BadSetting("degree", s.Degree, "1 to %d (nodes - 2, and at most %d edges in all)", most, maxRows)
	}
	switch {
	case s.Length < minLength || s.Length > s.Nodes-1:
		return datasets.BadSetting("length", s.Length, "%d to %d (nodes - 1)", minLength, s.Nodes-1)
	case s.Vocabulary < s.Nodes || s.Vocabulary > maxVocabulary:
		return datasets.BadSetting("vocabulary", s.Vocabulary, "%d (nodes) to %d", s.Nodes, maxVocabulary)
	}
	return nil
}

// strings returns the settings as a Spec has them.
func (s Settings) strings() map[string]string {
	list := datasets.SettingStrings(s)
	if s.omitted != 0 {
		list["asked"] = strconv.Itoa(s.answers())
	}
	return list
}

// sizes names the settings as the paper does: nodes, degree and length.
func (s Settings) sizes() string { return fmt.Sprintf("%d-%d-%d", s.Nodes, s.Degree, s.Length) }

// caveats returns the caveats of the settings. Edges, labels and targets, which the paper does
// not state, are not caveats; they are in Spec.Settings.
func (s Settings) caveats() datasets.Caveats {
	var list datasets.Caveats
	if !slices.Contains(paperSizes, [3]int{s.Nodes, s.Degree, s.Length}) {
		list = append(list, datasets.Caveat{Kind: datasets.OtherSize, Text: "sizes " + s.sizes() + " are not in the paper"})
	}
	if s.omitted > 0 {
		list = append(list, datasets.Caveat{Kind: datasets.OtherProtocol, Text: fmt.Sprintf("of %d nodes between source and destination the first %d are asked for", s.Length-1, s.answers())})
	}
	if s.Vocabulary != paperVocabulary {
		list = append(list, datasets.Caveat{Kind: datasets.OtherProtocol, Text: fmt.Sprintf("answers among %d words instead of %d", s.Vocabulary, paperVocabulary)})
	}
	return list
}

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
		return datasets.BadSetting("degree", s.Degree, "less: fewer than 1 in %d graphs have a path (targets %s) of %d edges", commonShare, s.Targets, minLength)
	}
	return datasets.BadSetting("length", s.Length, "%d to %d: fewer than 1 in %d graphs have a longer path (targets %s)", minLength, longest, commonShare, s.Targets)
}

// longest samples a graph and returns the length of its longest valid path.
func (d *sampler) longest() int {
	d.sampleGraph()
	longest := 0
	for u := range d.pairs {
		d.search.run(d.graph, int32(u), d.settings.Nodes)
		for length := d.search.depth(); length > longest; length-- {
			if len(d.search.ends(length, d.unique)) > 0 {
				longest = length
			}
		}
	}
	return longest
}
