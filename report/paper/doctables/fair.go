package doctables

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/results"
	"memobench/report/table"
)

// fair is the grid of that name on one task: for each model the same number of settings
// with one seed, of which the one with the lowest loss was trained with further seeds. The
// accuracy is that on one kind of question. A model whose search has not ended is left out.
func fair(task, kind string) func(*source) [][]string {
	return func(s *source) (rows [][]string) {
		var all runs
		for _, r := range s.all {
			if filepath.Base(filepath.Dir(filepath.Dir(r.Path))) == "fair" && r.Record.Identity.Task == task {
				all = append(all, r)
			}
		}
		if all == nil {
			s.fail("no runs on %s in fair", task)
		}
		models := results.GroupBy(all, func(r results.Run) string { return r.Record.Identity.Label })
		slices.SortStableFunc(models, func(a, b []results.Run) int { return fairRank(a) - fairRank(b) })
		for _, of := range models {
			if cells := runs(of).search(kind); cells != nil {
				rows = append(rows, append([]string{of[0].Record.Identity.Title}, cells...))
			}
		}
		return rows
	}
}

// fairRank orders models as the paper does, others behind.
func fairRank(of []results.Run) int {
	i := slices.Index([]string{"memo", "emn4", "emn10", "emn", "dnc", "ut"}, of[0].Record.Identity.Label)
	return i & 0xff // -1, another model, becomes the largest
}

// search are the cells of one model's search: the number of settings, the lowest and the
// highest accuracy on a kind of question among them, the chosen one and its accuracy, and
// the CPU minutes of all runs; nil before the chosen one has further seeds.
func (list runs) search(kind string) []string {
	settings := results.GroupBy(list, results.Run.Settings)
	var first runs // one run of each setting, with the seed of the search
	chosen, minutes := runs(settings[0]), 0.0
	for _, same := range settings {
		first = append(first, same[0])
		if len(same) > len(chosen) {
			chosen = same
		}
	}
	if len(chosen) == 1 {
		return nil
	}
	for _, r := range list {
		minutes += r.Record.Times.CPUSeconds / 60
	}
	found := first.values(table.MeanOn(record.Accuracy, kind))
	var what []string
	for _, o := range chosen[0].Record.Identity.Overrides {
		if !slices.ContainsFunc(list, func(r results.Run) bool { return !slices.Contains(r.Record.Identity.Overrides, o) }) {
			continue // the same in all settings
		}
		_, o, _ = strings.Cut(o, ".")
		what = append(what, "`"+o+"`")
	}
	return []string{fmt.Sprint(len(settings)), fmt.Sprintf("%.1f to %.1f", slices.Min(found), slices.Max(found)),
		strings.Join(what, ", "), chosen.on(kind), fmt.Sprintf("%.0f", minutes)}
}
