package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
)

// named are the settings of MEMO, each of whose heads can hold a name out of 1,000, on
// graphs whose nodes have such names.
var named = []string{"task.labels=random", "model.heads=4", "model.width=256", "model.embedding=128", "model.answer_width=256",
	"training.learning_rate=5e-4", "protocol.steps=12000", "protocol.evaluate_every=500"}

// named20 are the settings that were tried on graphs of 20 nodes with such names.
var named20 = slices.Concat([]string{"task.labels=random"}, heads(8, 128, 256, rate("2e-4")),
	[]string{"protocol.batch_size=256", "protocol.steps=8000", "protocol.evaluate_every=500"})

// pathVariantsTable is MEMO on shortest paths whose nodes have random names, or of
// which there are several.
func pathVariantsTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| Graph | Names of nodes | Shortest paths | Heads | Rate | Batches of | Steps | Node 1 | on any path | ceiling | Node 2 | on any path | ceiling |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	several := []string{"task.targets=random"}
	for _, v := range []struct {
		task, names, paths string
		ceilings           [2]string
		overrides          []string
	}{
		{"sp10-2-2", "random", "one", [2]string{"–", "–"}, named},
		{"sp20-3-3", "random", "one", [2]string{"–", "–"}, named20},
		{"sp10-2-2", "0 to 9", "several", [2]string{"93.4", "–"}, several},
		{"sp20-3-3", "0 to 19", "several", [2]string{"89.8", "91.2"}, several},
		{"sp20-5-3", "0 to 19", "several", [2]string{"75.5", "78.9"}, several},
		{"sp20-5-3", "0 to 19", "several", [2]string{"75.5", "78.9"}, slices.Concat(several, graphs[2].wide)},
	} {
		list := pick(runs, v.task, "memo", v.overrides...)
		if len(list) == 0 {
			t.Errorf("%s %v: no runs", v.task, v.overrides)
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |", strings.TrimPrefix(v.task, "sp"), v.names, v.paths, settingsOf(list[0]))
		for node := range 2 {
			fmt.Fprintf(&b, " %s | %s | %s |", onNode(t, list, record.Accuracy, node), onNode(t, list, record.TolerantAccuracy, node), v.ceilings[node])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// onNode is a metric of the nodes of paths, from 0; a dash where there is none. A path
// of one node is a question of one answer.
func onNode(t *testing.T, runs []recordedRun, m record.Metric, node int) string {
	t.Helper()
	var list []float64
	for _, r := range runs {
		v, ok := m.OfAnswer(r.Record, 0, node)
		if node == 0 && r.Evaluation.AnswerNames() == nil {
			v, ok = m.Value(r.Record, 0)
		}
		if ok {
			list = append(list, v)
		}
	}
	if len(list) != 0 && len(list) != len(runs) {
		t.Errorf("%d of %d runs have node %d", len(list), len(runs), node+1)
	}
	return spread(list)
}
