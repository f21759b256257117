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
	holdTable(t, readme, "table:hardest", hardestTable(t, runs))
	for name, table := range map[string]string{
		"table:pai":           paiTable(t, runs),
		"table:choices":       choicesTable(t, runs),
		"table:paths":         pathsTable(t, runs),
		"table:path-dnc":      pathDNCTable(t, runs),
		"table:path-sizes":    pathSizesTable(t, runs),
		"table:orders":        ordersTable(t, runs),
		"table:hops":          hopsTable(t, runs),
		"table:kinds":         kindsTable(t, runs),
		"table:ablations":     ablationsTable(t, runs),
		"table:path-hops":     pathHopsTable(t, runs),
		"table:path-variants": pathVariantsTable(t, runs),
		"table:search":        searchTable(t, runs),
	} {
		holdTable(t, findings, name, table)
	}
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
	{"sp20-5-3", "dnc"}: {"protocol.steps=3000", "model.ponder=1"},
	{"sp20-5-3", "ut"}:  {"protocol.steps=3000"},
}

// chain is a task of paired associative inference with its queries, the hardest last.
type chain struct {
	task  string
	kinds []string
}

// chains are the tasks of the paper's tables 4 to 6.
var chains = []chain{
	{"pai3", []string{"A-B", "B-C", "A-C"}},
	{"pai4", []string{"A-B", "B-C", "C-D", "A-C", "B-D", "A-D"}},
	{"pai5", []string{"A-B", "B-C", "C-D", "D-E", "A-C", "B-D", "C-E", "A-D", "B-E", "A-E"}},
}

// compared returns the runs of a system that stand in the tables of systems; there must
// be some.
func compared(t *testing.T, runs []recordedRun, task, label string) []recordedRun {
	t.Helper()
	list := pick(runs, task, label, shorter[[2]string{task, label}]...)
	if len(list) == 0 {
		t.Errorf("%s on %s: no runs", label, task)
	}
	return list
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
				line += " | " + on(t, compared(t, runs, c.task, m.label), kind)
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
// node of the shortest paths, of all systems with batches of the same size.
func hardestTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| | Steps | MEMO | paper | EMN | paper | DNC | paper | UT | paper |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for i, c := range chains {
		kind := c.kinds[len(c.kinds)-1]
		fmt.Fprintf(&b, "| Chains of %d: %s | %s", 3+i, kind, stepsOf(t, runs, c.task, "emn4"))
		for _, m := range [][2]string{{"memo", "memo"}, {"emn4", "emn"}, {"dnc", "dnc"}, {"ut", "ut"}} {
			b.WriteString(" | " + on(t, compared(t, runs, c.task, m[0]), kind) + " | " + printed(4+i, c.task, kind, m[1]))
		}
		b.WriteString(" |\n")
	}
	for _, g := range graphs {
		for node := range g.nodes {
			fmt.Fprintf(&b, "| Paths, %s: node %d | %s%s |\n", g.title, node+1, stepsOf(t, runs, g.task, "emn"), systemsOnNode(t, runs, g, node))
		}
	}
	return b.String()
}

// choicesTable is the hardest query of each chain with the answer chosen between the two
// items that the query shows.
func choicesTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| Query, one of two | MEMO | EMN, 10 hops | 4 hops | DNC | UT |\n|---|---|---|---|---|---|\n")
	for i, c := range chains {
		kind := len(c.kinds) - 1
		fmt.Fprintf(&b, "| %d: %s", 3+i, c.kinds[kind])
		for _, label := range []string{"memo", "emn10", "emn4", "dnc", "ut"} {
			var list []float64
			for _, r := range compared(t, runs, c.task, label) {
				v, ok := record.ChoiceAccuracy.Value(r.Record, kind)
				if !ok || r.Evaluation.Kinds[kind].Name != c.kinds[kind] {
					t.Errorf("%s: no choices of %s", r.dir, c.kinds[kind])
				}
				list = append(list, v)
			}
			b.WriteString(" | " + spread(list))
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// stepsOf says how long the systems were trained on a task: as long as MEMO, unless a
// system is named.
func stepsOf(t *testing.T, runs []recordedRun, task, emn string) string {
	t.Helper()
	most := steps(compared(t, runs, task, "memo"))
	text := most
	for _, m := range [][2]string{{emn, "EMN"}, {"dnc", "DNC"}, {"ut", "UT"}} {
		if s := steps(compared(t, runs, task, m[0])); s != most {
			text += ", " + m[1] + " " + s
		}
	}
	return text
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
