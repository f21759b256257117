package paper

import (
	"strconv"

	"memobench/benchmarks/record"
)

// controls are the models that answer from a part of a question, by label.
var controls = []struct {
	label, title string
	paths        bool // on graphs alone
}{
	{"majority", "Majority answer", false}, {"control", "Question only", false}, {"nearest-row", "Nearest row", false},
	{"source-only", "Source only", true}, {"destination-only", "Destination only", true},
}

// IsControl reports whether a run is of a shortcut control, which is no network.
func IsControl(r *record.Record) bool { return r.Identity.Model == "control" }

// controlsSpec is Table D: accuracies that are possible without solving the task.
func controlsSpec() Spec {
	s := Spec{Letter: "D", Title: "Shortcut controls: accuracy without a network, from a part of the question, %", Corner: "query",
		Remarks: []string{
			"Majority answer: the most frequent one. Question only: the query's words, each in its place. Nearest row: the row that shares most words with the query.",
			"Source only, destination only: the edges and one end of the path; no answer is right more often for who knows no more.",
			"A network at such a number may have learned the shortcut. For bAbI: mean over the 20 tasks.",
		}}
	for _, c := range controls {
		s.Groups = append(s.Groups, measuredAlone(c.title))
	}
	row := func(label string, path bool, value func(*record.Record) (float64, bool)) SpecRow {
		r := SpecRow{Label: label}
		for _, c := range controls {
			m := System{Label: c.label, Title: c.title, Is: func(r *record.Record) bool {
				return IsControl(r) && r.Identity.Label == c.label
			}}
			q := Question{System: m, Value: value, Decimals: 1, Full: 100}
			if c.paths && !path {
				q.Value = func(*record.Record) (float64, bool) { return 0, false }
			}
			r.Questions = append(r.Questions, q)
		}
		return r
	}
	for _, l := range lengths {
		s.Blocks = append(s.Blocks, SpecBlock{Task: l.task, Name: l.name, Optional: true, Rows: []SpecRow{
			row(queryLabel("A-B"), false, onKind("A-B")), row(queryLabel(l.query), false, onKind(l.query))}})
	}
	for _, task := range []string{"sp10-2-2", "sp20-3-3", "sp20-5-3"} {
		block := SpecBlock{Task: task, Name: task[len("sp"):], Optional: true, Where: with("targets", "unique", "labels", "ids")}
		for node := range ceilings[task] {
			block.Rows = append(block.Rows, row("node "+strconv.Itoa(node+1), true, OnNode(record.Accuracy, node)))
		}
		s.Blocks = append(s.Blocks, block)
	}
	s.Blocks = append(s.Blocks, SpecBlock{Task: "babi", Name: "bAbI", Optional: true, Rows: []SpecRow{row("mean accuracy", false, func(r *record.Record) (float64, bool) {
		e, ok := meanError(r)
		return 100 - e, ok
	})}})
	return s
}
