package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"memobench/benchmarks/record"
)

// Once returns the runs that count as seeds: those that were trained, in the order
// of their files. A run that was recorded twice counts once: of two records with the
// same configuration, seed and results the first file counts, and repeats has the
// others by its path. Records with other results are never of the same run; see
// Question.over.
func Once(runs []Run) (kept []Run, repeats map[string][]Run) {
	trained, _ := Divide(runs)
	SortRuns(trained)
	repeats = map[string][]Run{}
	at := map[string]int{}
	for _, run := range trained {
		key := run.configuration() + results(run.Record)
		i, again := at[key]
		if again {
			repeats[kept[i].Path] = append(repeats[kept[i].Path], run)
			continue
		}
		at[key] = len(kept)
		kept = append(kept, run)
	}
	distinguish(kept)
	return kept, repeats
}

// Divide separates the runs that were trained from records of another origin.
func Divide(runs []Run) (trained, others []Run) {
	for _, r := range runs {
		if r.Record.IsTrained() {
			trained = append(trained, r)
		} else {
			others = append(others, r)
		}
	}
	return trained, others
}

// leftOut names records of another origin than training.
func leftOut(runs []Run) string {
	var list []string
	for _, r := range runs {
		list = append(list, fmt.Sprintf("%s (%s)", r.Path, r.Record.Origin))
	}
	return "records of weights that were evaluated again or of predictions that were scored: " + strings.Join(list, ", ")
}

// configuration is what two records of one run have in common: task, protocol, data,
// split, seed, and the model with every setting.
func (r Run) configuration() string {
	id := &r.Record.Identity
	return fmt.Sprintf("%s\n%q %d %s\n", conditions(r.Record), id.Label, id.Seed, r.settingsKey())
}

// results are the results of a run: how it ended, its losses and its counts.
func results(r *record.Record) string {
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

// distinguish finds the runs whose model has other settings than most runs of its
// label under the same conditions and changes, where no change says so: a preset may
// have changed. In what they differ counts as changes to the preset, so that they
// are never averaged with the others.
func distinguish(runs []Run) {
	groups := map[string]map[string][]int{} // by what is stated, then by settings
	for i, run := range runs {
		stated := fmt.Sprintf("%s\n%q %q", conditions(run.Record), changes(run), run.Record.Identity.Label)
		if groups[stated] == nil {
			groups[stated] = map[string][]int{}
		}
		key := run.settingsKey()
		groups[stated][key] = append(groups[stated][key], i)
	}
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		// Of settings with as many runs, those that were trained last.
		usual := slices.MaxFunc(slices.Sorted(maps.Keys(group)), func(a, b string) int {
			last := func(key string) (when string) {
				for _, i := range group[key] {
					when = max(when, runs[i].Record.Times.Started)
				}
				return when
			}
			return cmp.Or(cmp.Compare(len(group[a]), len(group[b])), cmp.Compare(last(a), last(b)))
		})
		for key, list := range group {
			if key == usual {
				continue
			}
			_, differences := ModelDifferences(runs[group[usual][0]].Record, runs[list[0]].Record)
			for _, i := range list {
				runs[i].derived = differences
			}
		}
	}
}
