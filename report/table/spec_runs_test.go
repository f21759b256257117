package table

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

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
	if further == nil || !strings.Contains(further.Sections[0].Title, "hops=9") {
		t.Fatalf("the changed preset's run stands nowhere: %+v", further)
	}
}

// A changed preset is in the paper's table where nothing else fills a cell.
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

// What is changed in MEMO is of its variants too, and of no other model: those have
// a part of their own.
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

// Models with other numbers of steps share a section, in which the one with fewer says so;
// a second number of steps of one model is no second section.
func TestBudgetsShareASection(t *testing.T) {
	steps := func(r results.Run, n int, hash string) results.Run {
		r.Record.Protocol = record.Protocol{Hash: hash, Values: record.Values{"steps": float64(n), "batch_size": 64.}}
		r.Record.Caveats = record.Caveats{{Kind: record.OtherSteps, Text: Thousands(n) + " steps (paper: not stated)"}}
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
	if table := specTable(t, 4, []results.Run{emn, other}); len(table.Sections) != 2 {
		t.Errorf("batches of another size share a section: %+v", table.Sections)
	}
}

// Leave to take substitute data makes no setup of its own: the labels of the data
// say that they were taken, and the command that fills a cell gives the leave.
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

// The paper's rule keeps runs by their loss. The accuracy decides nothing, and the
// headline is the mean over all.
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
	// A run that diverged has no loss: it comes last, and counts as 0.
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
