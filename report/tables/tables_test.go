package tables

import (
	"os"
	"slices"
	"testing"

	"memobench/report/results"
	"memobench/report/table"
)

func TestFill(t *testing.T) {
	set, err := results.Read("../../benchmarks/recorded")
	if err != nil {
		t.Fatal(err)
	}
	var list []*table.Table
	for _, s := range slices.Concat(All(), table.ByShift(set.Runs), table.ByTask(set.Runs)) {
		filled, err := s.Fill(set.Runs)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, filled)
	}
	f, _ := os.Create("/tmp/new.json")
	if err := table.JSON(f, list); err != nil {
		t.Fatal(err)
	}
	g, _ := os.Create("/tmp/new.txt")
	for _, x := range list {
		if err := x.Text(g, table.Style{}); err != nil {
			t.Fatal(err)
		}
	}
}
