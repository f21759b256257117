package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/must"
)

// protocolSample returns a record that agrees with its protocol.
func protocolSample() *Record {
	r := sample()
	r.Protocol.Values = Values{"steps": 100.0, "batch_size": 64.0, "test_per_kind": 600.0, "selection": "final", "task": "pai3",
		"settings": map[string]any{"classes": 100.0, "seed": 0.1}}
	r.Protocol.Hash = HashOf(r.Protocol.Values)
	return r
}

func TestConsistent(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Record)
		rehash bool
		want   string // of the error; empty for none
	}{
		"as it is":            {func(*Record) {}, false, ""},
		"another hash":        {func(r *Record) { r.Protocol.Hash = "5f1c09" }, false, "protocol.hash: 5f1c09, but protocol.values have the hash"},
		"another value":       {func(r *Record) { r.Protocol.Values["test_per_kind"] = 601.0 }, false, "the record was changed"},
		"another setting":     {func(r *Record) { r.Protocol.Values["settings"].(map[string]any)["classes"] = 99.0 }, false, "the record was changed"},
		"no values":           {func(r *Record) { r.Protocol.Values = nil }, false, ""},
		"another task":        {func(r *Record) { r.Identity.Task = "pai4" }, false, "identity.task: pai4"},
		"too many questions":  {func(r *Record) { r.Evaluation.Kinds[1].Total = 601 }, false, "evaluation.kinds[1] (A-C): 601 questions, but protocol.values.test_per_kind is 600"},
		"fewer questions":     {func(r *Record) { r.Evaluation.Kinds[1].Total = 600 }, false, ""},
		"all of a finite set": {func(r *Record) { r.Protocol.Values["test_per_kind"] = 0.0; r.Evaluation.Kinds[1].Total = 5000 }, true, ""},
		"another split":       {func(r *Record) { r.Evaluation.Split = "validation"; r.Evaluation.Kinds[1].Total = 5000 }, false, ""},
		"too few steps":       {func(r *Record) { r.Training.Steps = 99; r.Training.SelectedStep = 99; r.Curve.BestStep = 50 }, false, "training.steps: 99 in a run with status complete"},
		"too many steps":      {func(r *Record) { r.Training.Steps, r.Training.SelectedStep = 101, 101 }, false, "training.steps: 101"},
		"interrupted": {func(r *Record) {
			r.Status = Interrupted
			r.Training.Steps = 99
			r.Training.SelectedStep = 99
			r.Curve.BestStep = 50
		}, false, ""},
		"interrupted at the end": {func(r *Record) { r.Status = Interrupted }, false, "status interrupted"},
		"stopped without a rule": {func(r *Record) {
			r.Status = EarlyStopped
			r.Training.Steps = 99
			r.Training.SelectedStep = 99
			r.Curve.BestStep = 50
		}, false, "early_stop: false"},
		"selected beyond": {func(r *Record) { r.Training.SelectedStep = 101 }, false, "training.selected_step: 101, above"},
		"selected before": {func(r *Record) { r.Training.SelectedStep = 50 }, false, "selection is final"},
		"best on validation": {func(r *Record) {
			r.Protocol.Values["selection"], r.Training.SelectedStep = "best-validation", 50
		}, true, ""},
		"best beyond":     {func(r *Record) { r.Curve.BestStep = 101 }, false, "curve.best_step: 101, above"},
		"diverged beyond": {func(r *Record) { r.Training.DivergedAt = 101 }, false, "training.diverged_at: 101"},
		"scored": {func(r *Record) {
			r.Origin, r.Training, r.Curve = Scored, Training{}, Curve{}
		}, false, ""},
	} {
		r := protocolSample()
		c.change(r)
		if c.rehash {
			r.Protocol.Hash = HashOf(r.Protocol.Values)
		}
		if err := r.consistent(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// A seed that float64 would round keeps its digits, and so the hash follows.
func TestTheHashFollowsFromWhatWasRead(t *testing.T) {
	want := protocolSample()
	want.Protocol.Values["test_seed"] = uint64(18446744073709551615)
	want.Protocol.Values["settings"].(map[string]any)["small"] = 1e-7
	want.Protocol.Hash = HashOf(want.Protocol.Values)
	data := must.Get(want.Marshal())(t)
	got := must.Get(Parse(data))(t)
	if err := got.consistent(); err != nil {
		t.Error(err)
	}
	again := must.Get(got.Marshal())(t)
	if d := cmp.Diff(string(data), string(again)); d != "" {
		t.Errorf("written again (-first +again):\n%s", d)
	}
}
