package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/report/results"
)

// shifted returns a fake evaluation of a model on chains of another length, with the given
// numbers of right answers of 600 to direct queries, to A-C and to the last query.
func shifted(model string, seed uint64, length, hops int, right ...int) results.Run {
	kinds := []string{"A-B", "A-C", "A-D", "A-E"}[:length-1]
	r := fakeRun("pai3", model, seed, kinds, right...)
	rec := r.Record
	rec.Caveats = slices.Clone(rec.Dataset.Caveats)
	rec.Origin, rec.Dataset.Hash = record.Evaluated, fmt.Sprint("length ", length)
	rec.Shift = &record.Shift{Setting: "length", Trained: "3", Evaluated: fmt.Sprint(length), PerKind: 600, Rows: float64(16 * (length - 1))}
	if hops > 0 {
		rec.Shift.Hops = &record.HopsShift{Setting: "hops", Trained: 3, Evaluated: hops}
	}
	if length > 3 && model == "memo" {
		rec.Shift.Extended = []string{"Wh"}
	}
	r.Path = fmt.Sprintf("runs/%s-%d/length-%d-hops-%d/record.json", model, seed, length, hops)
	return r
}

// rowsOf returns the rows of a table as text.
func rowsOf(t *Table) []string {
	var list []string
	for _, s := range t.Sections {
		for _, r := range s.Rows {
			line := r.Label + ":"
			for _, c := range r.Cells {
				line += " " + c.String()
			}
			list = append(list, line)
		}
	}
	return list
}

// Rows are values of the setting, in order, by number of hops and by the number of facts;
// columns are models, over their seeds. No number of facts is left out.
func TestGeneralizationHasARowForEachValueHopsAndDepth(t *testing.T) {
	runs := []results.Run{
		shifted("memo", 0, 5, 8, 600, 594, 540, 480), shifted("memo", 0, 3, 0, 600, 594), shifted("memo", 1, 3, 0, 600, 588),
		shifted("memo", 0, 4, 0, 600, 594, 540), shifted("emn", 0, 4, 0, 594, 300, 300),
	}
	tables := Generalization(ShiftedGroups(runs))
	if len(tables) != 1 || tables[0].ID != "generalization-pai3-length" || tables[0].Validate() != nil {
		t.Fatalf("%d tables: %+v", len(tables), tables)
	}
	want := []string{
		"3, direct: 32 – 100.0 ± 0.0 (2)", "3, 2 facts: 32 – 98.5 ± 0.7 (2)",
		"4, direct: 48 99.0 (1) 100.0 (1)", "4, 2 facts: 48 50.0 (1) 99.0 (1)", "4, 3 facts: 48 50.0 (1) 90.0 (1)",
		"5, 8 hops, direct: 64 – 100.0 (1)", "5, 8 hops, 2 facts: 64 – 99.0 (1)", "5, 8 hops, 3 facts: 64 – 90.0 (1)", "5, 8 hops, 4 facts: 64 – 80.0 (1)",
	}
	if got := rowsOf(tables[0]); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	notes := strings.Join(append(tables[0].Notes, tables[0].Remarks...), "\n")
	for _, want := range []string{"seeds 0, 1.", "the weight Wh has been extended", "All numbers: class symbols", "pondering steps of the DNC"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in\n%s", want, notes)
		}
	}
}

// Weights with other settings or training budgets are no more seeds, other data and
// numbers of questions no more evaluations, and other protocols are in another table.
func TestShiftedEvaluationsOfOtherThingsAreNotAveraged(t *testing.T) {
	settings, steps, few, protocol := shifted("memo", 0, 3, 0, 300, 300), shifted("memo", 0, 3, 0, 240, 240), shifted("memo", 0, 3, 0, 180, 180), shifted("memo", 0, 3, 0, 120, 120)
	settings.Record.Model.Config = map[string]any{"width": 64.0}
	steps.Record.Protocol.Hash, steps.Record.Protocol.Values = "aa", record.Values{"batch_size": 64.0, "test_seed": 1.0, "steps": 5.0}
	few.Record.Shift.PerKind = 100
	protocol.Record.Protocol.Hash, protocol.Record.Protocol.Values = "bb", record.Values{"test_seed": 8.0}
	runs := []results.Run{shifted("memo", 0, 3, 0, 600, 600), settings, steps, few, protocol}
	for i := range runs {
		runs[i].Path = fmt.Sprintf("%d/%s", i, runs[i].Path)
	}
	tables := Generalization(ShiftedGroups(runs))
	if len(tables) != 2 || tables[1].ID != "generalization-pai3-length-2" || len(tables[1].Groups) != 2 {
		t.Fatalf("%d tables", len(tables))
	}
	var titles []string
	for _, g := range tables[0].Groups[1:] {
		titles = append(titles, g.Title)
	}
	if !slices.Equal(titles, []string{"MEMO", "MEMO (2)", "MEMO (3)"}) {
		t.Errorf("columns %q", titles)
	}
	if got := rowsOf(tables[0]); got[0] != "3, direct: 32 100.0 (1) 50.0 (1) 40.0 (1)" || got[2] != "3, 100 questions of data length 3, direct: 32 30.0 (1) – –" {
		t.Errorf("rows\n%s", strings.Join(got, "\n"))
	}
}
