package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/paper"
	"memobench/report/reporttest/golden"
	"memobench/report/results"
)

// withProtocol returns a copy of a run with another protocol hash.
func withProtocol(r results.Run, hash string) results.Run {
	c := *r.Record
	c.Protocol.Hash = hash
	return results.Run{Path: strings.Replace(r.Path, "runs/", "runs/"+hash+"/", 1), Record: &c}
}

// curved gives a run a validation and a training loss.
func curved(r results.Run, loss float64) results.Run {
	r.Record.Curve = record.Curve{Points: 3, BestStep: 100, BestLoss: loss, SelectedLoss: &loss}
	r.Record.Training.Loss, r.Record.Training.SelectedStep = new(loss), 100
	return r
}

// others returns the table of the runs that are in none of the given tables.
func others(runs []results.Run, tables []*Table) *Table {
	_, others := results.Divide(runs)
	return Further(results.Deduplicate(runs), others, tables)
}

func specTable(t *testing.T, number int, runs []results.Run) *Table {
	t.Helper()
	for _, s := range paper.Specs() {
		if s.Number == number {
			table := Fill(&s, results.Deduplicate(runs))
			must.Do(t, table.Validate())
			return table
		}
	}
	t.Fatalf("no table %d", number)
	return nil
}

// at finds a cell by the prefixes of section, row and group, and the role.
func at(t *testing.T, table *Table, section, row, group string, role paper.Role) Cell {
	t.Helper()
	for _, s := range table.Sections {
		if !strings.HasPrefix(s.Title, section) {
			continue
		}
		for _, r := range s.Rows {
			i := 0
			for _, g := range table.Groups {
				for _, c := range g.Columns {
					if strings.HasPrefix(r.Label, row) && strings.HasPrefix(g.Title, group) && c.Role == role {
						return r.Cells[i]
					}
					i++
				}
			}
		}
	}
	t.Fatalf("%s: no cell %q, %q, %q, %v", table.Title, section, row, group, role)
	return Cell{}
}

// rows returns the rows of all sections.
func rows(table *Table) (list []Row) {
	for _, s := range table.Sections {
		list = append(list, s.Rows...)
	}
	return list
}

func notes(table *Table, c Cell) string {
	var list []string
	for _, m := range c.Marks {
		list = append(list, table.Notes[m-1])
	}
	return strings.Join(list, "\n")
}

func TestSpecTablesGolden(t *testing.T) {
	var out strings.Builder
	runs := slices.Concat(fakePAI(), fakePaths("sp20-3-3", false), fakeBabi())
	for _, s := range paper.Specs() {
		must.Do(t, Fill(&s, results.Deduplicate(runs)).Terminal(&out, Style{Width: 140}))
		out.WriteString("\n")
	}
	golden.Compare(t, "specs.txt", out.String())
}

// Every number of the paper's tables of results is in the table with that number, with and
// without runs.
func TestSpecsHaveEveryPublishedNumber(t *testing.T) {
	for _, runs := range [][]results.Run{nil, fakePAI()} {
		for _, p := range paper.Tables() {
			table := specTable(t, p.Number, runs)
			have := map[string]int{}
			var columns []Column
			for _, g := range table.Groups {
				columns = append(columns, g.Columns...)
			}
			for _, r := range rows(table) {
				for i, c := range r.Cells {
					if columns[i].Role == paper.Published && c.State == Number {
						have[fmt.Sprint(c.Mean, c.SD)]++
					}
				}
			}
			for _, r := range p.Rows {
				for _, v := range r.Values {
					if have[fmt.Sprint(v.Mean, v.SD)] == 0 {
						t.Errorf("table %d: %s: %v is not there", p.Number, r.Name, v)
					}
				}
			}
		}
	}
}

func TestACellHasMeanDeviationPaperAndDifference(t *testing.T) {
	table := specTable(t, 4, fakePAI())
	c := at(t, table, "", "A-C", "MEMO", paper.Measured)
	want := 100 * (591.0 + 592 + 593) / 3 / 600
	if c.State != Number || c.N != 3 || math.Abs(c.Mean-want) > 1e-9 || math.Abs(c.SD-100.0/600) > 1e-9 || len(c.Sources) != 3 {
		t.Errorf("%+v, want mean %v of 3", c, want)
	}
	if p := at(t, table, "", "A-C", "MEMO", paper.Published); p.Mean != 98.26 || p.SD != 0.67 {
		t.Errorf("paper: %+v", p)
	}
	if d := at(t, table, "", "A-C", "MEMO", paper.LessPublished); math.Abs(d.Mean-(want-98.26)) > 1e-9 || !d.Signed {
		t.Errorf("difference: %+v", d)
	}
}

// If the paper gave the true first node and the table does not, a difference would compare
// two questions.
func TestNoDifferenceOfUnlikeNumbers(t *testing.T) {
	table := specTable(t, 2, fakePaths("sp20-3-3", false))
	for group, want := range map[string]state{"EMN": Blank, "MEMO": Number} {
		if c := at(t, table, "20-3-3", "node 2", group, paper.LessPublished); c.State != want {
			t.Errorf("%s: %+v", group, c)
		}
	}
}

func TestAnEmptyCellNamesItsCommand(t *testing.T) {
	runs := fakeBabi()
	for _, r := range runs {
		r.Record.Dataset.Settings = map[string]string{"source": "simulated"}
		r.Record.Dataset.Caveats = record.Caveats{{Kind: record.SimulatedData, Text: "simulated stories", Brief: "simulated"}}
		present(r.Record)
	}
	table := specTable(t, 3, runs)
	c := at(t, table, "", "mean error", "UT", paper.Measured)
	if want := "memobench train --model ut --task babi --preset quick --data simulated"; c.State != Missing || c.Fill != want || !strings.Contains(notes(table, c), want) {
		t.Errorf("%+v, %s", c, notes(table, c))
	}
	for _, s := range paper.Specs() {
		for _, r := range rows(Fill(&s, nil)) {
			if c := r.Cells[0]; c.State != Missing || !strings.HasPrefix(c.Fill, "memobench train --model ") {
				t.Errorf("table %d, %s: %+v", s.Number, r.Label, c)
			}
		}
	}
}

func TestAblationsAreFoundByTheirConfiguration(t *testing.T) {
	var runs []results.Run
	for i, c := range []map[string]any{
		{"memory": "summed", "recurrent": false, "layer_norm": "head", "halting": "fixed"},
		{"memory": "summed", "recurrent": true, "layer_norm": "head", "halting": "fixed"},
		{"memory": "separate", "recurrent": false, "layer_norm": "head", "halting": "fixed"},
		{"memory": "separate", "recurrent": true, "layer_norm": "none", "halting": "fixed"},
		{"memory": "separate", "recurrent": true, "layer_norm": "head", "halting": "reinforce"},
		{"memory": "separate", "recurrent": true, "layer_norm": "head", "halting": "act"},
	} {
		r := fakeRun("pai3", "memo", 0, paiKinds, 600, 600, 60*(i+1))
		r.Record.Identity.Label = fmt.Sprintf("mine-%d", i)
		if i == 4 {
			r.Record.Identity.Label = "memo"
		}
		r.Record.Model.Config = c
		r.Path = fmt.Sprintf("runs/%d/record.json", i)
		runs = append(runs, r)
	}
	table := specTable(t, 7, runs)
	for label, want := range map[string]float64{
		"summed words, no": 10, "summed words, rec": 20, "separate words, no": 30, "separate words, rec": 50,
	} {
		if c := at(t, table, "", label, "A-C", paper.Measured); c.N != 1 || c.Mean != want {
			t.Errorf("%s: %+v, want %v of one run", label, c, want)
		}
	}
	// Of the others none is the paper's MEMO.
	if c := at(t, specTable(t, 4, runs), "", "A-C", "MEMO", paper.Measured); c.N != 1 || c.Mean != 50 {
		t.Errorf("table 4: %+v", c)
	}
	if f := others(runs, []*Table{table}); f == nil || len(f.Sections[0].Rows) != 2 {
		t.Errorf("no LayerNorm and ACT stand in no other table: %+v", f)
	}
}

// In tables of ablations MEMO has the settings of the ablations, whichever has more seeds or
// a lower loss, and runs of other models and conditions have no part in it.
func TestMEMOIsLikeItsAblations(t *testing.T) {
	const recurrent, memory = "recurrent", "memory"
	with := func(label string, seed uint64, heads float64, correct int, lacks string) results.Run {
		r := fakeRun("pai3", "memo", seed, paiKinds, 600, 600, correct)
		r.Record.Identity.Label = label
		config := map[string]any{memory: "separate", recurrent: true, "heads": heads}
		switch lacks {
		case recurrent:
			config[recurrent] = false
		case memory:
			config[memory] = "summed"
		}
		r.Record.Model.Config = config
		r.Path = fmt.Sprintf("runs/%s-%v-%d/record.json", label, heads, seed)
		return r
	}
	runs := []results.Run{
		with("memo-norec", 0, 8, 60, recurrent), with("memo-posenc", 0, 8, 120, memory),
		with("memo", 0, 8, 300, ""), with("memo", 0, 12, 600, ""), with("memo", 1, 12, 600, ""),
		withProtocol(with("memo", 0, 4, 540, ""), "ffff"),
	}
	runs[5].Record.Protocol.Values = record.Values{"test_seed": 2.} // other questions
	emn := fakeRun("pai3", "emn", 0, paiKinds, 600, 600, 600)
	emn.Record.Model.Config = map[string]any{"heads": 12.}
	table := specTable(t, 7, append(runs, emn))
	if c := at(t, table, "", "separate words, rec", "A-C", paper.Measured); c.N != 1 || c.Mean != 50 {
		t.Errorf("%+v, want 50 of the run with 8 heads", c)
	}
	if len(table.Sections) != 1 {
		t.Errorf("%d sections, want that with ablations", len(table.Sections))
	}
	if c := at(t, specTable(t, 7, runs[3:5]), "", "separate words, rec", "A-C", paper.Measured); c.N != 2 || c.Mean != 100 {
		t.Errorf("without ablations: %+v, want both runs", c)
	}
}

// A variant that has another network, too, says so, and a part with models of different
// steps says which has which.
func TestOtherNetworksAndStepsAreNamed(t *testing.T) {
	var runs []results.Run
	for i, label := range []string{"memo", "memo-reinforce", "emn"} {
		r := fakeRun("pai3", strings.TrimSuffix(label, "-reinforce"), 0, paiKinds, 600, 600, 500)
		r.Record.Identity.Label, r.Record.Identity.Title = label, strings.ToUpper(label)
		r.Record.Model.Config = map[string]any{"width": []float64{64, 32, 8}[i], "attention": []string{"mixed", "softmax", "softmax"}[i], "hops": 3.,
			"memory": "separate", "recurrent": true}
		r.Record.Training.Steps = []int{1000, 1000, 4000}[i]
		r.Path = fmt.Sprintf("runs/%s/record.json", label)
		runs = append(runs, r)
	}
	notes := strings.Join(specTable(t, 4, runs).Notes, "\n")
	for _, want := range []string{
		"MEMO-REINFORCE: attention=softmax width=32, but MEMO: attention=mixed width=64.",
		"trained for 1,000 to 4,000 steps of 64 (EMN: 4,000, others: 1,000)",
	} {
		if strings.Count(notes, want) != 1 {
			t.Errorf("not once %q in\n%s", want, notes)
		}
	}
	// Runs of systems that a table does not ask for have no part in it.
	if title := specTable(t, 7, runs).Sections[0].Title; title != "1,000 steps" {
		t.Errorf("table 7: %q, want MEMO's steps", title)
	}
	runs[1].Record.Model.Config = runs[0].Record.Model.Config
	if notes := strings.Join(specTable(t, 4, runs).Notes, "\n"); strings.Contains(notes, "but MEMO:") {
		t.Errorf("the same network:\n%s", notes)
	}
}

func TestContradictionsOfThePaperAreFootnotes(t *testing.T) {
	for _, c := range []struct {
		number             int
		row, group, expect string
	}{
		{1, "A-E", "DNC", "Table 6 has 48.79"}, {6, "A-E", "DNC", "Table 1 has 62.61"}, {5, "A-D", "EMN", "Table 1 has 48.66"},
		{2, "node 2", "MEMO", "Table 8 has 93.76(0.08)"}, {2, "node 2", "EMN", "given the true node 1"}, {7, "separate words, rec", "A-C", "Table 4 has 98.26(0.67)"},
		{8, "node 2, with", "MEMO", "heading of this column says EMN"}, {3, "mean error", "EMN", "each task alone"}, {10, "3 Three", "MEMO", "Below the 95 %"},
	} {
		table := specTable(t, c.number, nil)
		section := ""
		if c.number == 1 {
			section = "5 items"
		} else if c.number == 2 {
			section = "20-3-3"
		}
		if got := notes(table, at(t, table, section, c.row, c.group, paper.Published)); !strings.Contains(got, c.expect) {
			t.Errorf("table %d, %s, %s: %q, want %q", c.number, c.row, c.group, got, c.expect)
		}
	}
}

func TestEverySetupSaysItsSteps(t *testing.T) {
	for task, want := range map[string]string{"pai3": "(paper: not stated)", "sp20-3-3": "(paper: 2,000,000)"} {
		r := fakeRun(task, "memo", 0, []string{"A-B"}, 1)
		if got := Setups([]results.Run{r})[0].Note(); !strings.Contains(got, "1,000 steps "+want) {
			t.Errorf("%s: %s", task, got)
		}
	}
}

func TestSettingsStandBesideThePapers(t *testing.T) {
	preset := Preset{Name: "mine", Experiments: []Experiment{{Task: "pai3", Shape: map[string]int{"rows": 32, "row_width": 2},
		Models: []ModelSettings{{Model: "memo", Sweep: map[string][]any{"hops": {20, 3, 5}}, PresetModel: results.PresetModel{
			Config:   map[string]any{"width": 64, "embedding": 128, "hops": 3, "halting": "reinforce", "gamma": 0.85, "halt_learning_rate": 1e-3},
			Training: map[string]any{"learning_rate": 7e-4}}}}}}}
	tables := SettingsTables([]Preset{preset})
	if len(tables) != 6 || tables[0].ID != "table-11" || tables[5].ID != "table-16" {
		t.Fatalf("%d tables", len(tables))
	}
	for _, c := range []struct {
		table      int
		row, words string
		state      state
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
		must.Do(t, table.Validate())
		got := at(t, table, "", c.row, "pai3", paper.Setting)
		if got.State != c.state || got.Words != c.words || (len(got.Marks) > 0) != c.marked {
			t.Errorf("table %d, %s: %+v", c.table, c.row, got)
		}
		if other := at(t, table, "", c.row, "babi", paper.Setting); other.State != Unknown {
			t.Errorf("table %d, %s: bAbI is not in the preset, and has %+v", c.table, c.row, other)
		}
	}
	for row, want := range map[string]string{"gamma": "Among those searched over.", "learning rate of halting": "Not among those searched over."} {
		if got := notes(tables[1], at(t, tables[1], "", row, "pai3", paper.Setting)); got != want {
			t.Errorf("table 12, %s: %q, want %q", row, got, want)
		}
	}
	var out strings.Builder
	must.Do(t, tables[1].Terminal(&out, Style{ASCII: true}))
	golden.Compare(t, "table12_ascii.txt", out.String())
}

// If a preset sets a value only for some tasks, a table for all tasks has both values.
func TestTwoValuesOfAPreset(t *testing.T) {
	of := func(task string, heads int) Experiment {
		return Experiment{Task: task, Models: []ModelSettings{{Model: "ut", PresetModel: results.PresetModel{Config: map[string]any{"heads": heads}}}}}
	}
	fixed := SettingsTables([]Preset{{Name: "mine", Experiments: []Experiment{of("pai3", 8), of("babi", 4), of("pai9", 2)}}})[4]
	if c := at(t, fixed, "", "attention heads", "all tasks", paper.Setting); c.Words != "8 or 4" || notes(fixed, c) != "Not as printed: 4." {
		t.Errorf("%+v, %s", c, notes(fixed, c))
	}
}
