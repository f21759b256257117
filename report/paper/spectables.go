package paper

import (
	"fmt"
	"strings"

	"memobench/benchmarks/record"
)

// onKind returns the accuracy on a kind of question.
func onKind(kind string) func(r *record.Record) (float64, bool) {
	return func(r *record.Record) (float64, bool) {
		for i, k := range r.Evaluation.Kinds {
			if rowName(k.Name) == kind {
				return record.Accuracy.Value(r, i)
			}
		}
		return 0, false
	}
}

// ask returns the questions of a row, one per model: the same value for each, with the
// numbers in the paper's row of the given name. full is as in Cell.
func ask(number int, task, row string, full float64, value func(*record.Record) (float64, bool), models ...System) []Question {
	var list []Question
	for _, m := range models {
		q := Question{System: m, Value: value, Decimals: 1, Full: full}
		q.Paper, q.Published = Lookup(number, task, row, m.Label)
		list = append(list, q)
	}
	return list
}

// groups returns one group per model, with as many selected runs as in the paper: five of
// MEMO, the best one of the others.
func groups(models ...System) []SpecGroup {
	var list []SpecGroup
	for _, m := range models {
		kept := 1
		if m.Label == "memo" {
			kept = 5
		}
		list = append(list, withPaper(m.Title, kept))
	}
	return list
}

// hardestSpec is Table 1: the query with the longest inference, by length.
func hardestSpec() Spec {
	s := fromTable(1, "Paired associative inference: accuracy on the hardest query of each length, %", "query")
	s.Groups = groups(paperModels...)
	for _, l := range lengths {
		table, _ := forTask(l.task)
		s.Blocks = append(s.Blocks, SpecBlock{Task: l.task, Name: l.name, Rows: []SpecRow{{Label: l.query,
			Questions: contradicted(table.Number, l.task, l.query, ask(1, l.task, l.task+"/"+l.query, 100, onKind(l.query), paperModels...))}}})
	}
	return s
}

// contradicted adds notes where another table has other numbers in a row.
func contradicted(number int, task, row string, list []Question) []Question {
	for i, q := range list {
		if v, ok := Lookup(number, task, row, q.System.Label); ok && q.Published && v.Mean != q.Paper.Mean {
			list[i].Note = contradiction(number, v)
		}
	}
	return list
}

// paiSpec is Tables 4, 5 and 6: chains of one length, by query.
func paiSpec(number int) Spec {
	table := byNumber(number)
	s := fromTable(number, "Paired associative inference, chains of "+table.Task[len("pai"):]+": accuracy by query, %", "query")
	s.Groups = groups(paperModels...)
	block := SpecBlock{Task: table.Task}
	for i, row := range table.Rows {
		questions := ask(number, table.Task, row.Name, 100, onKind(row.Name), paperModels...)
		if i == len(table.Rows)-1 { // the hardest query, which Table 1 repeats
			questions = contradicted(1, table.Task, table.Task+"/"+row.Name, questions)
		}
		block.Rows = append(block.Rows, SpecRow{Label: queryLabel(row.Name), Questions: questions})
	}
	s.Blocks = []SpecBlock{block}
	return s
}

// OnNode returns a metric on a node of a shortest path, from 0. A path with one node between
// its ends is a question of one answer.
func OnNode(m record.Metric, node int) func(*record.Record) (float64, bool) {
	return func(r *record.Record) (float64, bool) {
		if len(r.Evaluation.Kinds) != 1 {
			return 0, false
		}
		if r.Evaluation.AnswerNames() == nil && node == 0 {
			return m.Value(r, 0)
		}
		return m.OfAnswer(r, 0, node)
	}
}

// pathSpec is Table 2: shortest paths, by node.
func pathSpec() Spec {
	s := fromTable(2, "Shortest paths: accuracy by node, %", "graph and node")
	s.Groups = groups(paperModels...)
	for _, task := range []string{"sp10-2-2", "sp20-3-3", "sp20-5-3"} {
		block := SpecBlock{Task: task, Name: strings.TrimPrefix(task, "sp")}
		for node := range 2 {
			name := fmt.Sprintf("node %d", node+1)
			if _, ok := Lookup(2, task, task+"/"+name, "memo"); !ok {
				continue
			}
			questions := ask(2, task, task+"/"+name, 100, OnNode(record.Accuracy, node), paperModels...)
			for i, q := range questions {
				own, split := Lookup(8, task, task+"/"+name, q.System.Label)
				given, _ := Lookup(8, task, task+"/"+name+" given", q.System.Label)
				switch {
				case node == 0 || !q.Published:
				case !split:
					questions[i].Note = "The paper does not say whether the true node 1 was given."
				case distance(q.Paper, given) < distance(q.Paper, own):
					questions[i].Unlike = true
					questions[i].Note = fmt.Sprintf("The paper's %.2f is given the true node 1; ours is not. Its own without is %.2f (Table 8).", q.Paper.Mean, own.Mean)
				case q.Paper != own:
					questions[i].Note = contradiction(8, own)
				}
			}
			block.Rows = append(block.Rows, SpecRow{Label: name, Questions: questions})
		}
		s.Blocks = append(s.Blocks, block)
	}
	return s
}

// pathGivenSpec is Table 8: the second node, with teacher forcing or free running.
func pathGivenSpec() Spec {
	models := []System{paperModels[0], paperModels[3]}
	s := fromTable(8, "Shortest paths: the second node, given the true first node or the model's own, accuracy, %", "graph and node")
	s.Groups = groups(models...)
	for _, task := range []string{"sp20-3-3", "sp20-5-3"} {
		block := SpecBlock{Task: task, Name: strings.TrimPrefix(task, "sp")}
		for _, row := range []struct {
			label, name string
			metric      record.Metric
			node        int
		}{
			{"node 1", "node 1", record.Accuracy, 0},
			{"node 2, true node 1 given", "node 2 given", record.GivenAccuracy, 1},
			{"node 2, with its own node 1", "node 2", record.Accuracy, 1},
		} {
			questions := ask(8, task, task+"/"+row.name, 100, OnNode(row.metric, row.node), models...)
			if row.name == "node 2" {
				questions[1].Note = "The heading of this column says EMN; numbers and text are MEMO's."
			}
			block.Rows = append(block.Rows, SpecRow{Label: row.label, Questions: questions})
		}
		s.Blocks = append(s.Blocks, block)
	}
	return s
}
