package paper

import (
	"fmt"
	"strconv"

	"memobench/benchmarks/record"
)

// OwnSpecs lists our own tables, on questions that the paper leaves open.
func OwnSpecs() []Spec { return []Spec{orderSpec(), haltingSpec(), targetsSpec(), controlsSpec()} }

// with selects the runs whose data have two settings.
func with(a, valueA, b, valueB string) func(*record.Record) bool {
	return func(r *record.Record) bool {
		return r.Dataset.Settings[a] == valueA && r.Dataset.Settings[b] == valueB
	}
}

// changed lists a setting that differs from the presets', in the form of --set.
func changed(key, value, usual string) []string {
	if value == usual {
		return nil
	}
	return []string{"task." + key + "=" + value}
}

// startedWith returns MEMO whose W_h has a kind, with any way of halting except ACT.
func startedWith(label, title, kind string) System {
	whole := theModel("memo", "MEMO")
	return System{Label: label, Title: title, Is: func(r *record.Record) bool {
		return r.Model.Config["wh"] == kind && (whole.Is(r) || r.Identity.Label == "memo-nowh" || r.Identity.Label == "memo-randwh")
	}}
}

// severalHeads reports whether a network has more than one attention head.
func severalHeads(r *record.Record) bool {
	heads, _ := r.Model.Config["heads"].(float64)
	return heads > 1
}

// orderSpec is Table A: paired associative inference by the order of rows, which W_h can
// learn if it is the same in every example, and by the order of the two items of a row,
// which word positions reveal.
func orderSpec() Spec {
	s := Spec{Letter: "A", Title: "Paired associative inference, chains of 3, by the order of rows and items: accuracy, %", Corner: "system",
		Remarks: []string{
			"The paper states neither order. rows: shuffled anew in every example, or in the order in which the chains were made, one pair after the other. " +
				"items: the two of a row in the order of the chain (A before B), or in random order.",
			"W_h mixes the logits of memory rows by their places (equation 11). It starts as the identity, or at random, or is left out.",
		}}
	kinds := []string{"A-B", "B-C", "A-C"}
	for _, k := range kinds {
		s.Groups = append(s.Groups, measuredAlone(queryLabel(k)))
	}
	var rows []SpecRow
	add := func(optional bool, systems ...System) {
		for _, m := range systems {
			row := SpecRow{Label: m.Title, Optional: optional}
			m.Note = nil
			for _, k := range kinds {
				row.Questions = append(row.Questions, Question{System: m, Value: onKind(k), Decimals: 1, Full: 100})
			}
			rows = append(rows, row)
		}
	}
	add(false, startedWith("memo", "MEMO, W_h from the identity", "identity"))
	oneHead, several := startedWith("memo-nowh", "MEMO, no W_h", "none"), startedWith("memo", "MEMO, no W_h, several heads", "none")
	both := oneHead.Is
	oneHead.Is = func(r *record.Record) bool { return both(r) && !severalHeads(r) }
	several.Is = func(r *record.Record) bool { return both(r) && severalHeads(r) }
	add(false, oneHead)
	add(true, several)
	add(true, startedWith("memo-randwh", "MEMO, W_h from random", "random"))
	add(true, paperModels[:3]...)
	for _, order := range []string{"shuffled", "generation"} {
		for _, items := range []string{"sequence", "random"} {
			s.Blocks = append(s.Blocks, SpecBlock{Task: "pai3", Name: fmt.Sprintf("rows %s, items %s", order, items), Rows: rows,
				Where: with("rows", order, "items", items),
				Set:   append(changed("rows", order, "shuffled"), changed("items", items, "sequence")...)})
		}
	}
	return s
}

// Ceilings are the best possible accuracies, in per cent, on each node of a shortest path
// if the target is drawn uniformly among several shortest paths: that of naming the node
// that most of them share, averaged over questions. Package datasets/shortestpath
// documents them and tests them on 6,000 questions per size.
var Ceilings = map[string][]float64{"sp10-2-2": {93.4}, "sp20-3-3": {89.8, 91.2}, "sp20-5-3": {75.5, 78.9}}

// targetsSpec is Table C: shortest paths by whether the target is the only shortest path,
// and whether nodes have the same names in every graph.
func targetsSpec() Spec {
	s := Spec{Letter: "C", Title: "Shortest paths by targets and names of nodes: accuracy by node, %", Corner: "system and node",
		Groups: []SpecGroup{measuredAlone("target"), measuredAlone("any shortest path"), settingAlone("ceiling of target")},
		Remarks: []string{
			"targets unique: only pairs with a single shortest path are asked for. targets random: any pair, and of several shortest paths a random one is the target. " +
				"target: the drawn node alone counts; any shortest path: every node that one of them has there, which is the same where targets are unique.",
			"ceiling of target: what naming the node that most of the shortest paths take would reach, over 6,000 questions; no model can know which was drawn.",
			"labels ids: nodes have the same names, 0 to N-1, in every graph; labels random: names are drawn anew for each graph.",
		}}
	for _, kind := range []struct{ targets, labels string }{{"unique", "ids"}, {"random", "ids"}, {"unique", "random"}, {"random", "random"}} {
		for _, task := range []string{"sp10-2-2", "sp20-3-3", "sp20-5-3"} {
			block := SpecBlock{Task: task, Name: fmt.Sprintf("%s, targets %s, labels %s", task[len("sp"):], kind.targets, kind.labels),
				Where:    with("targets", kind.targets, "labels", kind.labels),
				Set:      append(changed("targets", kind.targets, "unique"), changed("labels", kind.labels, "ids")...),
				Optional: kind.targets == "random" && kind.labels == "random"}
			for i := range paperModels {
				m := paperModels[len(paperModels)-1-i]
				m.Note = nil
				for node, ceiling := range Ceilings[task] {
					if kind.targets == "unique" {
						ceiling = 100
					}
					block.Rows = append(block.Rows, SpecRow{Label: m.Title + ", node " + strconv.Itoa(node+1), Optional: i > 0, Questions: []Question{
						{System: m, Value: OnNode(record.Accuracy, node), Decimals: 1, Full: 100},
						{System: m, Value: OnNode(record.TolerantAccuracy, node), Decimals: 1, Full: 100},
						{System: m, Value: OnNode(record.Accuracy, node), Known: &ceiling, Decimals: 1},
					}})
				}
			}
			s.Blocks = append(s.Blocks, block)
		}
	}
	return s
}

// controls are the models that answer from a part of a question, by label.
var controls = []struct {
	label, title string
	paths        bool // on graphs alone
}{
	{"majority", "Majority answer", false}, {"control", "Question only", false}, {"nearest-row", "Nearest row", false},
	{"source-only", "Source only", true}, {"destination-only", "Destination only", true},
}

// Control is the model of the shortcut controls, which are no networks.
const Control = "control"

// IsControl reports whether a run is of a shortcut control.
func IsControl(r *record.Record) bool { return r.Identity.Model == Control }

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
		for node := range Ceilings[task] {
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
