package figure

import (
	"fmt"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/report/results"
	"memobench/report/table"
)

// shifted is a fake evaluation on another number of sequences.
func shifted(model string, sequences, hops, right int) results.Run {
	r := &record.Record{Identity: record.Identity{Task: "pai3", Label: model, Title: model, Model: model}, Origin: record.Evaluated,
		Dataset: record.Dataset{Hash: fmt.Sprint(sequences), Presentation: record.Presentation{Chance: 50}},
		Shift: &record.Shift{Setting: "sequences", Trained: "16", Evaluated: fmt.Sprint(sequences), Rows: float64(2 * sequences),
			Operations: new(1e6 * float64(sequences*len(model)))},
		Evaluation: record.Evaluation{Split: "test", Kinds: []record.Kind{{Name: "A-B", Total: 100, Correct: 100}, {Name: "A-C", Total: 100, Correct: right}}}}
	if hops > 0 {
		r.Shift.Hops = &record.HopsShift{Setting: "hops", Trained: 3, Evaluated: hops}
	}
	return results.Run{Path: fmt.Sprintf("%s/%d/%d", model, sequences, hops), Record: r}
}

// One figure for a setting with a panel for each model that has several numbers of hops,
// and one each of all settings by memory rows and by operations; a single value is no line.
func TestGeneralizationIsDrawnByValueRowsAndOperations(t *testing.T) {
	var runs []results.Run
	for _, sequences := range []int{16, 64, 256} {
		runs = append(runs, shifted("memo", sequences, 0, 99), shifted("memo", sequences, 8, 90), shifted("emn", sequences, 0, 50))
	}
	one := shifted("ut", 4, 0, 50)
	one.Record.Shift.Setting = "length"
	figures := Generalization(table.ShiftedGroups(append(runs, one)))
	want := map[string][]string{
		"figure-generalization-pai3-sequences": {"pai3, sequences from 16: hardest", "memo: hardest, by number of hops"},
		"figure-generalization-slots":          {"pai3, sequences from 16: hardest", "memo: hardest, by number of hops"},
		"figure-generalization-cost":           {"pai3, sequences from 16: hardest", "memo: hardest, by number of hops"},
	}
	if len(figures) != len(want) {
		t.Fatalf("%d figures", len(figures))
	}
	for _, f := range figures {
		var titles []string
		for _, p := range f.panels {
			titles = append(titles, strings.ReplaceAll(p.Title.Text, "\n", " "))
		}
		if fmt.Sprint(titles) != fmt.Sprint(want[f.ID]) {
			t.Errorf("%s has the panels %q, want %q", f.ID, titles, want[f.ID])
		}
		low, high := f.panels[0].X.Min, f.panels[0].X.Max
		if f.ID == "figure-generalization-cost" && (low > 48e6 || high < 1024e6) {
			t.Errorf("operations from %g to %g", low, high)
		}
		svg, err := f.SVG()
		if err != nil || !strings.Contains(string(svg), ">emn</text>") || !strings.Contains(string(svg), ">8 hops</text>") || !strings.Contains(string(svg), ">guessing</text>") || !strings.Contains(string(svg), ">one seed</text>") || strings.Contains(string(svg), ">ut</text>") {
			t.Errorf("%s: %v", f.ID, err)
		}
	}
	if none := Generalization(nil); len(none) > 0 {
		t.Errorf("of nothing: %v", none)
	}
}
