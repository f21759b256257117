package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"memobench/benchmarks/record"
)

// Deduplicate returns the training runs in the order of their files. Of records with the
// same configuration, seed and results it keeps the first, with the others as its Repeats.
// It removes copies of a run under another seed, and runs that a time limit ended if another
// with the same configuration and seed did more steps; the run that replaces them lists them
// in Replaced. Records with different results are different runs; see table.Spec.
func Deduplicate(runs []Run) []Run {
	trained, _ := Divide(runs)
	SortRuns(trained)
	var kept []Run
	at := map[string]int{}
	for _, run := range trained {
		run.Repeats, run.Replaced = nil, nil
		key := run.Configuration() + outcome(run.Record)
		if i, duplicate := at[key]; duplicate {
			kept[i].Repeats = append(kept[i].Repeats, run)
			continue
		}
		at[key] = len(kept)
		kept = append(kept, run)
	}
	kept = longest(Uncopied(kept))
	distinguish(kept)
	return kept
}

// Uncopied removes runs that are copies of an earlier run under another seed, which lists
// them in Replaced.
func Uncopied(runs []Run) []Run {
	runs = slices.Clone(runs)
	contents := make([]string, len(runs))
	for i, r := range runs {
		if loss := r.Record.Evaluation.Loss; loss != nil && *loss != 0 {
			contents[i] = r.system() + outcome(r.Record)
		}
	}
	copied := make([]bool, len(runs))
	for i, first := range copies(contents) {
		if first >= 0 && runs[first].Record.Identity.Seed != runs[i].Record.Identity.Seed {
			copied[i] = true
			runs[first].Replaced = append(runs[first].Replaced, copyNote(runs[i].place(), runs[first].place()))
		}
	}
	return without(copied, runs)
}

// GroupBy divides a list by a key, in the order of the keys' first elements.
func GroupBy[T any](list []T, key func(T) string) [][]T {
	var groups [][]T
	at := map[string]int{}
	for _, x := range list {
		k := key(x)
		i, seen := at[k]
		if !seen {
			i, at[k] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}

// AddNew appends to a list those of the values that it does not have.
func AddNew[T comparable](list []T, values ...T) []T {
	for _, v := range values {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// without returns the runs that are not removed.
func without(removed []bool, runs []Run) []Run {
	var kept []Run
	for i, r := range runs {
		if !removed[i] {
			kept = append(kept, r)
		}
	}
	return kept
}

// longest removes runs that a time limit ended if another with the same configuration and
// seed finished or did more steps, which lists them in Replaced.
func longest(runs []Run) []Run {
	groups := map[string][]int{}
	for i, r := range runs {
		key := r.Configuration()
		groups[key] = append(groups[key], i)
	}
	progress := func(i int) int {
		if r := runs[i].Record; r.Status == record.Interrupted {
			return r.Training.Steps
		}
		return math.MaxInt
	}
	removed := make([]bool, len(runs))
	for _, group := range groups {
		best := slices.MaxFunc(group, func(i, j int) int { return cmp.Compare(progress(i), progress(j)) })
		for _, i := range slices.DeleteFunc(group, func(i int) bool { return progress(i) == progress(best) }) {
			longer := &runs[best]
			longer.Replaced = append(longer.Replaced, runs[i].Replaced...)
			for _, r := range append(runs[i].Repeats, runs[i]) {
				longer.Replaced = append(longer.Replaced, fmt.Sprintf("%s was stopped at step %d before its end: %s counts instead",
					r.place(), r.Record.Training.Steps, longer.Path))
			}
			removed[i] = true
		}
	}
	return without(removed, runs)
}

// copies returns for each run the index of the first earlier run with the same content, all
// of its numbers, or -1. Runs without a loss have empty content and no copies: a few counts
// may agree by chance.
func copies(contents []string) []int {
	first := map[string]int{}
	list := make([]int, len(contents))
	for i, c := range contents {
		j, seen := first[c]
		if !seen {
			first[c] = i
		}
		if list[i] = j; !seen || c == "" {
			list[i] = -1
		}
	}
	return list
}

// copyNote says that a run is a copy of another.
func copyNote(run, of string) string {
	return fmt.Sprintf("%s has all numbers of %s, the loss too: one run copied, counted once", run, of)
}

// outcome is equal for equal results: it has status, steps, losses and counts.
func outcome(r *record.Record) string {
	loss := func(v *float64) float64 {
		if v == nil {
			return math.Inf(1)
		}
		return *v
	}
	t, e := &r.Training, &r.Evaluation
	key := fmt.Appendln(nil, r.Status, t.Steps, t.SelectedStep, loss(t.Loss), loss(e.Loss))
	for _, k := range e.Kinds {
		key = fmt.Appendln(key, k.Name, k.Total, k.Correct)
		for _, a := range k.Answers {
			key = fmt.Appendln(key, a.Name, a.Correct)
		}
	}
	return string(key)
}

// distinguish finds runs whose model has other settings than most runs with the same label,
// conditions and changes, because the preset itself has changed. The differences become
// changes to the preset, so that these runs are never averaged with the others.
func distinguish(runs []Run) {
	var all []*Run
	for i := range runs {
		all = append(all, &runs[i])
	}
	for _, group := range GroupBy(all, func(r *Run) string {
		return fmt.Sprintf("%s\n%q %q", r.Conditions(), r.Changes(), r.Record.Identity.Label)
	}) {
		last := func(same []*Run) (when string) {
			for _, r := range same {
				when = max(when, r.Record.Times.Started)
			}
			return when
		}
		settings := GroupBy(group, func(r *Run) string { return r.Settings() })
		slices.SortFunc(settings, func(a, b []*Run) int { return cmp.Compare(a[0].Settings(), b[0].Settings()) })
		// Ties go to the settings that were trained last.
		usual := slices.MaxFunc(settings, func(a, b []*Run) int {
			return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(last(a), last(b)))
		})
		for _, same := range settings {
			_, differences := ModelDifferences(usual[0].Record, same[0].Record)
			for _, r := range same {
				if differences != nil {
					r.derived = differences
				}
			}
		}
	}
}
