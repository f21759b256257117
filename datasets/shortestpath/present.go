package shortestpath

import (
	"fmt"
	"slices"

	"memobench/datasets"
)

// present returns how reports show the task.
func present(task string, settings map[string]string) datasets.Presentation {
	get := func(key string) string { return datasets.Choice(settings, key, nil) }
	words := get("nodes") + " of " + get("vocabulary") + " words"
	p := datasets.Presentation{
		Title: fmt.Sprintf("Shortest paths of %s edges, %s nodes, out-degree %s (%s)", get("length"), get("nodes"), get("degree"), task),
		Variant: fmt.Sprintf("Directed edges to the nearest neighbours, %s; nodes named by %s; %s",
			datasets.Choice(settings, "edges", map[string]string{EdgesFixed: get("degree") + " from each node", EdgesUniform: "1 to " + get("degree") + " from each node"}),
			datasets.Choice(settings, "labels", map[string]string{
				LabelsIDs:    "the same " + words + " in every graph",
				LabelsRandom: "a random " + words + " in each graph",
			}),
			datasets.Choice(settings, "targets", map[string]string{
				TargetsUnique: "only pairs with a single shortest path are asked for",
				TargetsRandom: "of several shortest paths a random one is the target",
			})),
		Row: "answer", Whole: "whole path",
	}
	if settings["length"] == "2" { // one node between the ends
		p.Whole = "node 1"
	}
	if slices.ContainsFunc(paperSizes, func(s [3]int) bool { return task == anySizes+Defaults(s[0], s[1], s[2]).sizes() }) {
		p.Paper = task
	}
	return p
}
