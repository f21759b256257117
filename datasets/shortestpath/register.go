package shortestpath

import (
	"fmt"
	"slices"

	"memobench/datasets"
)

// anySizes is the task whose settings choose nodes, degree and length.
const anySizes = "sp"

func init() {
	for _, p := range paperSizes {
		register(*Defaults(p[0], p[1], p[2]), true)
	}
	register(*Defaults(paperSizes[0][0], paperSizes[0][1], paperSizes[0][2]), false)
}

// register adds the task of the given defaults. Its sizes are fixed and in its name, or free.
func register(d Settings, fixed bool) {
	e := datasets.Entry{
		Present: present,
		Sizes:   []string{"nodes", "degree", "length", "edges", "labels", "targets"},
		Name:    anySizes + d.sizes(),
		Title:   "Shortest path " + d.sizes(),
		About:   fmt.Sprintf("shortest path of %d edges in graphs of %d nodes with edges to their %d nearest neighbours", d.Length, d.Nodes, d.Degree),
	}
	if !fixed {
		e.Name, e.Title = anySizes, "Shortest path"
		e.About = "shortest path in graphs of any number of nodes, edges and steps"
	}
	e.Defaults = func() any { s := d; return &s }
	e.New = datasets.Opener(func(s Settings, opts datasets.Options) (*Source, error) {
		for _, c := range []struct {
			key       string
			got, want int
		}{{"nodes", s.Nodes, d.Nodes}, {"degree", s.Degree, d.Degree}, {"length", s.Length, d.Length}} {
			if fixed && !opts.Shifted && c.got != c.want { // the name of the task would be wrong
				return nil, &datasets.SettingError{Key: c.key, Value: c.got, Want: fmt.Sprintf("%d; other sizes are the task %s", c.want, anySizes)}
			}
		}
		return New(s, opts)
	})
	datasets.Register(e)
}

// present returns how reports show the task.
func present(task string, settings map[string]string) datasets.Presentation {
	get := func(key string) string { return datasets.Choice(settings, key, nil) }
	words := get("nodes") + " of " + get("vocabulary") + " words"
	p := datasets.Presentation{
		Title: fmt.Sprintf("Shortest paths of %s edges, %s nodes, out-degree %s (%s)", get("length"), get("nodes"), get("degree"), task),
		Variant: fmt.Sprintf("Directed edges to the nearest neighbours, %s; nodes named by %s; %s",
			datasets.Choice(settings, "edges", map[string]string{edgesFixed: get("degree") + " from each node", edgesUniform: "1 to " + get("degree") + " from each node"}),
			datasets.Choice(settings, "labels", map[string]string{
				labelsIDs:    "the same " + words + " in every graph",
				labelsRandom: "a random " + words + " in each graph",
			}),
			datasets.Choice(settings, "targets", map[string]string{
				targetsUnique: "only pairs with a single shortest path are asked for",
				targetsRandom: "of several shortest paths a random one is the target",
			})),
		Row: "answer", Whole: "whole path",
	}
	if settings["length"] == "2" || settings["asked"] == "1" {
		p.Whole = "node 1"
	}
	if slices.ContainsFunc(paperSizes, func(s [3]int) bool { return task == anySizes+Defaults(s[0], s[1], s[2]).sizes() }) {
		p.Paper = task
	}
	return p
}
