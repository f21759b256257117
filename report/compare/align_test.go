package compare

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/results"
)

// modelRun is a run of a model with a learning rate and a number of training steps.
func modelRun(label string, rate float64, steps int, seed uint64, right int) *record.Record {
	r := runOf(seed, right)
	r.Identity.Label, r.Identity.Model = label, label
	r.Model.Training = map[string]any{"learning_rate": rate}
	r.Protocol.Values = record.Values{"task": "pai3", "steps": float64(steps), "test_per_kind": 1000.0, "test_seed": 7.0}
	r.Protocol.Hash = record.HashOf(r.Protocol.Values)
	r.Training.Steps, r.Training.SelectedStep = steps, steps
	return r
}

// chosen writes runs and reads those of a selection, all of an empty one.
func chosen(t *testing.T, selection string, runs ...*record.Record) *results.Set {
	t.Helper()
	r, err := results.Open(writeRuns(t, runs))
	if err == nil && selection != "" {
		err = r.Choose(selection)
	}
	if err != nil {
		t.Fatal(err)
	}
	return must.Get(r.Set())(t)
}

// Two models, two settings and two budgets are compared on the same questions.
func TestOtherModelsAndSettingsArePaired(t *testing.T) {
	var runs []*record.Record
	for seed, right := range []int{900, 950, 980} {
		runs = append(runs, modelRun("memo", 1e-3, 100, uint64(seed), right), modelRun("memo", 5e-4, 100, uint64(seed), right-10-seed%2))
	}
	mine := []*record.Record{modelRun("mine", 1e-3, 100, 0, 800), modelRun("mine", 1e-3, 100, 1, 850), modelRun("mine", 1e-3, 100, 2, 871)}
	long := []*record.Record{modelRun("memo", 1e-3, 200, 0, 910), modelRun("memo", 1e-3, 200, 1, 960), modelRun("memo", 1e-3, 200, 2, 991)}
	for name, c := range map[string]struct {
		a, b *results.Set
		want float64
		note string
	}{
		"settings": {chosen(t, "learning_rate=1e-3", runs...), chosen(t, "training.learning_rate=0.0005", runs...), -31. / 30,
			"training.learning_rate=0.001, now training.learning_rate=0.0005"},
		"models":  {chosen(t, "memo,learning_rate=1e-3", runs...), chosen(t, "", mine...), -309. / 30, "A is memo, B is mine"},
		"budgets": {chosen(t, "learning_rate=1e-3", runs...), chosen(t, "", long...), 31. / 30, "protocol.steps 100 against 200"},
	} {
		got, d, text := compared(t, c.a, c.b)
		one := d["pai3 memo A-C accuracy"]
		if one.Paired == nil || one.Paired.N != 3 || fmt.Sprintf("%.6f", one.Paired.Value) != fmt.Sprintf("%.6f", c.want) {
			t.Errorf("%s: %+v", name, one.Paired)
		}
		if notes := strings.Join(got.Notes, "\n"); !strings.Contains(notes, c.note) {
			t.Errorf("%s: no %q in %q\n%s", name, c.note, notes, text)
		}
	}
	other := modelRun("mine", 1e-3, 100, 0, 800)
	other.Protocol.Values["test_seed"] = 8.0
	other.Protocol.Hash = record.HashOf(other.Protocol.Values)
	if _, err := Compare(chosen(t, "memo,learning_rate=1e-3", runs...), chosen(t, "", other), nil, false); err == nil || !strings.Contains(err.Error(), "nothing to compare") {
		t.Errorf("other questions: %v", err)
	}
	r, err := results.Open(writeRuns(t, runs))
	if err == nil {
		err = r.Choose("memo,learning_rate=2")
	}
	if err == nil || !strings.Contains(err.Error(), "has no run with memo,learning_rate=2; its models are: memo") {
		t.Errorf("no run: %v", err)
	}
}

func writeRuns(t *testing.T, runs []*record.Record) string {
	t.Helper()
	data := must.Get(json.Marshal(runs))(t)
	path := filepath.Join(t.TempDir(), "runs.json")
	must.Do(t, os.WriteFile(path, data, 0o644))
	return path
}

// Two settings of a sweep are compared at each value of the others.
func TestSettingsOfASweepArePairedWithTheNearest(t *testing.T) {
	cell := func(hops int, rate float64, right int) *record.Record {
		r := modelRun("memo", rate, 100, 0, right)
		r.Model.Config = map[string]any{"hops": float64(hops)}
		r.Caveats = append(r.Caveats, record.ChangedFromPreset([]string{fmt.Sprintf("training.learning_rate=%g", rate), fmt.Sprintf("model.hops=%d", hops)}))
		return r
	}
	sweep := []*record.Record{cell(2, 1e-3, 900), cell(3, 1e-3, 800), cell(2, 5e-4, 500), cell(3, 5e-4, 450)}
	got, err := Compare(chosen(t, "hops=2", sweep...), chosen(t, "hops=3", sweep...), nil, false)
	if err != nil {
		t.Fatal(err)
	}
	var changes []string
	for _, d := range got.Differences {
		if strings.Contains(d.Name, "A-C") && d.Unit == "accuracy" {
			changes = append(changes, fmt.Sprintf("%.1f to %.1f", d.A.Mean, d.B.Mean))
		}
	}
	slices.Sort(changes)
	if want := []string{"50.0 to 45.0", "90.0 to 80.0"}; !slices.Equal(changes, want) {
		t.Errorf("%q, want %q", changes, want)
	}
	// Which of two rates belongs to a third one is not known.
	_, err = Compare(chosen(t, "hops=2", sweep...), chosen(t, "", cell(3, 2e-3, 700)), nil, false)
	if err == nil || !strings.Contains(err.Error(), "it is not clear which of") {
		t.Errorf("two as near: %v", err)
	}
	_, err = Compare(chosen(t, "hops=2,learning_rate=1e-3", sweep...), chosen(t, "hops=3", sweep...), nil, false)
	if err == nil || !strings.Contains(err.Error(), "it is not clear which of") {
		t.Errorf("two of B: %v", err)
	}
}
