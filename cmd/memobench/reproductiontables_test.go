package main

import (
	"fmt"
	"strings"
	"testing"

	"memobench/benchmarks/record"
)

// TestTablesOfReproductionAreRecorded holds the documents' tables at the paper's sizes
// against the recorded runs.
func TestTablesOfReproductionAreRecorded(t *testing.T) {
	runs := reproduced(t)
	holdTable(t, "table:hardest", hardestTable(t, runs))
	holdTable(t, "table:pai", paiTable(t, runs))
	holdTable(t, "table:paths", pathsTable(runs))
	holdTable(t, "table:path-sizes", pathSizesTable(t, runs))
	holdTable(t, "table:orders", ordersTable(t, runs))
	holdTable(t, "table:hops", hopsTable(t, runs))
	holdTable(t, "table:kinds", kindsTable(t, runs))
	holdTable(t, "table:ablations", ablationsTable(t, runs))
	holdTable(t, "table:path-hops", pathHopsTable(t, runs))
	holdTable(t, "table:path-variants", pathVariantsTable(t, runs))
	holdTable(t, "table:search", searchTable(t, runs))
}

// shorter are the settings of runs that stand in the tables though they have fewer steps
// than preset standard, by task and label.
var shorter = map[[2]string][]string{
	{"pai4", "ut"}:      {"protocol.steps=6000"},
	{"pai5", "ut"}:      {"protocol.steps=6000"},
	{"pai4", "dnc"}:     {"protocol.steps=6000", "model.ponder=1"},
	{"pai5", "dnc"}:     {"protocol.steps=4000", "model.ponder=1"},
	{"sp20-3-3", "dnc"}: {"protocol.steps=3000", "model.ponder=1"},
	{"sp20-3-3", "ut"}:  {"protocol.steps=3000"},
}

// fullPAI is a chain's task with its queries, the hardest last.
type fullPAI struct {
	task  string
	kinds []string
}

// chains are the tasks of the paper's tables 4 to 6.
var chains = []fullPAI{
	{"pai3", []string{"A-B", "B-C", "A-C"}},
	{"pai4", []string{"A-B", "B-C", "C-D", "A-C", "B-D", "A-D"}},
	{"pai5", []string{"A-B", "B-C", "C-D", "D-E", "A-C", "B-D", "C-E", "A-D", "B-E", "A-E"}},
}

// paiTable is the paper's tables 4 to 6, a line for each query; the paper's EMN stands
// behind ours of 4 hops.
func paiTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| Query | MEMO | paper | EMN, 10 hops | 4 hops | paper | DNC | paper | UT | paper |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for i, c := range chains {
		for _, kind := range c.kinds {
			line := fmt.Sprintf("| %d: %s", 3+i, kind)
			for _, m := range []struct{ label, published string }{{"memo", "memo"}, {"emn10", ""}, {"emn4", "emn"}, {"dnc", "dnc"}, {"ut", "ut"}} {
				line += " | " + on(t, pick(runs, c.task, m.label, shorter[[2]string{c.task, m.label}]...), kind)
				if m.published != "" {
					line += " | " + printed(4+i, c.task, kind, m.published)
				}
			}
			b.WriteString(line + " |\n")
		}
	}
	return b.String()
}

// hardestTable is the README's: the query of each chain that joins most facts, and each
// node of the shortest paths, of all systems.
func hardestTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| | MEMO | paper | EMN | paper | DNC | paper | UT | paper |\n|---|---|---|---|---|---|---|---|---|\n")
	for i, c := range chains {
		kind := c.kinds[len(c.kinds)-1]
		fmt.Fprintf(&b, "| Chains of %d: %s", 3+i, kind)
		for _, m := range [][2]string{{"memo", "memo"}, {"emn4", "emn"}, {"dnc", "dnc"}, {"ut", "ut"}} {
			list := pick(runs, c.task, m[0], shorter[[2]string{c.task, m[0]}]...)
			b.WriteString(" | " + on(t, list, kind) + " | " + printed(4+i, c.task, kind, m[1]))
		}
		b.WriteString(" |\n")
	}
	for _, g := range graphs {
		for node := 1; node <= g.nodes; node++ {
			fmt.Fprintf(&b, "| Paths, %s: node %d", g.title, node)
			for _, model := range pathModels {
				overrides := shorter[[2]string{g.task, model}]
				if model == "memo" {
					overrides = g.wide
				}
				b.WriteString(" | " + onNode(pick(runs, g.task, model, overrides...), record.Accuracy, node-1) + " | " + publishedNode(g, node, model))
			}
			b.WriteString(" |\n")
		}
	}
	return b.String()
}

// ordersTable is what the order of rows, and of the items of a row, does to A-C.
func ordersTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| Rows | Items of a row | Steps | A-C, MEMO | A-C, MEMO without W_h |\n|---|---|---|---|---|\n")
	longer := []string{"task.items=random", "protocol.steps=74000", "protocol.evaluate_every=2000", "training.learning_rate=7e-4", "training.hold=0.73", "model.dropout_attention=0"}
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
		with, without := pick(runs, "pai3", "memo", o.overrides...), pick(runs, "pai3", "memo-nowh", o.overrides...)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", o.rows, o.items, steps(with), on(t, with, "A-C"), on(t, without, "A-C"))
	}
	return b.String()
}

// ablationsTable is the paper's table 7, and three parts that it has no line for.
func ablationsTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| MEMO, chains of 3 | A-B | B-C | A-C | A-C in the paper |\n|---|---|---|---|---|\n")
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
		list := pick(runs, "pai3", a.label, a.overrides...)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", a.title, on(t, list, "A-B"), on(t, list, "B-C"), on(t, list, "A-C"), printed(7, "pai3", a.row, "memo"))
	}
	return b.String()
}
