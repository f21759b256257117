package table

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/paper"
	"memobench/report/results"
)

// elsewhere returns the run with a record in another directory.
func elsewhere(r results.Run) results.Run {
	copied := *r.Record
	return results.Run{Path: "elsewhere/" + r.Path, Record: &copied}
}

// A copy of a record is the same run. A record of the same configuration and seed with
// other results is another one, and neither of them is dropped: their seed counts once,
// with the mean of both.
func TestASeedCountsOnceWhateverIsRecordedOfIt(t *testing.T) {
	runs := fakePAI() // seeds 1 to 3 of EMN have 301 to 303 of 600 right in A-C
	copied := elsewhere(runs[0])
	if kept := results.Deduplicate(append(runs, copied)); len(kept) != len(runs) {
		t.Errorf("%d runs kept of %d", len(kept), len(runs))
	}
	table := specTable(t, 4, append(runs, copied))
	c := at(t, table, "", "A-C", "EMN", paper.Measured)
	if want := "1 (again in runs, with the same accuracies)"; c.N != 3 || len(c.Sources) != 3 || !strings.Contains(notes(table, c), want) {
		t.Errorf("%+v\n%s", c, notes(table, c))
	}

	other := fakeRun("pai3", "emn", 1, paiKinds, 590, 591, 361)
	other.Path, other.Record.Caveats = "elsewhere/x/record.json", runs[0].Record.Caveats
	if kept := results.Deduplicate(append(runs, other)); len(kept) != len(runs)+1 {
		t.Errorf("%d runs kept of %d: other results are another run", len(kept), len(runs)+1)
	}
	table = specTable(t, 4, append(runs, other))
	c = at(t, table, "", "A-C", "EMN", paper.Measured)
	if want := ((301.0+361)/2 + 302 + 303) / 18; c.N != 3 || len(c.Sources) != 4 || math.Abs(c.Mean-want) > 1e-9 {
		t.Errorf("%+v, want the mean %v of three seeds", c, want)
	}
	if want := "differ by up to 10.0 points"; !strings.Contains(notes(table, c), want) {
		t.Errorf("no %q in %s", want, notes(table, c))
	}
}

// lossy returns a run with a loss and a path.
func lossy(r results.Run, loss float64, path string) results.Run {
	r.Record.Evaluation.Loss, r.Path = new(loss), path
	return r
}

// rotations calls f with the runs in every rotation of their order.
func rotations(runs []results.Run, f func([]results.Run)) {
	for range runs {
		runs = append(runs[1:len(runs):len(runs)], runs[0])
		f(runs)
	}
}

// Of a seed with a finished run and one that a time limit ended, the finished one
// counts; of two that were ended, that of most steps. The other one is named.
func TestARunThatATimeLimitEndedIsNotAveraged(t *testing.T) {
	at := func(steps, right int) results.Run {
		r := fakeRun("pai3", "memo", 1, paiKinds, 600, 600, right)
		r.Record.Training.Steps, r.Record.Status = steps, record.Interrupted
		return lossy(r, float64(steps), fmt.Sprintf("runs/%d/record.json", steps))
	}
	finished := at(1000, 540)
	finished.Record.Status = record.Complete
	for _, c := range []struct {
		runs  []results.Run
		want  float64
		notes []string
	}{
		{[]results.Run{at(400, 300), finished, at(700, 420)}, 90, []string{
			"MEMO: seed 1 (runs/400/record.json) was stopped at step 400 before its end: runs/1000/record.json counts instead.",
			"MEMO: seed 1 (runs/700/record.json) was stopped at step 700 before its end: runs/1000/record.json counts instead."}},
		{[]results.Run{at(400, 300), at(700, 420)}, 70, []string{
			"MEMO: seed 1 (runs/400/record.json) was stopped at step 400 before its end: runs/700/record.json counts instead."}},
	} {
		rotations(c.runs, func(runs []results.Run) {
			table := specTable(t, 4, runs)
			cell := at4(t, table)
			if cell.N != 1 || cell.Mean != c.want || len(cell.Sources) != 1 {
				t.Errorf("%+v, want %v of one run", cell, c.want)
			}
			for _, want := range c.notes {
				if have := notes(table, cell); !strings.Contains(have, want) {
					t.Errorf("no %q in %s", want, have)
				}
			}
		})
	}
}

// at4 returns MEMO's measured number on A-C in Table 4.
func at4(t *testing.T, table *Table) Cell { return at(t, table, "", "A-C", "MEMO", paper.Measured) }

// A run copied under another seed counts once, and is listed; runs with only equal counts
// are different runs.
func TestACopiedRunCountsOnce(t *testing.T) {
	seed := func(n uint64, loss float64) results.Run {
		return lossy(fakeRun("pai3", "memo", n, paiKinds, 600, 600, 540), loss, fmt.Sprintf("runs/%d/record.json", n))
	}
	want := "seed 2 (runs/2/record.json) has all numbers of seed 1 (runs/1/record.json), the loss too: one run copied, counted once"
	rotations([]results.Run{seed(1, 0.25), seed(2, 0.25), seed(3, 0.5)}, func(runs []results.Run) {
		table := specTable(t, 4, runs)
		if c := at4(t, table); c.N != 2 || !strings.Contains(notes(table, c), "MEMO: "+want+".") {
			t.Errorf("%+v, notes %s", c, notes(table, c))
		}
		tables, err := Tables(runs)
		if err != nil || tables[0].Sections[0].Rows[0].Cells[0].N != 2 || !strings.Contains(strings.Join(tables[0].Remarks, ""), want) {
			t.Errorf("%v, %+v", err, tables)
		}
	})
	if c := at4(t, specTable(t, 4, []results.Run{seed(1, 0.25), seed(2, 0.5)})); c.N != 2 {
		t.Errorf("the same counts with other losses: %+v", c)
	}
}

// A setting that one record does not name is another setting, and so is another value:
// such runs are never averaged, though no change to the preset says so.
func TestRunsOfOtherSettingsAreApart(t *testing.T) {
	for _, config := range []map[string]any{{"init": "neutral"}, {}} {
		usual, other := fakeRun("pai3", "ut", 0, paiKinds, 590, 590, 540), fakeRun("pai3", "ut", 0, paiKinds, 590, 590, 300)
		usual.Record.Model.Config, usual.Record.Times.Started = map[string]any{"init": "associate"}, "2026-02-01T00:00:00Z"
		other.Record.Model.Config, other.Record.Times.Started = config, "2026-01-01T00:00:00Z"
		other.Path = "before/record.json"
		for _, runs := range [][]results.Run{{usual, other}, {other, usual}} {
			table := specTable(t, 4, runs)
			if c := at(t, table, "", "A-C", "UT", paper.Measured); c.N != 1 || c.Mean != 90 {
				t.Errorf("%v: %+v, want 90.0 (1)", config, c)
			}
			further := others(runs, []*Table{table})
			if further == nil || len(further.Sections) != 1 || further.Sections[0].Rows[0].Cells[0].Sources[0].Path != other.Path {
				t.Fatalf("%v: the other run is in no table: %+v", config, further)
			}
			if label := further.Sections[0].Rows[0].Label; len(config) > 0 && !strings.HasSuffix(label, "init=neutral") {
				t.Errorf("label %q", label)
			}
		}
	}
}

// No output depends on the order in which runs were read.
func TestTheOrderOfRunsChangesNothing(t *testing.T) {
	runs := fakePAI()
	same := curved(elsewhere(runs[0]), 0.2)
	other := curved(fakeRun("pai3", "emn", 2, paiKinds, 590, 580, 200), 0.2)
	other.Path = "another/record.json"
	neutral := fakeRun("pai3", "memo", 1, paiKinds, 500, 500, 500)
	neutral.Path, neutral.Record.Model.Config = "third/record.json", map[string]any{"hops": 9}
	runs = append(runs, same, other, neutral)
	of := func(runs []results.Run) string {
		_, findings := Findings(results.Deduplicate(runs))
		var tables []*Table
		for _, s := range append(paper.Specs(), paper.OwnSpecs()...) {
			tables = append(tables, Fill(&s, results.Deduplicate(runs)))
		}
		return string(must.Get(json.Marshal([]any{findings, tables, others(runs, tables)}))(t))
	}
	want := of(runs)
	for range len(runs) {
		runs = append(runs[1:], runs[0])
		if of(runs) != want {
			t.Fatal("another order gives other tables")
		}
	}
	slices.Reverse(runs)
	if of(runs) != want {
		t.Error("the reverse order gives other tables")
	}
}

// Weights that were evaluated again are no training run: they do not count as a seed.
// and the report names them. Answers of another program are a model of their own.
func TestOnlyTrainedRunsCountAsSeeds(t *testing.T) {
	runs := fakePAI()
	again := fakeRun("pai3", "memo", 9, paiKinds, 599, 598, 597)
	again.Record.Origin = record.Evaluated
	scored := fakeRun("pai3", "mine", 8, paiKinds, 1, 2, 3)
	scored.Record.Origin, scored.Record.Identity.Title = record.Scored, "Mine"
	all := append(slices.Clone(runs), again, scored)
	for number, section := range map[int]string{1: "3 items", 4: ""} {
		with, without := specTable(t, number, all), specTable(t, number, runs)
		if a, b := at(t, with, section, "A-C", "MEMO", paper.Measured), at(t, without, section, "A-C", "MEMO", paper.Measured); a.N != 3 || a.String() != b.String() {
			t.Errorf("table %d has %s, without these records %s", number, a, b)
		}
	}
	if f := finding(t, all, "Hardest query of 3", "MEMO"); f.Here.N != 3 {
		t.Errorf("a finding from %d runs", f.Here.N)
	}
	further := others(all, nil)
	seen := map[string]bool{}
	for _, s := range further.Sections {
		if strings.HasSuffix(s.Title, ", evaluated") {
			seen["evaluated"] = true
			if c := s.Rows[0].Cells[0]; len(s.Rows) != 1 || c.N != 0 || c.State != Number {
				t.Errorf("%s: %+v", s.Title, s.Rows)
			}
		}
		for _, row := range s.Rows {
			seen["scored"] = seen["scored"] || row.Label == "Mine"
		}
	}
	if !seen["evaluated"] || !seen["scored"] || !strings.Contains(strings.Join(further.Notes, "\n"), again.Path+": evaluated; no training run") {
		t.Errorf("these records are not shown: %+v", further)
	}
	tables, err := Tables(all)
	if err != nil || len(tables) != 1 {
		t.Fatal(err)
	}
	if remarks := strings.Join(tables[0].Remarks, "\n"); !strings.Contains(remarks, "Not counted: records of weights") || !strings.Contains(remarks, again.Path+" (evaluated)") {
		t.Errorf("remarks %s", remarks)
	}
	if _, err := Tables([]results.Run{again}); err == nil || !strings.Contains(err.Error(), "no runs that were trained: ") {
		t.Errorf("error %v", err)
	}
}

// The best run is chosen by the loss of the weights that were evaluated, not by the
// lowest of its curve.
func TestTheBestRunIsChosenByWhatIsEvaluated(t *testing.T) {
	early := curved(fakeRun("pai3", "emn", 1, paiKinds, 600, 600, 300), 0.1) // its best weights are lost
	late := curved(fakeRun("pai3", "emn", 2, paiKinds, 600, 600, 420), 0.3)
	early.Record.Training.SelectedStep, early.Record.Curve.SelectedLoss = 300, new(0.5)
	for _, unknown := range []bool{false, true} {
		if unknown { // its curve has no point at the step of the evaluated weights
			early.Record.Curve.SelectedLoss = nil
		}
		c := at(t, specTable(t, 4, []results.Run{early, late}), "", "A-C", "EMN", paper.Selected)
		if c.Mean != 70 || *c.Sources[0].Loss != 0.3 {
			t.Errorf("best run: %+v, want that of seed 2", c)
		}
	}
	// Shortest paths: by the training loss, which is one of the last weights.
	low, high := fakePaths("sp20-3-3", false), fakePaths("sp20-3-3", false)
	a, b := curved(low[0], 0.1), curved(high[0], 0.2)
	a.Record.Curve.SelectedLoss, b.Record.Curve.SelectedLoss = new(0.9), new(0.8)
	if ruleLoss("sp20-3-3", a) != 0.1 || ruleLoss("sp20-3-3", b) != 0.2 {
		t.Error("by training loss")
	}
	for _, r := range []results.Run{a, b} {
		r.Record.Protocol.Values = map[string]any{"selection": "best-validation"}
	}
	if ruleLoss("sp20-3-3", a) != 0.9 || ruleLoss("sp20-3-3", b) != 0.8 {
		t.Error("weights of the lowest validation loss have no training loss")
	}
}
