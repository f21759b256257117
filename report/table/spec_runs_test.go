package table

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// Runs under different protocols, on different data or with a changed preset are
// never averaged.
func TestSetupsAreNeverMixed(t *testing.T) {
	runs := fakePAI()
	other := withProtocol(fakeRun("pai3", "memo", 4, paiKinds, 300, 300, 300), "ffff")
	other.Record.Protocol.Values = record.Values{"batch_size": 8.}
	data := fakeRun("pai3", "memo", 5, paiKinds, 200, 200, 200)
	data.Record.Dataset.Hash = "dd"
	changed := fakeRun("pai3", "memo", 6, paiKinds, 100, 100, 100)
	changed.Record.Identity.Overrides = []string{"model.hops=9"}
	changed.Record.Model.Config = map[string]any{"hops": 9.}
	table := specTable(t, 4, append(runs, other, data, changed))
	if n := len(table.Sections); n != 3 {
		t.Errorf("%d sections, want one for each of three setups with the preset as it is", n)
	}
	for _, s := range table.Sections {
		protocols, seeds := map[string]bool{}, map[uint64]bool{}
		for _, r := range s.Rows {
			for _, c := range r.Cells {
				for _, x := range c.Sources {
					protocols[x.Path[:strings.LastIndex(x.Path, "/")]] = true
					seeds[x.Seed] = true
				}
			}
		}
		if seeds[6] || seeds[4] && len(seeds) > 1 || seeds[5] && len(seeds) > 1 {
			t.Errorf("section %q has the seeds %v", s.Title, slices.Collect(maps.Keys(seeds)))
		}
	}
	further := others(append(runs, other, data, changed), []*Table{table})
	if further == nil || further.Sections[0].Rows[0].Label != "MEMO: hops=9" {
		t.Fatalf("the changed preset's run is nowhere: %+v", further)
	}
}

// A changed preset is in the paper's table if nothing else fills a cell.
func TestAChangedPresetFillsWhatIsEmpty(t *testing.T) {
	changed := fakeRun("pai4", "memo", 0, []string{"A-B", "A-D"}, 600, 500)
	changed.Record.Identity.Overrides = []string{"protocol.steps=50"}
	changed.Record.Caveats = record.Caveats{{Kind: "changed-settings", Text: "changed from the preset: protocol.steps=50"}}
	table := specTable(t, 1, []results.Run{changed})
	c := at(t, table, "4 items", "A-D", "MEMO", paper.Measured)
	if c.State != Number || !strings.Contains(strings.Join(table.Notes, "\n"), "hanged from the preset: protocol.steps=50") {
		t.Errorf("%+v; notes %q", c, table.Notes)
	}
	if e := at(t, table, "4 items", "A-D", "EMN", paper.Measured); e.State != Missing || !strings.HasSuffix(e.Fill, "--model emn --task pai4 --preset quick --set protocol.steps=50") {
		t.Errorf("an empty cell of a changed preset: %+v", e)
	}
}

// Changed settings of MEMO apply to its variants, too, but not to other models, which have
// a separate part.
func TestChangedSettingsOfAModelAreItsAlone(t *testing.T) {
	changed := fakeRun("pai3", "memo", 0, paiKinds, 600, 500, 400)
	changed.Record.Identity.Overrides = []string{"training.learning_rate=2e-4"}
	changed.Record.Model.Config = map[string]any{"memory": "separate", "recurrent": true, "layer_norm": "head", "halting": "fixed"}
	changed.Record.Caveats = record.Caveats{{Kind: "changed-settings", Text: "changed from the preset: training.learning_rate=2e-4"}}
	variants := specTable(t, 7, []results.Run{changed})
	c := at(t, variants, "", "summed words, no", "A-C", paper.Measured)
	if want := "--model memo-posenc-norec --task pai3 --preset quick --set training.learning_rate=2e-4"; c.State != Missing || !strings.HasSuffix(c.Fill, want) {
		t.Errorf("a variant: %+v, want %s", c, want)
	}
	alone := specTable(t, 4, []results.Run{changed})
	if c := at(t, alone, "", "A-C", "EMN", paper.Measured); c.Fill != "memobench train --model emn --task pai3" || !strings.Contains(notes(alone, c), "part of its own") {
		t.Errorf("another model: %+v, %s", c, notes(alone, c))
	}
	emn := fakeRun("pai3", "emn", 0, paiKinds, 600, 500, 400)
	both := specTable(t, 4, []results.Run{changed, emn})
	if c := at(t, both, "1,000 steps", "A-C", "MEMO", paper.Measured); c.State != Number || !strings.Contains(notes(both, c), "learning_rate=2e-4") {
		t.Errorf("changed settings next to another model: %+v, %s", c, notes(both, c))
	}
	if variantOf("memory", "memo") || !variantOf("emn10", "emn") || !variantOf("memo-noln", "memo") {
		t.Error("variants are told by their labels")
	}
}

// Models with different numbers of steps share a section, in which the one with fewer has
// a footnote; a second number of steps of one model is no second section.
func TestBudgetsShareASection(t *testing.T) {
	steps := func(r results.Run, n int, hash string) results.Run {
		r.Record.Protocol = record.Protocol{Hash: hash, Values: record.Values{"steps": float64(n), "test_per_kind": 600.}}
		r.Record.Caveats = record.Caveats{{Kind: record.OtherSteps, Text: printable.Thousands(n) + " steps (paper: not stated)"}}
		return r
	}
	emn := steps(fakeRun("pai3", "emn", 0, paiKinds, 600, 500, 400), 2000, "a")
	memo := steps(fakeRun("pai3", "memo", 0, paiKinds, 600, 500, 400), 1000, "b")
	shorter := steps(fakeRun("pai3", "emn", 0, paiKinds, 600, 500, 300), 1000, "b")
	shorter.Path += "-shorter"
	table := specTable(t, 4, []results.Run{memo, emn, shorter})
	if len(table.Sections) != 1 || !strings.Contains(table.Sections[0].Title, "2,000 steps") {
		t.Fatalf("sections: %+v", table.Sections)
	}
	if c := at(t, table, "", "A-C", "EMN", paper.Measured); c.N != 1 || strings.Contains(notes(table, c), "1,000") {
		t.Errorf("EMN: %+v, %s", c, notes(table, c))
	}
	if c := at(t, table, "", "A-C", "MEMO", paper.Measured); !strings.Contains(notes(table, c), "1,000 steps") {
		t.Errorf("MEMO does not state its steps: %+v, %s", c, notes(table, c))
	}
	other := steps(fakeRun("pai3", "dnc", 0, paiKinds, 600, 500, 400), 2000, "c")
	other.Record.Protocol.Values["batch_size"] = 256.
	if table := specTable(t, 4, []results.Run{emn, other}); len(table.Sections) != 1 {
		t.Errorf("batches of another size have a section of their own: %+v", table.Sections)
	}
	other.Record.Protocol.Values["test_per_kind"] = 100.
	if table := specTable(t, 4, []results.Run{emn, other}); len(table.Sections) != 2 {
		t.Errorf("other questions share a section: %+v", table.Sections)
	}
}

// Permission to use substitute data makes no separate setup: the caveats of the data say
// that they were used, and the command that fills a cell gives the permission.
func TestSubstituteDataAreOneSetup(t *testing.T) {
	runs := fakeBabi()
	for i, r := range runs {
		r.Record.Dataset.Settings = nil
		r.Record.Protocol.Values = map[string]any{"settings": map[string]any{"substitute_task3": true}}
		if i == 0 {
			r.Record.Identity.Overrides = []string{"task.substitute_task3=true"}
		}
	}
	if n := len(Setups(runs)); n != 1 {
		t.Errorf("%d setups", n)
	}
	c := at(t, specTable(t, 3, runs), "", "mean error", "UT", paper.Measured)
	if want := "memobench train --model ut --task babi --preset quick --set substitute_task3=true --data DIR"; c.Fill != want {
		t.Errorf("%q, want %q", c.Fill, want)
	}
}

// The paper's rule selects runs by loss. Accuracy is not used, and the headline is the
// mean over all.
func TestTheBestRunIsThatOfTheLowestLoss(t *testing.T) {
	runs := []results.Run{
		curved(fakeRun("pai3", "emn", 0, paiKinds, 600, 600, 600), 0.5), // the most accurate
		curved(fakeRun("pai3", "emn", 1, paiKinds, 500, 500, 300), 0.1),
		curved(fakeRun("pai3", "emn", 2, paiKinds, 590, 590, 450), 0.3),
	}
	table := specTable(t, 4, runs)
	if c := at(t, table, "", "A-C", "EMN", paper.Selected); c.N != 1 || c.Mean != 50 {
		t.Errorf("best run: %+v, want that of seed 1", c)
	}
	if c := at(t, table, "", "A-C", "EMN", paper.Measured); c.N != 3 || c.Mean != 75 {
		t.Errorf("all seeds: %+v", c)
	}
	// A run that diverged has no loss: it is last, and counts as 0.
	runs[1].Record.Status, runs[1].Record.Training.DivergedAt = record.Diverged, 7
	for i := range runs[1].Record.Evaluation.Kinds {
		runs[1].Record.Evaluation.Kinds[i].Correct = 0
	}
	table = specTable(t, 4, runs)
	if c := at(t, table, "", "A-C", "EMN", paper.Selected); c.Mean != 75 {
		t.Errorf("best run: %+v, want that of seed 2", c)
	}
	c := at(t, table, "", "A-C", "EMN", paper.Measured)
	if c.N != 3 || math.Abs(c.Mean-(100+0+75)/3.0) > 1e-9 || !strings.Contains(notes(table, c), "1 of 3 runs diverged, counted as 0 (seed 1 at step 7)") {
		t.Errorf("all seeds: %+v, %s", c, notes(table, c))
	}
}

// Shortest paths are chosen by training loss, as in the paper.
func TestPathsAreChosenByTrainingLoss(t *testing.T) {
	runs := fakePaths("sp20-3-3", false)
	var memo []results.Run
	for _, r := range runs {
		if r.Record.Identity.Model == "emn" {
			memo = append(memo, r)
		}
	}
	for i, r := range memo {
		curved(r, float64(i+1))
		r.Record.Training.Loss = new(float64(-i))
	}
	table := specTable(t, 2, memo)
	c := at(t, table, "20-3-3", "node 1", "EMN", paper.Selected)
	if len(c.Sources) != 1 || c.Sources[0].Seed != memo[len(memo)-1].Record.Identity.Seed {
		t.Errorf("best run: %+v", c.Sources)
	}
}

func TestTwoVariantsOfAModelHaveColumnsOfTheirOwn(t *testing.T) {
	four, ten := fakeRun("pai3", "emn", 0, paiKinds, 1, 2, 3), fakeRun("pai3", "emn", 0, paiKinds, 4, 5, 6)
	four.Record.Identity.Label, four.Record.Identity.Title = "emn4", "EMN, 4 hops"
	ten.Record.Identity.Label, ten.Record.Identity.Title = "emn10", "EMN, 10 hops"
	table := specTable(t, 4, []results.Run{ten, four})
	var titles []string
	for _, g := range table.Groups {
		titles = append(titles, g.Title)
	}
	if got := strings.Join(titles, "; "); got != "EMN, 4 hops; EMN, 10 hops; DNC; UT; MEMO" {
		t.Errorf("groups: %s", got)
	}
	if c := at(t, table, "", "A-C", "EMN, 10", paper.Measured); c.N != 1 || c.Mean != 1 {
		t.Errorf("%+v", c)
	}
}

// Of several settings of a model the paper's tables have those with most seeds and, of
// these, the lowest loss, whichever is the preset's.
func TestOneSettingOfAModelIsInTheTables(t *testing.T) {
	with := func(seed uint64, rate, loss float64, correct int) results.Run {
		r := fakeRun("pai3", "memo", seed, paiKinds, correct, correct, correct)
		r.Path += fmt.Sprint(rate)
		r.Record.Curve.Points, r.Record.Curve.SelectedLoss = 1, &loss
		r.Record.Model.Config = map[string]any{"rate": rate}
		if rate != 1 {
			r.Record.Identity.Overrides = []string{fmt.Sprintf("model.rate=%g", rate)}
		}
		return r
	}
	preset := []results.Run{with(0, 1, 0.5, 300), with(1, 1, 0.6, 300)}
	better := []results.Run{with(0, 2, 0.2, 400), with(1, 2, 0.9, 400)}
	lucky := []results.Run{with(0, 3, 0.1, 600)}
	again := []results.Run{with(0, 3, 0.1, 600), with(0, 3, 0.1, 590), with(0, 3, 0.1, 580)} // by other builds
	for i := range again {
		again[i].Path += fmt.Sprint("-build", i)
	}
	for _, c := range []struct {
		runs []results.Run
		want float64
	}{
		{slices.Concat(preset, better, lucky), 50}, // mean losses 0.55 to 0.55: the first
		{slices.Concat(preset, []results.Run{better[0], with(1, 2, 0.8, 400)}, lucky), 100 * 400. / 600},
		{slices.Concat(preset[:1], better[1:], lucky), 100},
		{slices.Concat(preset[:1], better, again), 100 * 400. / 600}, // one seed, run three times
	} {
		cell := at(t, specTable(t, 4, c.runs), "", "A-C", "MEMO", paper.Measured)
		if math.Abs(cell.Mean-c.want) > 1e-9 {
			t.Errorf("%.1f, want %.1f", cell.Mean, c.want)
		}
	}
}

// Further runs of one protocol are in one section, one row per setting, whose label names
// the changes that not all rows of the model have; a footnote has the others, and values
// too long for a label.
func TestFurtherRunsOfOneProtocolAreOneSection(t *testing.T) {
	var runs []results.Run
	for i, changes := range [][]string{{"model.hops=5", "training.learning_rate=1e-3"}, {"model.hops=5", "training.phases=[{steps: 1000, below: 58}]"}} {
		r := fakeRun("pai3", "memo", uint64(i), paiKinds, 300, 300, 300)
		r.Record.Identity.Overrides = append(changes, "task.classes=100")
		r.Record.Model.Config = map[string]any{"i": float64(i)}
		runs = append(runs, r)
	}
	further := others(runs, nil)
	if len(further.Sections) != 1 || !strings.HasSuffix(further.Sections[0].Title, ", classes=100") {
		t.Fatalf("%+v", further.Sections)
	}
	for i, want := range []struct{ label, note string }{
		{"MEMO: learning_rate=1e-3", "MEMO: changed from the preset: hops=5."},
		{"MEMO: phases", "MEMO: changed from the preset: hops=5 phases task.classes=100."},
	} {
		row := further.Sections[0].Rows[i]
		if marks := row.Cells[0].Marks; row.Label != want.label || len(marks) == 0 || further.Notes[marks[len(marks)-1]-1] != want.note {
			t.Errorf("row %+v, notes %q", row, further.Notes)
		}
	}
}
