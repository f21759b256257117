package table

import (
	"fmt"
	"strings"

	"memobench/report/results"
)

// notComparable is the error for two runs in one table that differ in what, such as
// "protocol hashes".
func notComparable(what string, a, b results.Run, ofA, ofB string) error {
	return fmt.Errorf("runs of different %s are not put into one table, but into one report: %s has %s, %s has %s", what, a.Path, ofA, b.Path, ofB)
}

// comparable returns an error if two of the runs must not be in one table: with another
// task, data, split or protocol (but for the steps), with one label for different models or
// steps, which would be averaged as seeds of one, or with the same variant and seed, which
// would count twice.
func comparable(runs []results.Run) error {
	for _, what := range []struct {
		name string
		of   func(results.Run) string
	}{
		{"tasks", func(r results.Run) string { return r.Record.Identity.Task }},
		{"dataset hashes", func(r results.Run) string { return r.Record.Dataset.Hash }},
		{"evaluated splits", func(r results.Run) string { return r.Record.Evaluation.Split }},
	} {
		for _, r := range runs {
			if a, b := what.of(runs[0]), what.of(r); a != b {
				return notComparable(what.name, runs[0], r, a, b)
			}
		}
	}
	for _, r := range runs {
		if a, b := &runs[0].Record.Protocol, &r.Record.Protocol; a.Hash != b.Hash && a.ButSteps() != b.ButSteps() {
			return notComparable("protocol hashes", runs[0], r, a.Hash, b.Hash)
		}
	}
	if err := sameModels(runs); err != nil {
		return err
	}
	name := func(r results.Run) string {
		return fmt.Sprintf("%s, seed %d", r.Record.Identity.Label, r.Record.Identity.Seed)
	}
	for _, same := range results.GroupBy(runs, name) {
		if len(same) > 1 {
			return fmt.Errorf("%s is there twice, in %s and %s: name one of them", name(same[0]), same[0].Path, same[1].Path)
		}
	}
	return nil
}

// sameModels returns an error if runs with one label have different protocols, models or
// settings.
func sameModels(runs []results.Run) error {
	for _, same := range results.GroupBy(runs, func(r results.Run) string { return r.Record.Identity.Label }) {
		for _, r := range same[1:] {
			if a, b := same[0].Record.Protocol.Hash, r.Record.Protocol.Hash; a != b {
				return notComparable(fmt.Sprintf("protocol hashes of the model labelled %q", r.Record.Identity.Label), same[0], r, a, b)
			}
			if ofA, ofB := results.ModelDifferences(same[0].Record, r.Record); len(ofA) > 0 {
				return notComparable(fmt.Sprintf("settings of the model labelled %q", r.Record.Identity.Label), same[0], r, strings.Join(ofA, ", "), strings.Join(ofB, ", "))
			}
		}
	}
	return nil
}
