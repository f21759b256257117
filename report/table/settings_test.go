package table

import (
	"strings"
	"testing"

	"memobench/report/reporttest/golden"
)

func TestSettingsStandBesideThePapers(t *testing.T) {
	preset := Preset{Name: "mine", Experiments: []Experiment{{Task: "pai3", Shape: map[string]int{"rows": 32, "row_width": 2},
		Models: []ModelSettings{{Model: "memo", Config: map[string]any{"width": 64, "embedding": 128, "hops": 3, "gamma": 0.85, "halt_learning_rate": 1e-3},
			Training: map[string]any{"learning_rate": 7e-4}, Sweep: map[string][]any{"hops": {20, 3, 5}}}}}}}
	tables := SettingsTables([]Preset{preset})
	if len(tables) != 6 || tables[0].ID != "table-11" || tables[5].ID != "table-16" {
		t.Fatalf("%d tables", len(tables))
	}
	for _, c := range []struct {
		table      int
		row, words string
		state      State
		marked     bool
	}{
		{11, "I, memory rows", "32", Text, false},
		{11, "S, words a row", "2", Text, true},
		{11, "d, width", "64", Text, true},
		{11, "d_c", "128", Text, false},
		{11, "d_a", "", Unknown, false},
		{11, "MLP_R, layers", "", Unknown, true},
		{12, "N, hops", "3, 5, 20", Text, false},
		{12, "gamma", "0.85", Text, true},
		{12, "learning rate of MEMO", "0.0007", Text, true},
		{11, "O, vocabulary", "", Unknown, true},
	} {
		table := tables[c.table-11]
		if err := table.Validate(); err != nil {
			t.Fatal(err)
		}
		got := at(t, table, "", c.row, "pai3", Setting)
		if got.State != c.state || got.Words != c.words || (len(got.Marks) > 0) != c.marked {
			t.Errorf("table %d, %s: %+v", c.table, c.row, got)
		}
		if other := at(t, table, "", c.row, "babi", Setting); other.State != Unknown {
			t.Errorf("table %d, %s: bAbI is not in the preset, and has %+v", c.table, c.row, other)
		}
	}
	for row, want := range map[string]string{"gamma": "One of those searched over.", "learning rate of halting": "None of those searched over."} {
		if got := notes(tables[1], at(t, tables[1], "", row, "pai3", Setting)); got != want {
			t.Errorf("table 12, %s: %q, want %q", row, got, want)
		}
	}
	var out strings.Builder
	if err := tables[1].Terminal(&out, Style{ASCII: true}); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "table12_ascii.txt", out.String())
}

// A preset that sets a value for some of the tasks alone has both in a table that
// holds for all.
func TestTwoValuesOfAPreset(t *testing.T) {
	of := func(task string, heads int) Experiment {
		return Experiment{Task: task, Models: []ModelSettings{{Model: "ut", Config: map[string]any{"heads": heads}}}}
	}
	fixed := SettingsTables([]Preset{{Name: "mine", Experiments: []Experiment{of("pai3", 8), of("babi", 4), of("pai9", 2)}}})[4]
	if c := at(t, fixed, "", "attention heads", "all tasks", Setting); c.Words != "8 or 4" || notes(fixed, c) != "Not as printed." {
		t.Errorf("%+v, %s", c, notes(fixed, c))
	}
}
