package doctables

import (
	"cmp"
	"fmt"
	"slices"

	"memobench/benchmarks/record"
	"memobench/report/table"
)

// asked is what a column of a table of generalization asks for: how deep the inference is,
// at a value of the setting.
type asked struct{ value, depth string }

// generalized has a row for each model and number of hops with which its weights, trained
// with one value of a setting, were evaluated on others.
func generalized(task, setting, trained string, columns ...asked) func(*source) [][]string {
	return func(s *source) (rows [][]string) {
		for _, g := range table.ShiftedGroups(s.shifted) {
			if g.Task != task || g.Setting != setting || g.Trained != trained {
				continue
			}
			for model, v := range g.Models() {
				for _, hops := range hopsOf(&g, model) {
					cells := generalizedCells(&g, model, hops, columns)
					if slices.ContainsFunc(cells, func(cell string) bool { return cell != none }) {
						rows = append(rows, append([]string{v.Title, hopsText(hops)}, cells...))
					}
				}
			}
		}
		if rows == nil {
			s.fail("no weights of %s with %s=%s evaluated on other values of it", task, setting, trained)
		}
		return rows
	}
}

// hopsOf lists the numbers of hops with which a model was evaluated, 0 for that of training.
func hopsOf(g *table.ShiftedGroup, model int) (list []int) {
	for _, p := range g.Points {
		if p.Runs(model) != nil && !slices.Contains(list, p.Hops) {
			list = append(list, p.Hops)
		}
	}
	slices.Sort(list)
	return list
}

func hopsText(n int) string {
	if n == 0 {
		return "as trained"
	}
	return fmt.Sprint(n)
}

func generalizedCells(g *table.ShiftedGroup, model, hops int, columns []asked) (cells []string) {
	for _, c := range columns {
		cell := ""
		for _, p := range g.Points {
			for _, d := range p.Depths() {
				if p.Value == c.value && p.Hops == hops && d.Label == c.depth {
					cell = cmp.Or(cell, runs(p.Runs(model)).of(d.Value))
				}
			}
		}
		cells = append(cells, cmp.Or(cell, none))
	}
	return cells
}

// heldOut is the accuracy on the questions of bAbI that need a combination of words, of
// networks trained without it and with it on the same eight tasks.
func heldOut(s *source) (rows [][]string) {
	for _, model := range []string{"memo", "ut", "transformer", "emn", "dnc"} {
		row := []string{""}
		for _, asked := range []string{"mary+office", "john+milk", "off"} {
			for _, left := range []string{"mary+office,john+milk", ""} {
				var list runs
				for _, r := range s.shifted {
					d, h := r.Record.Dataset.Settings, r.Record.Shift
					if r.Record.Identity.Model == model && h.Setting == "combinations" && h.Evaluated == asked && d["held_out"] == left && d["tasks"] == "1,6-9,11-13" {
						list, row[0] = append(list, r), r.Record.Identity.Title
					}
				}
				if list == nil {
					s.fail("no %s evaluated on eight tasks with combinations=%s, trained without %q", model, asked, left)
					return nil
				}
				row = append(row, list.of(record.Accuracy.Overall))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// memoryCost is how many operations the answer to a question takes as the memory grows.
func memoryCost(s *source) (rows [][]string) {
	for _, g := range table.ShiftedGroups(s.shifted) {
		if g.Task != "pai3" || g.Setting != "sequences" || g.Trained != "8" {
			continue
		}
		for model, v := range g.Models() {
			row := []string{v.Title}
			first, last := 0.0, 0.0
			for _, p := range g.Points {
				n, ok := p.Operations(model)
				if !ok || p.Hops != 0 {
					continue
				}
				first, last = cmp.Or(first, n), n
				row = append(row, fmt.Sprintf("%.2f", n/1e6))
			}
			rows = append(rows, append(row, fmt.Sprintf("%.2f", last/first)))
		}
	}
	if rows == nil {
		s.fail("no weights of pai3 evaluated on other numbers of sequences")
	}
	return rows
}
