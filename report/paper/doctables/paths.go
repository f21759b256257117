package doctables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
	"memobench/report/table"
)

// graph is a shortest-path task of the paper's table 2.
type graph struct {
	task, title string
	nodes       int        // asked for
	wide        []string   // settings of MEMO at the paper's width that solve it
	mixed       [][]string // runs of MEMO with half of the heads linear, by size
}

var graphs = []graph{
	{"sp10-2-2", "10-2-2", 1, slices.Concat(heads(4, 512, 128, rate("1e-4")), larger(3000)), nil},
	{"sp20-3-3", "20-3-3", 2, slices.Concat(heads(8, 512, 256, rate("1e-4")), larger(8000)), [][]string{seeds("standard/sp20-3-3-memo-mixed32-%d", 3), seeds("standard/sp20-3-3-memo-mixed-%d", 5)}},
	{"sp20-5-3", "20-5-3", 2, slices.Concat(heads(8, 512, 256, rate("1e-4")), larger(8000)), [][]string{seeds("standard/sp20-5-3-memo-mixed-%d", 5)}},
}

// heads are the settings of MEMO with other heads on shortest paths, followed by rest, in
// the order in which the grid sets them: pick compares the lists in order.
func heads(n, width, answer int, rest ...string) []string {
	return append([]string{fmt.Sprintf("model.heads=%d", n), fmt.Sprintf("model.width=%d", width),
		"model.embedding=128", fmt.Sprintf("model.answer_width=%d", answer)}, rest...)
}

// larger are the settings of batches of 256, for so many steps.
func larger(steps int) []string {
	return []string{"protocol.batch_size=256", fmt.Sprintf("protocol.steps=%d", steps), "protocol.evaluate_every=250"}
}

// rate is the setting of a learning rate.
func rate(r string) string { return "training.learning_rate=" + r }

// dropout is the setting with which the paper's width was tried first.
const dropout = "model.dropout_attention=0.1"

// systemsOnNode are the cells of all systems on a node of the paths, from 0, each next to
// the paper's. The paper's number of EMN's second node is that of table 8: in table 2 EMN
// has been given the right first one.
func (s *source) systemsOnNode(g graph, node int) (cells []table.Cell) {
	for _, model := range networks {
		number := 2
		if model == "emn" && node == 1 {
			number = 8
		}
		cells = append(cells, s.compared(g.task, model).node(record.Accuracy, node),
			printed(number, g.task, fmt.Sprintf("%s/node %d", g.task, node+1), model))
	}
	return cells
}

// paths is the paper's table 2.
func paths(s *source) (rows []table.Row) {
	for _, g := range graphs {
		wide := s.need(g.task, "memo", g.wide...)
		for node := range g.nodes {
			rows = append(rows, row(fmt.Sprintf("%s, node %d", g.title, node+1), wide.node(record.Accuracy, node), s.systemsOnNode(g, node)))
		}
	}
	return rows
}

// softmaxPaths is MEMO and EMN on graphs of 20 nodes with and without softmax, MEMO with
// the same heads.
func softmaxPaths(s *source) (rows []table.Row) {
	for _, g := range graphs {
		if g.mixed == nil {
			continue
		}
		columns := []runs{
			s.need(g.task, "memo"), s.at(g.mixed[0]...),
			s.need(g.task, "emn"), s.at(seeds("standard/"+g.task+"-emn-linear-%d", 3)...),
		}
		for node := range g.nodes {
			r := row(fmt.Sprintf("%s, node %d", g.title, node+1))
			for _, list := range columns {
				r.Cells = append(r.Cells, list.node(record.Accuracy, node))
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// pathSizes is MEMO on shortest paths by its size, learning rate and batches.
func pathSizes(s *source) (rows []table.Row) {
	for i, list := range [][][]string{
		{
			nil,
			heads(4, 512, 128, dropout, rate("5e-4")),
			heads(4, 512, 128, rate("1e-4")),
			graphs[0].wide,
		},
		{
			nil,
			larger(5000),
			slices.Concat(heads(8, 128, 256, rate("3e-4")), larger(5000)),
			graphs[1].wide,
			slices.Concat(heads(8, 512, 256, rate("5e-4")), larger(4000)),
			heads(4, 512, 256, dropout, rate("5e-4")),
			heads(4, 512, 256, rate("1e-4")),
		},
		{
			nil,
			larger(5000),
			slices.Concat(heads(8, 128, 256, rate("3e-4")), larger(5000)),
			graphs[2].wide,
			slices.Concat(heads(8, 512, 256, rate("1e-4")), larger(6000)),
		},
	} {
		for _, overrides := range list {
			rows = append(rows, graphs[i].size(s.need(graphs[i].task, "memo", overrides...)))
		}
		for _, dirs := range graphs[i].mixed {
			rows = append(rows, graphs[i].size(s.at(dirs...)))
		}
	}
	return rows
}

// size is the row of runs in pathSizes.
func (g *graph) size(same runs) table.Row {
	r := row(g.title, same.settings()...)
	for node := range 2 {
		r.Cells = append(r.Cells, same.node(record.Accuracy, node), same.lowestLoss().node(record.Accuracy, node))
	}
	return r
}

// settings are the cells that say how runs were made: heads, rate, batches and steps.
func (list runs) settings() []any {
	if len(list) == 0 {
		return nil
	}
	r := list[0].Record
	c := r.Model.Config
	size := fmt.Sprintf("%v of %v", c["heads"], c["width"])
	if d, ok := c["dropout_attention"]; ok && d != 0.0 {
		size += fmt.Sprintf(", dropout %v", d)
	}
	if n, _ := c["linear_heads"].(float64); c["attention"] == "mixed" && n > 0 {
		size += fmt.Sprintf(", %v linear", n)
	} else if c["attention"] == "mixed" {
		size += ", half linear"
	}
	return []any{size, rateOf(r), fmt.Sprint(r.Protocol.Values["batch_size"]), r.Training.Steps}
}

// rateOf is the learning rate as in 5e-4.
func rateOf(r *record.Record) string {
	return strings.Replace(fmt.Sprintf("%.0e", r.Model.Training["learning_rate"]), "e-0", "e-", 1)
}

// pathDNC is the DNC on shortest paths without a curriculum, by its read heads and
// pondering steps.
func pathDNC(s *source) (rows []table.Row) {
	one := "model.read_heads=1"
	for _, list := range []runs{
		s.need("sp10-2-2", "dnc"), s.need("sp10-2-2", "dnc", one, "model.ponder=5"), s.need("sp10-2-2", "dnc", one, "model.ponder=1"),
		s.at("standard/sp10-2-3-dnc-3-10-5e-4"), s.at("standard/sp10-2-3-dnc-3-5-5e-4"), s.at("standard/sp10-2-3-dnc-3-3-5e-4"),
		s.at("standard/sp10-2-3-dnc-3-3-1e-3"), s.at("standard/sp10-2-3-dnc-6-3-1e-3"), s.at("standard/sp10-2-3-dnc-ponder-0"),
		s.at("standard/sp20-3-3-dnc-0"), s.at("reproduction/sp20-3-3-dnc-s0-26bff528"), s.at("reproduction/sp20-5-3-dnc-s0-05277ff7"),
	} {
		if s.err != nil {
			return nil
		}
		r := list[0].Record
		rows = append(rows, row(graphOf(r), fmt.Sprint(r.Model.Config["read_heads"]), fmt.Sprint(r.Model.Config["ponder"]), rateOf(r), list.steps(), list.nodes()))
	}
	return rows
}

// graphOf names the graphs of a run, as in 20-3-3.
func graphOf(r *record.Record) string { return strings.TrimPrefix(r.Dataset.Task, "sp") }

// nodes are the accuracies on the two nodes of a path, of which 10-2-2 has one.
func (list runs) nodes() []table.Cell {
	return []table.Cell{list.node(record.Accuracy, 0), list.node(record.Accuracy, 1)}
}

// pathCurricula is the networks on shortest paths by what they learn first, MEMO and EMN
// with the kind of their attention.
func pathCurricula(s *source) (rows []table.Row) {
	for _, list := range []runs{
		s.at("standard/sp10-2-3-ut-append-0"), s.at("standard/sp10-2-3-ut-shorter-0"),
		s.at("standard/sp10-2-3-dnc-ponder-0"), s.at("standard/sp10-2-3-dnc-shorter-0"),
		s.at(seeds("standard/sp20-3-3-ut-plain-%d", 2)...), s.at("standard/sp20-3-3-ut-grow-0"), s.at(seeds("standard/sp20-3-3-ut-shorter-%d", 2)...),
		s.at("standard/sp20-3-3-dnc-0"), s.at(seeds("standard/sp20-3-3-dnc-grow-%d", 2)...), s.at("standard/sp20-3-3-dnc-heads-0", "standard/sp20-3-3-dnc-heads-2"),
		s.at("standard/sp20-3-3-dnc-heads-long-1"), s.at(seeds("standard/sp20-3-3-dnc-heads-longer-%d", 2)...), s.at(seeds("standard/sp20-3-3-dnc-shorter-%d", 2)...), s.at("standard/sp20-3-3-dnc-shorter-long-0"),
		s.need("sp20-3-3", "memo"), s.at(seeds("standard/sp20-3-3-memo-softmax-shorter-%d", 3)...),
		s.need("sp20-3-3", "emn"), s.at(seeds("standard/sp20-3-3-emn-softmax-shorter-%d", 3)...),
		s.at(seeds("standard/sp20-5-3-ut-grow-%d", 2)...), s.at("standard/sp20-5-3-ut-grow-long-0"), s.at(seeds("standard/sp20-5-3-ut-shorter-%d", 2)...),
		s.at(seeds("standard/sp20-5-3-dnc-grow-%d", 2)...), s.at(seeds("standard/sp20-5-3-dnc-shorter-%d", 2)...),
		s.need("sp20-5-3", "memo"), s.at(seeds("standard/sp20-5-3-memo-softmax-shorter-%d", 3)...),
		s.need("sp20-5-3", "emn"), s.at(seeds("standard/sp20-5-3-emn-softmax-shorter-%d", 3)...),
		s.at(seeds("standard/sp20-5-3-emn-linear-%d", 3)...), s.at(seeds("standard/sp20-5-3-emn-linear-shorter-%d", 3)...),
	} {
		if s.err != nil {
			return nil
		}
		r := list[0].Record
		model := strings.ToUpper(r.Identity.Model)
		if attention, ok := r.Model.Config["attention"].(string); ok {
			model += ", " + attention
		}
		rows = append(rows, row(graphOf(r), model, firstOf(r), list.steps(), list.minutes(1), list.nodes()))
	}
	return rows
}

// firstOf says what the phases before the main one change.
func firstOf(r *record.Record) string {
	var first []string
	phases, _ := r.Model.Training["phases"].([]any)
	for _, phase := range phases {
		task, _ := phase.(map[string]any)["task"].(map[string]any)
		if task["length"] != nil {
			first = results.AddNew(first, "shorter paths")
		}
		if task["degree"] != nil {
			first = results.AddNew(first, "easier graphs")
		}
	}
	return cmp.Or(strings.Join(first, ", "), "–")
}

// pathVariants is MEMO on shortest paths whose nodes have random names, or of which
// there are several.
func pathVariants(s *source) (rows []table.Row) {
	// Each of the heads can hold a name out of 1,000.
	named := slices.Concat([]string{"task.labels=random"}, heads(4, 256, 256, rate("5e-4")),
		[]string{"protocol.steps=12000", "protocol.evaluate_every=500"})
	named20 := slices.Concat([]string{"task.labels=random"}, heads(8, 128, 256, rate("2e-4")),
		[]string{"protocol.batch_size=256", "protocol.steps=8000", "protocol.evaluate_every=500"})
	several := []string{"task.targets=random"}
	for _, v := range []struct {
		task, names, paths string
		list               runs
	}{
		{"sp10-2-2", "random", "one", s.need("sp10-2-2", "memo", named...)},
		{"sp20-3-3", "random", "one", s.need("sp20-3-3", "memo", named20...)},
		{"sp20-3-3", "random", "one", s.at("standard/sp20-3-3-memo-names-0")},
		{"sp20-3-3", "random", "one", s.at("standard/sp20-3-3-memo-names-grow-0")},
		{"sp20-3-3", "random", "one", s.at("standard/sp20-3-3-memo-names-mixed-0")},
		{"sp20-3-3", "random", "one", s.at("standard/sp20-3-3-memo-names-twelve-0")},
		{"sp20-3-3", "random, shorter paths first", "one", s.at(seeds("standard/sp20-3-3-memo-names-shorter-%d", 2)...)},
		{"sp10-2-2", "0 to 9", "several", s.need("sp10-2-2", "memo", several...)},
		{"sp20-3-3", "0 to 19", "several", s.need("sp20-3-3", "memo", several...)},
		{"sp20-3-3", "0 to 19", "several", s.at(seeds("standard/sp20-3-3-memo-several-%d", 3)...)},
		{"sp20-5-3", "0 to 19", "several", s.need("sp20-5-3", "memo", several...)},
		{"sp20-5-3", "0 to 19", "several", s.need("sp20-5-3", "memo", slices.Concat(several, graphs[2].wide)...)},
		{"sp20-5-3", "0 to 19", "several", s.at(seeds("standard/sp20-5-3-memo-several-%d", 1)...)},
	} {
		if s.err != nil {
			return nil
		}
		list := v.list
		r := row(strings.TrimPrefix(v.task, "sp"), append([]any{v.names, v.paths}, list.settings()...)...)
		for node := range 2 {
			ceiling := none
			if x := paper.Ceilings[v.task]; v.paths == "several" && node < len(x) {
				ceiling = table.Cell{State: table.Number, Mean: x[node], Decimals: 1}
			}
			r.Cells = append(r.Cells, list.node(record.Accuracy, node), list.node(record.TolerantAccuracy, node), ceiling)
		}
		rows = append(rows, r)
	}
	return rows
}
