package benchmarks

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets/must"
	"memobench/models"
	_ "memobench/models/control" // as transformer, named by studies that equal-compute refers to
	_ "memobench/models/transformer"
)

// Every run of tuned is recorded, with the same protocol, settings and seed. Only validation
// may be more or less frequent.
func TestTunedIsRecorded(t *testing.T) {
	recorded := map[string][]*record.Record{}
	for _, file := range must.Get(filepath.Glob("recorded/*/" + record.RecordsName))(t) {
		for _, r := range must.Get(record.ReadRecords(file))(t) {
			recorded[r.Identity.Task] = append(recorded[r.Identity.Task], r)
		}
	}
	for _, c := range must.Get(study.Load("tuned"))(t).Cells() {
		if !slices.ContainsFunc(recorded[c.Task], func(r *record.Record) bool {
			every, _ := r.Protocol.Values["evaluate_every"].(float64)
			c.Protocol.EvaluateEvery = int(every)
			if hash := c.Hash(); c.Training.Phases != nil || hash == r.Identity.Cell {
				return hash == r.Identity.Cell
			}
			old := c // older records say that there are no phases
			old.Training.Phases = []models.Phase{}
			return old.Hash() == r.Identity.Cell
		}) {
			t.Errorf("%v is not recorded", &c)
		}
	}
}

// The runs of equal-compute have one question about each memory, and else the batch sizes and the
// sizes of the networks of tuned, but for those of EMN and the DNC on chains of 5 (docs/findings.md) and UT's former setting on 10-2-2.
func TestEqualComputeIsTuned(t *testing.T) {
	type key struct{ task, model string }
	tuned := map[key]study.Cell{}
	for _, c := range must.Get(study.Load("tuned"))(t).Cells() {
		tuned[key{c.Task, c.Model}] = c
	}
	for _, c := range must.Get(study.Load("recorded/equal-compute"))(t).Cells() {
		want := tuned[key{c.Task, c.Model}]
		batch := want.Protocol.BatchSize
		if want.Training.Questions > 1 {
			batch = 64
		}
		if c.Protocol.BatchSize != batch {
			t.Errorf("%v: batches of %d, want %d", &c, c.Protocol.BatchSize, batch)
		}
		have, sizes := must.Get(json.Marshal(c.Config))(t), must.Get(json.Marshal(want.Config))(t)
		if string(have) != string(sizes) && !slices.Contains([]string{"pai5-emn", "pai5-dnc", "sp10-2-2-ut"}, c.Name) {
			t.Errorf("%v: %s, in tuned %s", &c, have, sizes)
		}
	}
}
