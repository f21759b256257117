package doctables

import (
	"slices"
	"strconv"

	"memobench/benchmarks/record"
)

// controls is what can be answered without solving a task.
func controls(s *source) (rows [][]string) {
	general := []string{"majority", "control", "nearest-row"}
	add := func(title, dir string, value func(runs) string, models ...string) {
		row := []string{title}
		for _, m := range models {
			row = append(row, value(s.at(dir+"-"+m)))
		}
		for len(row) < 6 {
			row = append(row, "–")
		}
		rows = append(rows, row)
	}
	for _, x := range [][2]string{{"pai3", "A-C"}, {"pai4", "A-D"}, {"pai5", "A-E"}} {
		add("Chains of "+x[0][3:]+": "+x[1], "controls/"+x[0], func(list runs) string { return list.on(x[1]) }, general...)
	}
	for _, g := range graphs {
		for node := range g.nodes {
			add("Paths, "+g.title+": node "+strconv.Itoa(node+1), "controls/"+g.task,
				func(list runs) string { return list.node(record.Accuracy, node) }, slices.Concat(general, []string{"source-only", "destination-only"})...)
		}
	}
	add("bAbI, mean over 20 tasks", "babi/control", func(list runs) string {
		return list.of(func(r *record.Record) (float64, bool) { return record.Accuracy.Value(r, record.AllKinds) })
	}, general...)
	return rows
}
