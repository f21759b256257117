package table

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"memobench/report/paper"
	"memobench/report/results"
)

// joinBudgets joins setups that differ only in the training budget and in changes to their
// models into the one nearest to the paper, with the Settled runs of each label. Other runs
// stay in separate setups.
func joinBudgets(setups []*Setup) []*Setup {
	var list []*Setup
	for _, same := range results.GroupBy(setups, func(s *Setup) string { return s.Runs[0].ConditionsButBudget() }) {
		var all []results.Run
		for _, s := range same {
			all = append(all, s.Runs...)
		}
		settled := map[string]bool{} // paths of records
		for _, c := range columns(all, nil) {
			for _, r := range Settled(c.runs) {
				settled[r.Path] = true
			}
		}
		joined := *same[0]
		joined.Runs = nil
		list = append(list, &joined)
		for i, s := range same {
			var left []results.Run
			for _, r := range s.Runs {
				if settled[r.Path] {
					joined.Runs = append(joined.Runs, r)
				} else {
					left = append(left, r)
				}
			}
			if i > 0 && len(left) < len(s.Runs) {
				joined.several = true
			}
			if left != nil {
				list = append(list, &Setup{Task: s.Task, Changes: s.Changes, Runs: left, rest: true})
			}
		}
		if joined.several { // cells name the changes of model and budget
			joined.Changes = slices.DeleteFunc(slices.Clone(joined.Changes), func(c string) bool {
				return !strings.HasPrefix(c, "task.") || slices.ContainsFunc(same, func(s *Setup) bool { return !slices.Contains(s.Changes, c) })
			})
		}
	}
	slices.SortStableFunc(list, (*Setup).compare)
	return list
}

// Settled returns the runs of one setting, from runs with one label on one task: among the
// settings with most seeds the one with the lowest mean loss by the task's rule, so that no
// single lucky seed decides. Ties go to the first.
func Settled(runs []results.Run) []results.Run {
	if len(runs) == 0 {
		return nil
	}
	task := runs[0].Record.Dataset.Presentation.Paper
	settings := results.GroupBy(runs, func(r results.Run) string { return r.Record.Protocol.Hash + r.Settings() })
	return slices.MinFunc(settings, func(a, b []results.Run) int {
		return cmp.Or(cmp.Compare(len(perSeed(b)), len(perSeed(a))), cmp.Compare(meanLoss(task, a), meanLoss(task, b)))
	})
}

// likeOthers returns the runs that a table of ablations has. Its last row is the whole model,
// of which only the settings nearest to those of the other rows count, under the same
// conditions, budget aside.
func likeOthers(runs []results.Run, rows []paper.SpecRow) []results.Run {
	var list []results.Run
	for _, same := range results.GroupBy(runs, results.Run.ConditionsButBudget) {
		var whole, lacking []results.Run
		for _, r := range same {
			if rows[len(rows)-1].Questions[0].System.Is(r.Record) {
				whole = append(whole, r)
			} else {
				lacking = append(lacking, r)
			}
		}
		if lacking == nil {
			continue
		}
		differences := map[int][]results.Run{} // by their number
		for _, r := range whole {
			n := 0
			for _, o := range lacking {
				n += results.Differences(r.Record, o.Record)
			}
			differences[n] = append(differences[n], r)
		}
		list = append(list, lacking...)
		if len(whole) > 0 {
			list = append(list, differences[slices.Min(slices.Collect(maps.Keys(differences)))]...)
		}
	}
	if list == nil {
		return runs
	}
	return list
}

// perSeed groups runs by seed: one that was run twice, for example by two builds, counts once.
func perSeed(runs []results.Run) [][]results.Run {
	return results.GroupBy(runs, func(r results.Run) string { return strconv.FormatUint(r.Record.Identity.Seed, 10) })
}
