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
func generalized(task, setting, trained string, columns ...asked) func(*source) []table.Row {
	return func(s *source) (rows []table.Row) {
		for _, g := range table.ShiftedGroups(s.shifted) {
			if g.Task != task || g.Setting != setting || g.Trained != trained {
				continue
			}
			for model, v := range g.Models() {
				for _, hops := range hopsOf(&g, model) {
					cells := generalizedCells(&g, model, hops, columns)
					if slices.ContainsFunc(cells, func(c table.Cell) bool { return c.State == table.Number }) {
						rows = append(rows, row(v.Title, hopsText(hops), cells))
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

func generalizedCells(g *table.ShiftedGroup, model, hops int, columns []asked) (cells []table.Cell) {
	for _, c := range columns {
		cell := none
		for _, p := range g.Points {
			for _, d := range p.Depths() {
				if p.Value == c.value && p.Hops == hops && d.Label == c.depth && cell.State != table.Number {
					cell = runs(p.Runs(model)).of(d.Value)
				}
			}
		}
		cells = append(cells, cell)
	}
	return cells
}

// heldOut is the accuracy on the questions of bAbI that need a combination of words, of
// networks trained without it and with it on the same eight tasks.
func heldOut(s *source) (rows []table.Row) {
	for _, model := range []string{"memo", "ut", "transformer", "emn", "dnc"} {
		r := row("")
		for _, asked := range []string{"mary+office", "john+milk", "off"} {
			for _, left := range []string{"mary+office,john+milk", ""} {
				var list runs
				for _, run := range s.shifted {
					d, h := run.Record.Dataset.Settings, run.Record.Shift
					if run.Record.Identity.Model == model && h.Setting == "combinations" && h.Evaluated == asked && d["held_out"] == left && d["tasks"] == "1,6-9,11-13" {
						list, r.Label = append(list, run), run.Record.Identity.Title
					}
				}
				if list == nil {
					s.fail("no %s evaluated on eight tasks with combinations=%s, trained without %q", model, asked, left)
					return nil
				}
				r.Cells = append(r.Cells, list.of(record.Accuracy.Overall))
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// memoryCost is how many operations the answer to a question takes as the memory grows.
func memoryCost(s *source) (rows []table.Row) {
	for _, g := range table.ShiftedGroups(s.shifted) {
		if g.Task != "pai3" || g.Setting != "sequences" || g.Trained != "8" {
			continue
		}
		for model, v := range g.Models() {
			r := row(v.Title)
			first, last := 0.0, 0.0
			for _, p := range g.Points {
				n, ok := p.Operations(model)
				if !ok || p.Hops != 0 {
					continue
				}
				first, last = cmp.Or(first, n), n
				r.Cells = append(r.Cells, number(n/1e6))
			}
			r.Cells = append(r.Cells, number(last/first))
			rows = append(rows, r)
		}
	}
	if rows == nil {
		s.fail("no weights of pai3 evaluated on other numbers of sequences")
	}
	return rows
}

// number is a number without a spread, to two decimals.
func number(x float64) table.Cell {
	return table.Cell{State: table.Number, Mean: x, Decimals: 2}
}
