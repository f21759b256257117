package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// pairing names a model on a task, as BenchmarkTrainStep does.
type pairing struct{ model, task string }

func (p pairing) String() string { return p.model + "/" + p.task }

// usual lists what is measured without --only.
var usual = []pairing{
	{"memo", "pai3"}, {"emn4", "pai3"}, {"emn10", "pai3"}, {"ut", "pai3"}, {"dnc", "pai3"},
	{"memo", "sp20-5-3"}, {paperMEMO, "sp20-5-3"}, {"emn4", "sp20-5-3"}, {"ut", "sp20-5-3"}, {"dnc", "sp20-5-3"},
	{"memo", "babi"}, {"emn4", "babi"}, {"ut", "babi"}, {"dnc", "babi"},
}

// choose returns the usual pairings that one of the patterns, MODEL/TASK in
// either of which * matches anything, matches; no pattern chooses all. A
// pattern without * may name a pairing that is not usual.
func choose(patterns []string) ([]pairing, error) {
	if len(patterns) == 0 {
		return usual, nil
	}
	var list []pairing
	for _, pattern := range patterns {
		var found []pairing
		model, task, ok := strings.Cut(pattern, "/")
		if !ok || model == "" || task == "" || strings.Contains(task, "/") {
			return nil, fmt.Errorf("--only %q: want MODEL/TASK, such as memo/pai3 or '*/babi'", pattern)
		}
		if !strings.ContainsAny(pattern, `*?[\`) {
			found = []pairing{{model, task}}
		}
		for _, p := range usual {
			matches, err := path.Match(pattern, p.String())
			if err != nil {
				return nil, fmt.Errorf("--only %q: %w", pattern, err)
			}
			if matches {
				found = append(found, p)
			}
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("--only %q matches none of %v", pattern, usual)
		}
		for _, p := range found {
			if !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	return list, nil
}
