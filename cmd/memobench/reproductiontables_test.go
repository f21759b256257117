package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestREADMEReproductionIsRecorded holds the README's tables at the paper's sizes
// against the recorded runs.
func TestREADMEReproductionIsRecorded(t *testing.T) {
	runs := reproduced(t)
	holdREADME(t, "table:pai", paiTable(t, runs))
	holdREADME(t, "table:paths", pathsTable(t, runs))
	holdREADME(t, "table:orders", ordersTable(t, runs))
	holdREADME(t, "table:hops", hopsTable(t, runs))
	holdREADME(t, "table:kinds", kindsTable(t, runs))
	holdREADME(t, "table:ablations", ablationsTable(t, runs))
	holdREADME(t, "table:path-hops", pathHopsTable(t, runs))
	holdREADME(t, "table:path-variants", pathVariantsTable(t, runs))
	holdREADME(t, "table:search", searchTable(t, runs))
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

// paiTable is the paper's tables 4 to 6, a line for each query; the paper's EMN stands
// behind ours of 4 hops.
func paiTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| Query | MEMO | paper | EMN, 10 hops | 4 hops | paper | DNC | paper | UT | paper |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for i, task := range []string{"pai3", "pai4", "pai5"} {
		kinds := [][]string{{"A-B", "B-C", "A-C"}, {"A-B", "B-C", "C-D", "A-C", "B-D", "A-D"},
			{"A-B", "B-C", "C-D", "D-E", "A-C", "B-D", "C-E", "A-D", "B-E", "A-E"}}[i]
		for _, kind := range kinds {
			line := fmt.Sprintf("| %d: %s", 3+i, kind)
			for _, m := range []struct{ label, published string }{{"memo", "memo"}, {"emn10", ""}, {"emn4", "emn"}, {"dnc", "dnc"}, {"ut", "ut"}} {
				line += " | " + on(t, pick(runs, task, m.label, shorter[[2]string{task, m.label}]...), kind)
				if m.published != "" {
					line += " | " + printed(4+i, task, kind, m.published)
				}
			}
			b.WriteString(line + " |\n")
		}
	}
	return b.String()
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

// pathsTable is the paper's table 2.
func pathsTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| Graph, node | MEMO | of these, lowest training loss | paper | EMN | paper | DNC | paper | UT | paper |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, g := range []struct {
		task      string
		nodes     int
		title     string
		overrides []string
	}{
		{"sp10-2-2", 1, "10-2-2", nil},
		{"sp10-2-2", 1, "10-2-2, 4 heads of 512, rate 5e-4, dropout", heads(4, 512, 128, dropout, rate("5e-4"))},
		{"sp10-2-2", 1, "10-2-2, 4 heads of 512, rate 1e-4", heads(4, 512, 128, rate("1e-4"))},
		{"sp10-2-2", 1, "10-2-2, batches of 256, 4 heads of 512, rate 1e-4", slices.Concat(heads(4, 512, 128, rate("1e-4")), larger(3000))},
		{"sp20-3-3", 2, "20-3-3", nil},
		{"sp20-3-3", 2, "20-3-3, batches of 256", larger(5000)},
		{"sp20-3-3", 2, "20-3-3, batches of 256, 8 heads of 128", slices.Concat(heads(8, 128, 256, rate("3e-4")), larger(5000))},
		{"sp20-3-3", 2, "20-3-3, batches of 256, 8 heads of 512, rate 1e-4", slices.Concat(heads(8, 512, 256, rate("1e-4")), larger(8000))},
		{"sp20-3-3", 2, "20-3-3, batches of 256, 8 heads of 512, rate 5e-4", slices.Concat(heads(8, 512, 256, rate("5e-4")), larger(4000))},
		{"sp20-3-3", 2, "20-3-3, 4 heads of 512, rate 5e-4, dropout", heads(4, 512, 256, dropout, rate("5e-4"))},
		{"sp20-3-3", 2, "20-3-3, 4 heads of 512, rate 1e-4", heads(4, 512, 256, rate("1e-4"))},
		{"sp20-5-3", 2, "20-5-3", nil},
		{"sp20-5-3", 2, "20-5-3, batches of 256", larger(5000)},
		{"sp20-5-3", 2, "20-5-3, batches of 256, 8 heads of 128", slices.Concat(heads(8, 128, 256, rate("3e-4")), larger(5000))},
		{"sp20-5-3", 2, "20-5-3, batches of 256, 8 heads of 512, rate 1e-4", slices.Concat(heads(8, 512, 256, rate("1e-4")), larger(8000))},
		{"sp20-5-3", 2, "20-5-3, the same, 6,000 steps instead of 8,000", slices.Concat(heads(8, 512, 256, rate("1e-4")), larger(6000))},
	} {
		for node := 1; node <= g.nodes; node++ {
			name := fmt.Sprintf("node %d", node)
			line := fmt.Sprintf("| %s, %s", g.title, name)
			for _, m := range []struct{ label, model string }{{"memo", "memo"}, {"emn", "emn"}, {"dnc", "dnc"}, {"ut", "ut"}} {
				overrides := g.overrides
				if overrides == nil {
					overrides = shorter[[2]string{g.task, m.label}]
				}
				list := pick(runs, g.task, m.label, overrides...)
				kind := name
				if g.nodes == 1 && len(list) > 0 { // the path is the node
					kind = list[0].Evaluation.Kinds[0].Name
				}
				line += " | " + on(t, list, kind)
				if m.label == "memo" {
					line += " | " + on(t, lowestLoss(list), kind)
				}
				published := printed(2, g.task, g.task+"/"+name, m.model)
				if m.model == "emn" && node == 2 { // Table 2 has it given the right first node
					published = printed(8, g.task, g.task+"/node 2", m.model)
				}
				line += " | " + published
			}
			b.WriteString(line + " |\n")
		}
	}
	return b.String()
}

// lowestLoss is the run that the paper's rule for shortest paths keeps.
func lowestLoss(runs []recordedRun) []recordedRun {
	if len(runs) == 0 {
		return nil
	}
	return []recordedRun{slices.MinFunc(runs, func(a, b recordedRun) int { return cmp.Compare(*a.Training.Loss, *b.Training.Loss) })}
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
