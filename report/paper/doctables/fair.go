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

// fair is the grid of that name: for each model and task the same number of settings with
// one seed, of which the one with the lowest loss was trained with further seeds.
func fair(s *source) (rows [][]string) {
	for _, q := range []struct {
		task, title string
		value       func(runs) []float64
	}{
		{"pai3", "Chains of 3: A-C", func(list runs) []float64 { return list.values(table.MeanOn(record.Accuracy, "A-C")) }},
		{"sp10-2-2", "Paths, 10-2-2: node 1", func(list runs) []float64 {
			return list.values(func(r *record.Record) (float64, bool) { return record.Accuracy.Value(r, record.AllKinds) })
		}},
	} {
		var of runs
		for _, r := range s.all {
			if r.Record.Identity.Task == q.task && filepath.Base(filepath.Dir(filepath.Dir(r.Path))) == "fair" {
				of = append(of, r)
			}
		}
		if of == nil {
			s.fail("no runs of %s in fair", q.task)
		}
		models := results.GroupBy(of, func(r results.Run) string { return r.Record.Identity.Label })
		slices.SortStableFunc(models, func(a, b []results.Run) int { return fairRank(a) - fairRank(b) })
		for _, of := range models {
			rows = append(rows, append([]string{q.title, of[0].Record.Identity.Title}, runs(of).search(q.value)...))
		}
	}
	return rows
}

// fairRank orders models as the paper does, others behind.
func fairRank(of []results.Run) int {
	i := slices.Index([]string{"memo", "emn4", "emn", "dnc", "ut"}, of[0].Record.Identity.Label)
	return i & 0xff // -1, another model, becomes the largest
}

// search are the cells of one model's search: the number of settings, the lowest and the
// highest accuracy among them, the chosen one and its accuracy, and the CPU minutes of all.
func (list runs) search(value func(runs) []float64) []string {
	settings := results.GroupBy(list, results.Run.Settings)
	var first runs // one run of each setting, with the seed of the search
	chosen, minutes := runs(settings[0]), 0.0
	for _, same := range settings {
		first = append(first, same[0])
		if len(same) > len(chosen) {
			chosen = same
		}
	}
	for _, r := range list {
		minutes += r.Record.Times.CPUSeconds / 60
	}
	found := value(first)
	var what []string
	for _, o := range chosen[0].Record.Identity.Overrides {
		if !slices.ContainsFunc(list, func(r results.Run) bool { return !slices.Contains(r.Record.Identity.Overrides, o) }) {
			continue // the same in all settings
		}
		_, o, _ = strings.Cut(o, ".")
		what = append(what, "`"+o+"`")
	}
	return []string{fmt.Sprint(len(settings)), fmt.Sprintf("%.1f to %.1f", slices.Min(found), slices.Max(found)),
		strings.Join(what, ", "), spread(value(chosen)), fmt.Sprintf("%.0f", minutes)}
}
