package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
)

// graph is a shortest-path task of the paper's table 2.
type graph struct {
	task, title string
	nodes       int      // asked for
	wide        []string // settings of MEMO at the paper's width that solve it
}

var graphs = []graph{
	{"sp10-2-2", "10-2-2", 1, slices.Concat(heads(4, 512, 128, rate("1e-4")), larger(3000))},
	{"sp20-3-3", "20-3-3", 2, slices.Concat(heads(8, 512, 256, rate("1e-4")), larger(8000))},
	{"sp20-5-3", "20-5-3", 2, slices.Concat(heads(8, 512, 256, rate("1e-4")), larger(8000))},
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

// systemsOnNode are the cells of all systems on a node of the paths, from 0, each beside
// the paper's. The paper's number of EMN's second node is that of table 8: in table 2 EMN
// has been given the right first one.
func systemsOnNode(t *testing.T, runs []recordedRun, g graph, node int) (cells string) {
	t.Helper()
	for _, model := range []string{"memo", "emn", "dnc", "ut"} {
		row := fmt.Sprintf("%s/node %d", g.task, node+1)
		published := printed(2, g.task, row, model)
		if model == "emn" && node == 1 {
			published = printed(8, g.task, row, model)
		}
		cells += " | " + onNode(t, compared(t, runs, g.task, model), record.Accuracy, node) + " | " + published
	}
	return cells
}

// pathsTable is the paper's table 2.
func pathsTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| Graph, node | MEMO, paper's width | smaller | paper | EMN | paper | DNC | paper | UT | paper |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, g := range graphs {
		wide := pick(runs, g.task, "memo", g.wide...)
		if len(wide) == 0 {
			t.Errorf("MEMO at the paper's width on %s: no runs", g.task)
		}
		for node := range g.nodes {
			fmt.Fprintf(&b, "| %s, node %d | %s%s |\n", g.title, node+1, onNode(t, wide, record.Accuracy, node), systemsOnNode(t, runs, g, node))
		}
	}
	return b.String()
}

// pathSizesTable is MEMO on shortest paths by its size, learning rate and batches.
func pathSizesTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| Graph | Heads | Rate | Batches of | Steps | Node 1 | lowest loss | Node 2 | lowest loss |\n|---|---|---|---|---|---|---|---|---|\n")
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
		g := graphs[i]
		for _, overrides := range list {
			same := pick(runs, g.task, "memo", overrides...)
			if len(same) == 0 {
				t.Errorf("%s %v: no runs", g.task, overrides)
				continue
			}
			fmt.Fprintf(&b, "| %s | %s |", g.title, settingsOf(same[0]))
			for node := range 2 {
				fmt.Fprintf(&b, " %s | %s |", onNode(t, same, record.Accuracy, node), onNode(t, lowestLoss(same), record.Accuracy, node))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// settingsOf are the cells of pathSizesTable that say how a run was made.
func settingsOf(r recordedRun) string {
	c := r.Model.Config
	size := fmt.Sprintf("%v of %v", c["heads"], c["width"])
	if d, ok := c["dropout_attention"]; ok && d != 0.0 {
		size += fmt.Sprintf(", dropout %v", d)
	}
	eta := strings.Replace(fmt.Sprintf("%.0e", r.Model.Training["learning_rate"]), "e-0", "e-", 1)
	return fmt.Sprintf("%s | %s | %v | %s", size, eta, r.Protocol.Values["batch_size"], thousands(r.Training.Steps))
}

// lowestLoss is the run that the paper's rule for shortest paths keeps.
func lowestLoss(runs []recordedRun) []recordedRun {
	if len(runs) == 0 {
		return nil
	}
	return []recordedRun{slices.MinFunc(runs, func(a, b recordedRun) int { return cmp.Compare(*a.Training.Loss, *b.Training.Loss) })}
}

// pathDNCTable is the DNC on the smallest graph by its read heads and pondering steps.
func pathDNCTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| Graph | Read heads | Pondering steps | Node 1 |\n|---|---|---|---|\n")
	for _, overrides := range [][]string{
		nil,
		{"model.read_heads=1", "model.ponder=5"},
		{"model.read_heads=1", "model.ponder=1"},
	} {
		list := pick(runs, "sp10-2-2", "dnc", overrides...)
		if len(list) == 0 {
			t.Errorf("DNC on 10-2-2 %v: no runs", overrides)
			continue
		}
		c := list[0].Model.Config
		fmt.Fprintf(&b, "| 10-2-2 | %v | %v | %s |\n", c["read_heads"], c["ponder"], onNode(t, list, record.Accuracy, 0))
	}
	return b.String()
}
