package table

import (
	"fmt"

	"memobench/benchmarks/record"
)

// startedWith is MEMO whose W_h is of a kind, however it halts but for ACT.
func startedWith(label, title, kind string) System {
	whole := theModel("memo", "MEMO")
	return System{Label: label, Title: title, Is: func(r *record.Record) bool {
		return r.Model.Config["wh"] == kind && (whole.Is(r) || r.Identity.Label == "memo-nowh" || r.Identity.Label == "memo-randwh")
	}}
}

// orderSpec is Table A: paired associative inference by the order of rows, which
// W_h can learn where it is the same in every example, and of the two items of a
// row, which the position of words gives away.
func orderSpec() Spec {
	s := Spec{Letter: "A", Title: "Paired associative inference, chains of 3, by the order of rows and items: accuracy, %", Corner: "system",
		Remarks: []string{
			"The paper states neither order. rows: shuffled anew in every example, or in the order in which the chains were made, one pair after the other. " +
				"items: the two of a row in the order of the chain (A before B), or in random order.",
			"W_h mixes the logits of memory rows by their places (equation 11). It starts as the identity, or at random, or is left out.",
		}}
	kinds := []string{"A-B", "B-C", "A-C"}
	for _, k := range kinds {
		s.Groups = append(s.Groups, SpecGroup{Title: queryLabel(k), Alone: true})
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
	add(false, startedWith("memo", "MEMO, W_h from the identity", "identity"), startedWith("memo-nowh", "MEMO, no W_h", "none"))
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
