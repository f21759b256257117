package doctables

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/report/results"
	"memobench/report/table"
)

// chain is a task of paired associative inference with its queries, the hardest last.
type chain struct {
	task  string
	kinds []string
}

func (c *chain) hardest() string { return c.kinds[len(c.kinds)-1] }

// chains are the tasks of the paper's tables 4 to 6.
var chains = []chain{
	{"pai3", []string{"A-B", "B-C", "A-C"}},
	{"pai4", []string{"A-B", "B-C", "C-D", "A-C", "B-D", "A-D"}},
	{"pai5", []string{"A-B", "B-C", "C-D", "D-E", "A-C", "B-D", "C-E", "A-D", "B-E", "A-E"}},
}

// networks are the models of the paper in the order of its columns; MEMO is the first.
var networks = []string{"memo", "emn", "dnc", "ut"}

// compared returns the runs of a model, with any fixed number of hops, that are in the
// tables of systems: on the questions and under the protocol, but for the training budget,
// of the grid's MEMO, those that table.Settled names.
func (s *source) compared(task, model string) runs {
	var list []results.Run
	like := s.need(task, "memo")
	for _, r := range s.all {
		if like != nil && strings.TrimRight(r.Record.Identity.Label, "0123456789") == model && r.ConditionsButBudget() == like[0].ConditionsButBudget() {
			list = append(list, r)
		}
	}
	if list == nil {
		s.fail("no runs of %s on %s", model, task)
	}
	return table.Settled(results.Deduplicate(list))
}

// queries are the rows of the paper's tables 4 to 6, a line for each query.
func queries(s *source) (rows []table.Row) {
	for i, c := range chains {
		for _, kind := range c.kinds {
			r := row(fmt.Sprintf("%d: %s", 3+i, kind))
			for _, model := range networks {
				r.Cells = append(r.Cells, s.compared(c.task, model).on(kind), printed(4+i, c.task, kind, model))
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// hardest are the query of each chain that joins most facts, and each node of the
// shortest paths, of all systems with batches of the same size.
func hardest(s *source) (rows []table.Row) {
	for i, c := range chains {
		r := row(fmt.Sprintf("Chains of %d: %s", 3+i, c.hardest()), s.stepsOf(c.task))
		for _, model := range networks {
			r.Cells = append(r.Cells, s.compared(c.task, model).on(c.hardest()), printed(1, c.task, c.task+"/"+c.hardest(), model))
		}
		rows = append(rows, r)
	}
	suite := row("bAbI, 20 tasks: mean error", s.suiteSteps())
	if s.err != nil {
		return nil
	}
	for _, m := range suiteBest {
		suite.Cells = append(suite.Cells, s.at(seeds("babi/"+m.dir, m.seeds)...).suite(3, "")[suiteError:suiteError+2]...)
	}
	for _, g := range graphs {
		for node := range g.nodes {
			rows = append(rows, row(fmt.Sprintf("Paths, %s: node %d", g.title, node+1), s.stepsOf(g.task), s.systemsOnNode(g, node)))
		}
	}
	return append(rows, suite)
}

// stepsOf says how long the models were trained on a task: as long as MEMO, unless one is
// named.
func (s *source) stepsOf(task string) string {
	most := s.compared(task, "memo").steps()
	text := most
	for _, model := range networks[1:] {
		if steps := s.compared(task, model).steps(); steps != most {
			text += ", " + strings.ToUpper(model) + " " + steps
		}
	}
	return text
}

// choices are the hardest query of each chain with the answer chosen between the two
// items that the query shows.
func choices(s *source) (rows []table.Row) {
	for i, c := range chains {
		r := row(fmt.Sprintf("%d: %s", 3+i, c.hardest()))
		for _, model := range networks {
			r.Cells = append(r.Cells, s.compared(c.task, model).metric(record.ChoiceAccuracy, c.hardest()))
		}
		rows = append(rows, r)
	}
	return rows
}

// orders are what the order of rows, and of the items of a row, does to A-C.
func orders(s *source) (rows []table.Row) {
	longer := []string{"task.items=random", "protocol.steps=74000", "protocol.evaluate_every=2000",
		"training.learning_rate=7e-4", "training.plateau_fraction=0.73", "model.dropout_attention=0"}
	for _, o := range []struct {
		rows, items string
		overrides   []string
	}{
		{"shuffled", "sequence", nil},
		{"generation", "sequence", []string{"task.rows=generation"}},
		{"generation", "random", []string{"task.rows=generation", "task.items=random"}},
		{"shuffled", "random", []string{"task.items=random"}},
		{"shuffled", "random; rate 7e-4, no dropout", longer},
	} {
		with, without := s.need("pai3", "memo", o.overrides...), s.pick("pai3", "memo-nowh", o.overrides...)
		rows = append(rows, row(o.rows, o.items, with.steps(), with.on("A-C"), without.on("A-C")))
	}
	heads := s.at(seeds("standard/pai3-memo-random-h8-%d", 5)...)
	return append(rows, row("shuffled", "random; the same, 8 heads of 64", heads.steps(), none, heads.on("A-C")))
}

// ablations are the paper's table 7, and three parts that it has no line for.
func ablations(s *source) (rows []table.Row) {
	slower := []string{"training.learning_rate=1e-4", "model.answer_std=0.1"}
	for _, a := range []struct {
		title, label, row string
		overrides         []string
	}{
		{"as it is", "memo", "separate, recurrent", nil},
		{"no recurrent attention", "memo-norec", "separate", nil},
		{"as it is, smaller rate and W_a", "memo", "", slower},
		{"words summed with a position code", "memo-posenc", "summed, recurrent", slower},
		{"words summed, no recurrent attention", "memo-posenc-norec", "summed", slower},
		{"no LayerNorm", "memo-noln", "", nil},
		{"no W_h", "memo-nowh", "", nil},
		{"W_h random at first", "memo-randwh", "", nil},
	} {
		list := s.need("pai3", a.label, a.overrides...)
		published := printed(7, "pai3", a.row, "memo")
		rows = append(rows, row(a.title, list.on("A-B"), list.on("B-C"), list.on("A-C"), published))
	}
	return rows
}

// search is the small part of the paper's grid (Table 12) that was searched, by
// the loss on the validation split; the same seeds for every setting.
func search(s *source) (rows []table.Row) {
	for _, x := range []struct {
		rate, hops string
		overrides  []string
	}{
		{"7e-4", "3", []string{"training.learning_rate=7e-4"}},
		{"5e-4 (`standard`)", "3", nil},
		{"1e-4", "3", []string{"training.learning_rate=1e-4"}},
		{"7e-4", "5", []string{"model.hops=5", "training.learning_rate=7e-4"}},
		{"5e-4", "5", []string{"model.hops=5", "training.learning_rate=5e-4"}},
		{"1e-4", "5", []string{"model.hops=5", "training.learning_rate=1e-4"}},
	} {
		var list runs
		var losses []string
		var validation []float64
		for _, r := range s.need("pai3", "memo", x.overrides...) {
			if r.Record.Identity.Seed > 2 {
				continue
			}
			list = append(list, r)
			losses = append(losses, fmt.Sprintf("%.5f", r.Record.Curve.BestLoss))
			if curve := s.curve(r); curve != nil {
				last := curve[len(curve)-1].Kinds
				validation = append(validation, last[len(last)-1].PerCent())
			}
		}
		if len(list) != 3 {
			s.fail("%d runs of %v", len(list), x.overrides)
		}
		rows = append(rows, row(x.rate, x.hops, strings.Join(losses, ", "), table.Mean(validation, 1), list.on("A-C")))
	}
	return rows
}

// curve is the learning curve next to a record.
func (s *source) curve(r results.Run) []record.Point {
	curve, err := record.ReadCurve(filepath.Join(filepath.Dir(r.Path), record.CurveName))
	if err != nil {
		s.fail("%w", err)
	}
	return curve
}

// learned is the accuracy on A-C, in per cent, at which it counts as learned.
const learned = 95

// learning says of runs of chains of 3 when they learned A-C.
func (s *source) learning(title string, list runs) table.Row {
	slices.SortFunc(list, func(a, b results.Run) int { return strings.Compare(a.Path, b.Path) })
	var from []string
	for _, r := range list {
		from = results.AddNew(from, learnedFrom(s.curve(r)))
	}
	return row(title, list.steps(), len(list), plain(list.to(2, record.Hops.Overall)),
		plain(list.on("A-B")), plain(list.on("B-C")), plain(list.on("A-C")), strings.Join(from, ", "))
}

// learnedFrom returns the step from which on every evaluation on the validation
// split has A-C above learned.
func learnedFrom(curve []record.Point) string {
	from := "never"
	for _, e := range slices.Backward(curve) {
		for _, k := range e.Kinds {
			if k.Name == "A-C" && 100*k.Correct <= learned*k.Total {
				return from
			}
		}
		from = printable.Thousands(e.Step)
	}
	return from
}

// onFour is UT, EMN and the DNC on chains of 4 by size and settings.
func onFour(s *source) (rows []table.Row) {
	for _, x := range []struct {
		title string
		list  runs
	}{
		{"UT, 100 classes, 8 sequences, rate 2e-3", s.at("small/pai4-ut-2")},
		{"the same, rate 5e-3", s.at("small/pai4-ut-5")},
		{"UT, 1,000 classes, 16 sequences, rate 1e-3", s.at("standard/pai4-ut-plain-0")},
		{"the same, rate 5e-3", s.at("standard/pai4-ut-fast-0", "standard/pai4-ut-fast-1")},
		{"the same, settings of `standard`", s.at("reproduction/pai4-ut-s0-ba66ded5")},
		{"EMN, 100 classes, 8 sequences, 4 hops, rate 2e-3", s.at("small/pai4-emn-h4-2e-3-softmax")},
		{"the same, no softmax", s.at("small/pai4-emn-h4-2e-3-linear")},
		{"EMN, 100 classes, 8 sequences, 4 hops, rate 5e-3", s.at("small/pai4-emn-h4-5e-3-softmax")},
		{"the same, no softmax", s.at("small/pai4-emn-h4-5e-3-linear")},
		{"EMN, 100 classes, 8 sequences, 10 hops, rate 2e-3", s.at("small/pai4-emn-h10-2e-3-softmax")},
		{"the same, no softmax", s.at("small/pai4-emn-h10-2e-3-linear")},
		{"EMN, 1,000 classes, 16 sequences, 10 hops, rate 2e-3", s.at("standard/pai4-emn10-2-0")},
		{"the same, 4 hops, rate 5e-3", s.at("standard/pai4-emn4-5-0")},
		{"the same, 10 hops, rate 2e-3, memories of 4 and 8 sequences first", s.at("standard/pai4-emn-seq-0")},
		{"the same, longer, nothing first", s.at("standard/pai4-emn-ten-long-0")},
		{"the same, chains of 3 and smaller memories first", s.at(seeds("standard/pai4-emn-curriculum-%d", 3)...)},
		{"the same, longer", s.at("standard/pai4-emn-curriculum-long-0")},
		{"DNC, 100 classes, 8 sequences, 3 read heads, 3 pondering steps, rate 3e-4", s.at("small/pai4-dnc-3")},
		{"the same, 1 pondering step, rate 1e-3", s.at("small/pai4-dnc-one-step")},
		{"the same, 2 pondering steps, after chains of 3 and chains of 4 with 1 pondering step", s.at("small/pai4-dnc-curriculum-0")},
		{"DNC, 1,000 classes, 16 sequences, the same order, memories of 8 sequences first", s.at("standard/pai4-dnc-curriculum-0")},
		{"the same, 1 read head, words of 384 instead of 128, rate 5e-4, chains of 3 for longer", s.at(seeds("standard/pai4-dnc-curriculum-wide-%d", 2)...)},
	} {
		for _, r := range x.list {
			one := runs{r}
			rows = append(rows, row(x.title, one.steps(), plain(one.minutes(0)), one.on("A-B"), one.on("A-C"), one.on("B-D"), one.on("A-D")))
		}
	}
	return rows
}
