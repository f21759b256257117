package table

import (
	"fmt"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
)

// onNode asks for the accuracy on a node of a shortest path, from 0; given says
// that the true node before it stands in the query. A path with one node between
// its ends is a question of one answer.
func onNode(node int, given bool) func(r *record.Record) (float64, bool) {
	metric := record.Accuracy
	if given {
		metric = record.GivenAccuracy
	}
	return func(r *record.Record) (float64, bool) {
		if len(r.Evaluation.Kinds) != 1 {
			return 0, false
		}
		if r.Evaluation.AnswerNames() == nil && node == 0 && !given {
			return metric.Value(r, 0)
		}
		return metric.OfAnswer(r, 0, node)
	}
}

// pathSpec is Table 2: shortest paths, by node.
func pathSpec() Spec {
	s := published(2, "Shortest paths: accuracy by node, %", "graph and node")
	s.Groups = groups(paperModels...)
	for _, task := range []string{"sp10-2-2", "sp20-3-3", "sp20-5-3"} {
		block := SpecBlock{Task: task, Name: strings.TrimPrefix(task, "sp")}
		for node := range 2 {
			name := fmt.Sprintf("node %d", node+1)
			if _, ok := paper.Lookup(2, task, task+"/"+name, "memo"); !ok {
				continue
			}
			questions := ask(2, task, task+"/"+name, 100, onNode(node, false), paperModels...)
			for i, q := range questions {
				own, split := paper.Lookup(8, task, task+"/"+name, q.System.Label)
				given, _ := paper.Lookup(8, task, task+"/"+name+" given", q.System.Label)
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

// pathGivenSpec is Table 8: the second node, given the true first one or asked
// with the model's own.
func pathGivenSpec() Spec {
	models := []System{paperModels[0], paperModels[3]}
	s := published(8, "Shortest paths: the second node, given the true first node or the model's own, accuracy, %", "graph and node")
	s.Groups = groups(models...)
	for _, task := range []string{"sp20-3-3", "sp20-5-3"} {
		block := SpecBlock{Task: task, Name: strings.TrimPrefix(task, "sp")}
		for _, row := range []struct {
			label, name string
			node        int
			given       bool
		}{
			{"node 1", "node 1", 0, false},
			{"node 2, true node 1 given", "node 2 given", 1, true},
			{"node 2, with its own node 1", "node 2", 1, false},
		} {
			questions := ask(8, task, task+"/"+row.name, 100, onNode(row.node, row.given), models...)
			if row.name == "node 2" {
				questions[1].Note = "The heading of this column says EMN; numbers and text are MEMO's."
			}
			block.Rows = append(block.Rows, SpecRow{Label: row.label, Questions: questions})
		}
		s.Blocks = append(s.Blocks, block)
	}
	return s
}
