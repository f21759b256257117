package table

import (
	"memobench/report/paper"
)

// The systems of Tables 7 and 9, by the rows of package paper.
var ablations = []struct {
	row    string
	system System
}{
	{"summed", ablation("memo-posenc-norec", "summed words, no recurrent attention", false, false, false)},
	{"summed, recurrent", ablation("memo-posenc", "summed words, recurrent attention", false, true, true)},
	{"separate", ablation("memo-norec", "separate words, no recurrent attention", true, false, false)},
	{"separate, recurrent, no LayerNorm", ablation("memo-noln", "separate words, recurrent attention, no LayerNorm", true, true, false)},
	{"separate, recurrent", ablation("memo", "separate words, recurrent attention (MEMO)", true, true, true)},
}

// paiAblationSpec is Table 7: what MEMO's parts do for A-C.
func paiAblationSpec() Spec {
	s := published(7, "MEMO without some of its parts: accuracy on A-C, chains of 3, %", "system")
	s.Groups = []SpecGroup{{Title: "A-C", Keep: 5}}
	block := SpecBlock{Task: "pai3"}
	for _, a := range ablations {
		v, ok := paper.Lookup(7, "pai3", a.row, "memo")
		if !ok { // without LayerNorm: of bAbI alone
			continue
		}
		q := Question{System: a.system, Value: onKind("A-C"), Decimals: 1, Full: 100, Paper: v, Published: true}
		if four, ok := paper.Lookup(4, "pai3", "A-C", "memo"); ok && a.system.Label == "memo" {
			q.Note = contradiction(4, four)
		}
		block.Rows = append(block.Rows, SpecRow{Label: a.system.Title, Questions: []Question{q}})
	}
	s.Blocks = []SpecBlock{block}
	return s
}

// babiAblationSpec is Table 9: what they do for bAbI.
func babiAblationSpec() Spec {
	s := published(9, "MEMO without some of its parts: bAbI, 20 tasks", "system")
	s.Groups = []SpecGroup{{Title: "tasks solved of 20", Keep: 1}, {Title: "mean error, %", Keep: 1}}
	block := SpecBlock{Task: "babi"}
	for _, a := range ablations {
		solved, _ := paper.Lookup(9, "babi", a.row+"/tasks solved", "memo")
		mean, ok := paper.Lookup(9, "babi", a.row+"/mean error", "memo")
		block.Rows = append(block.Rows, SpecRow{Label: a.system.Title, Questions: []Question{
			{System: a.system, Value: tasksSolved, Decimals: 1, Full: numBabi, Paper: solved, Published: ok},
			{System: a.system, Value: meanError, Decimals: 1, Paper: mean, Published: ok},
		}})
	}
	s.Blocks = []SpecBlock{block}
	return s
}
