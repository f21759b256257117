package table

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/reporttest/golden"
	"memobench/report/results"
)

// fakeRun returns a record with made-up counts, right[i] of total questions on kinds[i].
func fakeRun(task, model string, seed uint64, kinds []string, right ...int) results.Run {
	r := &record.Record{
		Schema:   record.Version,
		Origin:   record.Trained,
		Identity: record.Identity{Preset: "quick", Task: task, Label: model, Title: strings.ToUpper(model), Model: model, Seed: seed},
		Status:   record.Complete,
		Protocol: record.Protocol{Hash: "5f1c09aa0011bb", Values: map[string]any{"batch_size": 64.0, "test_seed": 1.0}},
		Dataset: record.Dataset{Task: task, Hash: "d0",
			Settings: map[string]string{"items": "sequence", "rows": "shuffled", "classes": "1000", "sequences": "16"},
			Caveats:  record.Caveats{{Kind: "substitute-data", Text: "class symbols instead of image embeddings"}}},
		Training:   record.Training{Steps: 1000},
		Evaluation: record.Evaluation{Split: "test"},
	}
	for i, k := range kinds {
		r.Evaluation.Kinds = append(r.Evaluation.Kinds, record.Kind{Name: k, Total: 600, Correct: right[i]})
	}
	present(r)
	return results.Run{Path: fmt.Sprintf("runs/%s-%s-%d/record.json", task, model, seed), Record: r}
}

var paiKinds = []string{"A-B", "B-C", "A-C"}

func fakePAI() []results.Run {
	var runs []results.Run
	for seed := uint64(1); seed <= 3; seed++ {
		emn := fakeRun("pai3", "emn", seed, paiKinds, 590, 591, 300+int(seed))
		memo := fakeRun("pai3", "memo", seed, paiKinds, 599, 598, 590+int(seed))
		memo.Record.Status = record.EarlyStopped
		memo.Record.Training.Steps = 700 + int(seed)
		for _, r := range []results.Run{emn, memo} {
			for i := range r.Record.Evaluation.Kinds {
				k := &r.Record.Evaluation.Kinds[i]
				c := min(k.Correct+3, k.Total)
				k.ChoiceCorrect = &c
			}
			r.Record.Caveats = record.Caveats{{Kind: record.ReducedSize, Text: "reduced: made-up sizes", Brief: "reduced"}}
			if r.Record.Status == record.EarlyStopped {
				r.Record.Caveats = append(r.Record.Caveats, record.Caveat{Kind: "early-stop", Text: fmt.Sprintf("early stopped at step %d of 1000", r.Record.Training.Steps)})
			}
		}
		runs = append(runs, emn, memo)
	}
	return runs
}

func fakeBabi() []results.Run {
	var kinds []string
	for i := 1; i <= 20; i++ {
		kinds = append(kinds, fmt.Sprintf("qa%d", i))
	}
	var runs []results.Run
	for seed := uint64(0); seed < 2; seed++ {
		for _, model := range []string{"emn", "memo"} {
			right := make([]int, 20)
			for i := range right {
				right[i] = 600 - 5*i - int(seed)
			}
			r := fakeRun("babi", model, seed, kinds, right...)
			r.Record.Dataset.Settings = map[string]string{"tasks": "1-20", "training": "joint"}
			r.Record.Dataset.Caveats = record.Caveats{{Kind: "substitute-data", Text: "substitute training data for task 3", Brief: "substitute data"}}
			runs = append(runs, r)
		}
	}
	return runs
}

// simulated returns runs on two of the tasks, with simulated stories.
func simulated() []results.Run {
	r := fakeRun("babi", "memo", 0, []string{"qa1", "qa15"}, 600, 590)
	r.Record.Dataset.Settings = map[string]string{"tasks": "1,15", "source": "simulated"}
	r.Record.Dataset.Caveats = record.Caveats{{Kind: record.SimulatedData, Text: "simulated stories, not the official bAbI files", Brief: "simulated"}}
	present(r.Record)
	return []results.Run{r}
}

// onItems returns runs of paired associative inference with other items and the settings
// that depend on them.
func onItems(task string, settings map[string]string, caveat record.Caveat) []results.Run {
	var runs []results.Run
	for _, r := range fakePAI() {
		r.Record.Identity.Task, r.Record.Dataset.Task = task, task
		maps.Copy(r.Record.Dataset.Settings, settings)
		r.Record.Dataset.Caveats = record.Caveats{caveat}
		present(r.Record)
		for i := range r.Record.Evaluation.Kinds {
			if settings["answers"] != "" { // the answer is one of two as it is
				r.Record.Evaluation.Kinds[i].ChoiceCorrect = nil
			}
		}
		runs = append(runs, r)
	}
	return runs
}

func TestTaskTableGolden(t *testing.T) {
	diverged := fakePAI()
	bad := fakeRun("pai3", "memo", 2, paiKinds, 0, 0, 0)
	bad.Record.Status, bad.Record.Training.DivergedAt = record.Diverged, 17
	bad.Record.Caveats = record.Caveats{{Kind: record.ReducedSize, Text: "reduced: made-up sizes", Brief: "reduced"}, {Kind: "diverged", Text: "diverged at step 17: accuracy counted as 0"}}
	for i := range bad.Record.Evaluation.Kinds {
		bad.Record.Evaluation.Kinds[i].ChoiceCorrect = new(int)
	}
	diverged[3] = bad
	for _, c := range []struct {
		file   string
		runs   []results.Run
		expect []Variant
		style  Style
	}{
		{file: "pai3.txt", runs: fakePAI()},
		{file: "pai3_ascii.txt", runs: fakePAI(), style: Style{ASCII: true}},
		{file: "pai3_diverged.txt", runs: diverged},
		{file: "pai3_three.txt", runs: fakePAI(), expect: []Variant{{Label: "dnc", Title: "DNC", Model: "dnc"}}},
		{file: "babi.txt", runs: fakeBabi()},
		{file: "babi_simulated.txt", runs: simulated()},
		{file: "pai3-embeddings.txt", runs: onItems("pai3-embeddings", map[string]string{"features": "1000", "noise": "1"},
			record.Caveat{Kind: "substitute-data", Text: "generated embeddings (noise 1) instead of image embeddings", Brief: "embeddings"})},
		{file: "pai3-released.txt", runs: onItems("pai3-released", map[string]string{"items": "stored", "classes": "", "features": "1000",
			"scale": "unit", "answers": "0 left, 1 right"}, record.Caveat{Kind: "other-protocol", Text: "released data: the answer is one of the two items shown, chance 50 %", Brief: "released"})},
		{file: "sp10-2-2.txt", runs: []results.Run{fakePath("sp10-2-2", "memo", 0, false, 600), fakePath("sp10-2-2", "emn", 0, false, 570)}},
		{file: "sp20-3-3.txt", runs: fakePaths("sp20-3-3", false)},
		{file: "sp20-3-3_ascii.txt", runs: fakePaths("sp20-3-3", false), style: Style{ASCII: true, Width: 80}},
		{file: "sp20-5-3_random.txt", runs: fakePaths("sp20-5-3", true), style: Style{Width: 200}},
		{file: "sp8-2-3.txt", runs: ofOtherSizes()},
	} {
		t.Run(c.file, func(t *testing.T) {
			table := must.Get(TaskTable(c.runs, c.expect...))(t)
			var out strings.Builder
			must.Do(t, table.Terminal(&out, c.style))
			golden.Compare(t, c.file, out.String())
		})
	}
}

func TestRunsThatMustNotShareATable(t *testing.T) {
	for what, change := range map[string]func(*record.Record){
		"protocol hashes":  func(r *record.Record) { r.Protocol.Hash = "other" },
		"dataset hashes":   func(r *record.Record) { r.Dataset.Hash = "other" },
		"evaluated splits": func(r *record.Record) { r.Evaluation.Split = "other" },
		"tasks":            func(r *record.Record) { r.Identity.Task = "other" },
	} {
		runs := fakePAI()
		change(runs[4].Record)
		_, err := TaskTable(runs)
		for _, part := range []string{"runs of different " + what, runs[0].Path, runs[4].Path, "other"} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s differ: error %v does not name %q", what, err, part)
			}
		}
	}
}

// Models may differ in steps, which the table states, and in nothing else of the protocol.
func TestModelsMayDifferInSteps(t *testing.T) {
	values := func(steps, batch float64) record.Values { return record.Values{"steps": steps, "batch_size": batch} }
	table := func(steps, batch float64) (*Table, error) {
		runs := []results.Run{fakeRun("pai3", "emn", 1, paiKinds, 1, 2, 3), fakeRun("pai3", "memo", 1, paiKinds, 1, 2, 3)}
		for i, v := range []record.Values{values(2000, 64), values(steps, batch)} {
			runs[i].Record.Protocol = record.Protocol{Hash: record.HashOf(v), Values: v}
		}
		return TaskTable(runs)
	}
	about := strings.Join(must.Get(table(6000, 64))(t).About, " ")
	if want := "(limit: EMN: 2,000, MEMO: 6,000)"; !strings.Contains(about, want) || !strings.Contains(about, "protocol but for the steps") {
		t.Errorf("%q, want one with %q", about, want)
	}
	if _, err := table(2000, 32); err == nil || !strings.Contains(err.Error(), "protocol hashes") {
		t.Errorf("other batches: error %v", err)
	}
}

// Runs of one label but of different models would be averaged as seeds of one.
func TestOneLabelIsOneModel(t *testing.T) {
	settings := func(hops any, rate float64) record.Model {
		return record.Model{Config: map[string]any{"hops": hops, "width": 8}, Training: map[string]any{"learning_rate": rate}}
	}
	runs := fakePAI()
	for i := range runs {
		runs[i].Record.Model = settings(3, 1e-3)
	}
	// A number from a file is a float64; another label has separate settings.
	runs[2].Record.Model = settings(3.0, 1e-3)
	other := fakeRun("pai3", "memo", 4, paiKinds, 1, 2, 3)
	other.Record.Identity.Label, other.Record.Model = "memo5", settings(5, 1e-3)
	if _, err := TaskTable(append(runs, other)); err != nil {
		t.Fatalf("equal settings: %v", err)
	}
	for _, c := range []struct {
		change   func(*record.Record)
		ofA, ofB string
	}{
		{func(r *record.Record) { r.Model = settings(1, 1e-3) }, "model.hops=3", "model.hops=1"},
		{func(r *record.Record) { r.Model = settings(3, 2e-3) }, "training.learning_rate=0.001", "training.learning_rate=0.002"},
		{func(r *record.Record) { r.Model.Config = map[string]any{"hops": 3} }, "model.width=8", "no model.width"},
		{func(r *record.Record) { r.Identity.Model = "ut" }, "model=emn", "model=ut"},
	} {
		runs := fakePAI()
		for i := range runs {
			runs[i].Record.Model = settings(3, 1e-3)
		}
		c.change(runs[4].Record)
		_, err := TaskTable(runs)
		if want := fmt.Sprintf("%s has %s, %s has %s", runs[0].Path, c.ofA, runs[4].Path, c.ofB); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// An ablation is not compared with the paper's row, and the remark on the paper's numbers
// is only there if they are.
func TestAVariantHasNoPublishedNumbers(t *testing.T) {
	for label, want := range map[string]bool{"memo": true, "memo3": true, "memo-no-layernorm": false} {
		run := fakeRun("pai3", "memo", 1, paiKinds, 1, 2, 3)
		run.Record.Identity.Label = label
		table := must.Get(TaskTable([]results.Run{run}))(t)
		cells := table.Sections[0].Rows[0].Cells
		if got := len(cells) == 2 && cells[1].State == Number; got != want || !got && len(cells) != 1 {
			t.Errorf("%s: cells %+v; with a published number is %v", label, cells, want)
		}
		if got := strings.Contains(strings.Join(table.Remarks, "\n"), "Banino"); got != want {
			t.Errorf("%s: remark on the paper %v, want %v: %q", label, got, want, table.Remarks)
		}
	}
}

func TestNotesNameSeedsAndSteps(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func([]results.Run) // of MEMO, seeds 1 to 3
		want   string
	}{
		{"all at one step", func(runs []results.Run) {
			for _, r := range runs {
				r.Record.Status, r.Record.Training.Steps = record.EarlyStopped, 1500
			}
		}, "MEMO: 3 of 3 runs ended by the preset's early-stop rule, at step 1500."},
		{"all, at different steps", func(runs []results.Run) {
			for i, r := range runs {
				r.Record.Status, r.Record.Training.Steps = record.EarlyStopped, 1500+i/2
			}
		}, "MEMO: 3 of 3 runs ended by the preset's early-stop rule (seed 1 at step 1500, seed 2 at step 1500, seed 3 at step 1501)."},
		{"some at one step", func(runs []results.Run) {
			runs[0].Record.Status, runs[2].Record.Status = record.EarlyStopped, record.EarlyStopped
		}, "MEMO: 2 of 3 runs ended by the preset's early-stop rule (seed 1 at step 1000, seed 3 at step 1000)."},
		{"at a plateau", func(runs []results.Run) {
			for _, r := range runs {
				r.Record.Status = record.EarlyStopped
				r.Record.Protocol.Values = record.Values{"early_stop": map[string]any{"plateau": true, "evaluations": 8.}}
			}
		}, "MEMO: 3 of 3 runs ended at a plateau, after 8 evaluations without a lower validation loss, at step 1000."},
		{"a label of one", func(runs []results.Run) { runs[1].Record.Caveats = record.Caveats{{Kind: "remark", Text: "odd"}} }, "MEMO, seed 2: odd."},
		{"a label of two", func(runs []results.Run) {
			runs[1].Record.Caveats, runs[2].Record.Caveats = record.Caveats{{Kind: "remark", Text: "odd"}}, record.Caveats{{Kind: "remark", Text: "odd"}}
		}, "MEMO, seeds 2, 3: odd."},
		{"a label of all", func(runs []results.Run) {
			for _, r := range runs {
				r.Record.Caveats = record.Caveats{{Kind: "remark", Text: "odd"}}
			}
		}, "MEMO: odd."},
	} {
		t.Run(c.what, func(t *testing.T) {
			runs := []results.Run{fakeRun("pai3", "emn", 1, paiKinds, 1, 2, 3)}
			for seed := range uint64(3) {
				runs = append(runs, fakeRun("pai3", "memo", seed+1, paiKinds, 1, 2, 3))
			}
			c.change(runs[1:])
			table := must.Get(TaskTable(runs))(t)
			if diff := cmp.Diff([]string{c.want}, table.Notes); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestASeedCountsOnce(t *testing.T) {
	runs := fakePAI()
	again := runs[0]
	again.Path = "elsewhere/record.json"
	if _, err := TaskTable(append(runs, again)); err == nil || !strings.Contains(err.Error(), "elsewhere") || !strings.Contains(err.Error(), "seed 1") {
		t.Errorf("the same run twice: error %v, want one that names both places", err)
	}
}
