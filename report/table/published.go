package table

import (
	"fmt"

	"memobench/report/paper"
)

// published starts the Spec of a table that package paper holds.
func published(number int, title, corner string) Spec {
	table, _ := paper.ByNumber(number)
	return Spec{Number: number, Title: title, Corner: corner, Remarks: table.Remarks}
}

// contradiction says that another table of the paper prints another number.
func contradiction(table int, v paper.Value) string {
	text := fmt.Sprintf("%.*f", v.Digits, v.Mean)
	if v.HasSD {
		text += fmt.Sprintf("(%.*f)", v.Digits, v.SD)
	}
	return fmt.Sprintf("The paper contradicts itself: Table %d has %s.", table, text)
}
