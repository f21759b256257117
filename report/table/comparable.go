package table

import (
	"fmt"
	"strings"

	"memobench/report/results"
)

// clash is the refusal to put two runs into one table: what differs, as "protocol
// hashes", and what the two have.
func clash(what string, a, b results.Run, ofA, ofB string) error {
	return fmt.Errorf("runs of different %s are not put into one table: %s has %s, %s has %s", what, a.Path, ofA, b.Path, ofB)
}

// comparable is an error when two of the runs must not be in one
// table: another task, protocol, data or split, or the same label for models
// that differ, which would be averaged as seeds of one. Two runs of the same
// model variant and seed are refused as well, since one of them would count
// twice.
func comparable(runs []results.Run) error {
	for _, what := range []struct {
		name string
		of   func(results.Run) string
	}{
		{"tasks", func(r results.Run) string { return r.Record.Identity.Task }},
		{"protocol hashes", func(r results.Run) string { return r.Record.Protocol.Hash }},
		{"dataset hashes", func(r results.Run) string { return r.Record.Dataset.Hash }},
		{"evaluated splits", func(r results.Run) string { return r.Record.Evaluation.Split }},
	} {
		for _, r := range runs {
			if a, b := what.of(runs[0]), what.of(r); a != b {
				return clash(what.name, runs[0], r, a, b)
			}
		}
	}
	if err := sameModels(runs); err != nil {
		return err
	}
	first := map[string]results.Run{}
	for _, r := range runs {
		key := fmt.Sprintf("%s, seed %d", r.Record.Identity.Label, r.Record.Identity.Seed)
		if other, twice := first[key]; twice {
			return fmt.Errorf("%s is there twice, in %s and %s: name one of them", key, other.Path, r.Path)
		}
		first[key] = r
	}
	return nil
}

// sameModels is an error when runs of one label are of different
// models, configurations or training recipes.
func sameModels(runs []results.Run) error {
	first := map[string]results.Run{}
	for _, r := range runs {
		label := r.Record.Identity.Label
		other, seen := first[label]
		if !seen {
			first[label] = r
			continue
		}
		if ofA, ofB := results.ModelDifferences(other.Record, r.Record); len(ofA) > 0 {
			return clash(fmt.Sprintf("settings of the model labelled %q", label), other, r, strings.Join(ofA, ", "), strings.Join(ofB, ", "))
		}
	}
	return nil
}
