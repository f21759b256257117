package doctables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/results"
	"memobench/report/table"
)

// fair is a grid on one task: for each model the same number of settings with one seed, of
// which the one with the lowest loss is chosen and, in grid fair, trained with further seeds.
func fair(grid, task string, loss, value numberOf) func(*source) []table.Row {
	return func(s *source) (rows []table.Row) {
		all := s.in(grid, func(r *record.Record) bool { return r.Identity.Task == task })
		models := results.GroupBy(all, func(r results.Run) string { return r.Record.Identity.Label })
		slices.SortStableFunc(models, func(a, b []results.Run) int { return fairRank(a) - fairRank(b) })
		for _, of := range models {
			rows = append(rows, row(of[0].Record.Identity.Title, runs(of).search(loss, value)...))
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
// highest value among them, the one with the lowest loss and its value, and the CPU minutes
// of all runs.
func (list runs) search(loss, value numberOf) []any {
	settings := results.GroupBy(list, results.Run.Settings)
	var first runs // one run of each setting, with the seed of the search
	for _, same := range settings {
		first = append(first, same[0])
	}
	chosen := runs(slices.MinFunc(settings, func(a, b []results.Run) int {
		return cmp.Compare(record.OrInfinite(loss(a[0].Record)), record.OrInfinite(loss(b[0].Record)))
	}))
	found := first.values(value)
	var what []string
	for _, o := range chosen[0].Record.Identity.Overrides {
		if !slices.ContainsFunc(list, func(r results.Run) bool { return !slices.Contains(r.Record.Identity.Overrides, o) }) {
			continue // the same in all settings
		}
		_, o, _ = strings.Cut(o, ".")
		what = append(what, "`"+o+"`")
	}
	minutes := table.Cell{State: table.Number}
	for _, r := range list {
		minutes.Mean += r.Record.Times.CPUSeconds / 60
	}
	return []any{len(settings), fmt.Sprintf("%.1f to %.1f", slices.Min(found), slices.Max(found)), strings.Join(what, ", "), chosen.of(value), minutes}
}
