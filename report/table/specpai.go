package table

import (
	"memobench/benchmarks/record"
	"memobench/report/paper"
)

// onKind asks for the accuracy on a kind of question, by its name.
func onKind(kind string) func(r *record.Record) (float64, bool) {
	return func(r *record.Record) (float64, bool) {
		for i, k := range r.Evaluation.Kinds {
			if paperRow(k.Name) == kind {
				return record.Accuracy.Value(r, i)
			}
		}
		return 0, false
	}
}

// ask makes the questions of a row, one a model: the same value of each, beside
// what the paper's table prints in its row of the given name. full is as in Cell.
func ask(number int, task, row string, full float64, value func(*record.Record) (float64, bool), models ...System) []Question {
	var list []Question
	for _, m := range models {
		q := Question{System: m, Value: value, Decimals: 1, Full: full}
		q.Paper, q.Published = paper.Lookup(number, task, row, m.Label)
		list = append(list, q)
	}
	return list
}

// groups is one group a model, with as many runs kept as the paper keeps.
func groups(models ...System) []SpecGroup {
	var list []SpecGroup
	for _, m := range models {
		list = append(list, SpecGroup{Title: m.Title, Keep: keptRuns(m.Label)})
	}
	return list
}

// lengths are the lengths of chains with their hardest query.
var lengths = []struct{ task, name, query string }{
	{"pai3", "3 items", "A-C"}, {"pai4", "4 items", "A-D"}, {"pai5", "5 items", "A-E"},
}

// hardestSpec is Table 1: the query with the longest inference, by length.
func hardestSpec() Spec {
	s := published(1, "Paired associative inference: accuracy on the hardest query of each length, %", "query")
	s.Groups = groups(paperModels...)
	for _, l := range lengths {
		s.Blocks = append(s.Blocks, SpecBlock{Task: l.task, Name: l.name, Rows: []SpecRow{{Label: l.query,
			Questions: contradicted(l.task, l.query, ask(1, l.task, l.task+"/"+l.query, 100, onKind(l.query), paperModels...))}}})
	}
	return s
}

// contradicted notes where Table 1 and the table of the length differ.
func contradicted(task, query string, list []Question) []Question {
	table, _ := paper.ForTask(task)
	for i, q := range list {
		if v, ok := paper.Lookup(table.Number, task, query, q.System.Label); ok && q.Published && v.Mean != q.Paper.Mean {
			list[i].Note = contradiction(table.Number, v)
		}
	}
	return list
}

// paiSpec is Tables 4, 5 and 6: chains of one length, by query.
func paiSpec(number int) Spec {
	table, _ := paper.ByNumber(number)
	s := published(number, "Paired associative inference, chains of "+table.Task[len("pai"):]+": accuracy by query, %", "query")
	s.Groups = groups(paperModels...)
	block := SpecBlock{Task: table.Task}
	for i, row := range table.Rows {
		questions := ask(number, table.Task, row.Name, 100, onKind(row.Name), paperModels...)
		if i == len(table.Rows)-1 { // the hardest query, which Table 1 repeats
			for j, q := range questions {
				if v, ok := paper.Lookup(1, table.Task, table.Task+"/"+row.Name, q.System.Label); ok && v.Mean != q.Paper.Mean {
					questions[j].Note = contradiction(1, v)
				}
			}
		}
		block.Rows = append(block.Rows, SpecRow{Label: queryLabel(row.Name), Questions: questions})
	}
	s.Blocks = []SpecBlock{block}
	return s
}
