package record

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite SCHEMA.md from the doc tags")

func ptr[T any](v T) *T { return &v }

// sample returns a valid record with every field filled.
func sample() *Record {
	return &Record{
		Schema: Version,
		Identity: Identity{Preset: "quick", Task: "pai3", Label: "memo", Title: "MEMO", Model: "memo", Seed: 0,
			Cell: "c0ffee", Overrides: []string{"steps=100"}},
		Status:   Complete,
		Labels:   []string{"reduced: 100 classes, 8 sequences"},
		Protocol: Protocol{Hash: "5f1c09", Values: map[string]any{"steps": 100.0, "batch_size": 64.0}},
		Dataset:  Dataset{Task: "pai3", Settings: map[string]string{"items": "sequence"}, Hash: "ab12", Labels: []string{"simulated"}},
		Model:    Model{Config: map[string]any{"hops": 3.0}, Training: map[string]any{"optimizer": "adam"}, Parameters: 1234},
		Training: Training{Steps: 100, Examples: 6400, SelectedStep: 100, Loss: ptr(0.25), Warnings: []Warning{{Text: "dead relu", First: 3, Steps: 2}}},
		Curve:    Curve{Points: 4, BestStep: 100, BestLoss: 0.2, BestAccuracy: 0.9},
		Evaluation: Evaluation{Split: "test", Loss: ptr(0.3), Hops: ptr(3.0), Kinds: []Kind{
			{Name: "A-B", Total: 600, Correct: 591, ChoiceCorrect: ptr(592)},
			{Name: "A-C", Total: 600, Correct: 300, ChoiceCorrect: ptr(600)},
		}},
		Environment: Environment{Code: "abc", Go: "go1.26", OS: "linux", Arch: "amd64", BLAS: "gonum", CPU: "x", Cores: 2, MaxProcs: 2},
		Times: Times{Started: "2026-01-01T00:00:00Z", Finished: "2026-01-01T00:01:00Z", WallSeconds: 60, CPUSeconds: 61,
			TrainSeconds: 50, ExamplesPerSec: 128, Sessions: 1, ParallelRuns: 1},
	}
}

func TestRecordSurvivesItsFile(t *testing.T) {
	want := sample()
	data, err := want.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("record changed on its way through the file (-want +got):\n%s", d)
	}
}

func TestReadFileRefuses(t *testing.T) {
	good, err := sample().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	swap := func(old, new string) string {
		s := strings.Replace(string(good), old, new, 1)
		if s == string(good) {
			t.Fatalf("%q is not in the sample", old)
		}
		return s
	}
	for name, c := range map[string]struct{ data, want string }{
		"other schema version": {swap(`"schema": 1`, `"schema": 2`), "schema version 2"},
		"no schema":            {`{}`, "no \"schema\" key"},
		"unknown key":          {swap(`"status"`, `"statuss"`), "statuss"},
		"not a number":         {swap(`0.25`, `NaN`), "invalid character 'N'"},
		"infinity":             {swap(`0.25`, `1e999`), "1e999"},
		"negative loss":        {swap(`0.25`, `-1`), "training.loss"},
		"more right than all":  {swap(`591`, `601`), "601 right of 600"},
		"fewer among choices":  {swap(`592`, `590`), "590 right among the choices"},
		"unknown status":       {swap(`"complete"`, `"finished"`), "finished"},
		"trailing data":        {string(good) + "{}", "data after the record"},
		"truncated":            {string(good[:len(good)/2]), "unexpected"},
		"repeated kind":        {swap(`"A-C"`, `"A-B"`), "missing or repeated"},
		"no protocol hash":     {swap(`"5f1c09"`, `""`), "protocol.hash"},
		"right but diverged":   {swap(`"complete"`, `"diverged"`), "diverged"},
		"wrong type":           {swap(`"seed": 0`, `"seed": "zero"`), "line"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			if err := os.WriteFile(path, []byte(c.data), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := ReadFile(path)
			if err == nil {
				t.Fatal("accepted")
			}
			if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q does not name the file and %q", err, c.want)
			}
		})
	}
}

func TestMarshalRefusesNaN(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		r := sample()
		r.Evaluation.Loss = ptr(v)
		if _, err := r.Marshal(); err == nil || !strings.Contains(err.Error(), "evaluation.loss") {
			t.Errorf("loss %v: error %v", v, err)
		}
		if _, err := r.Bench(); err == nil {
			t.Errorf("loss %v: bench.txt written", v)
		}
	}
}

func TestWithoutTimesHidesOnlyTimes(t *testing.T) {
	a, b := sample(), sample()
	b.Times = Times{WallSeconds: 9, Sessions: 3}
	if d := cmp.Diff(a.WithoutTimes(), b.WithoutTimes()); d != "" {
		t.Errorf("records of other times differ:\n%s", d)
	}
	b.Evaluation.Kinds[0].Correct--
	if cmp.Equal(a.WithoutTimes(), b.WithoutTimes()) {
		t.Error("records of other counts are equal")
	}
}

func TestMetricValues(t *testing.T) {
	r := sample()
	for _, c := range []struct {
		m    Metric
		kind int
		want float64
	}{
		{Accuracy, 0, 98.5}, {Accuracy, 1, 50}, {Accuracy, AllKinds, 74.25},
		{ChoiceAccuracy, 1, 100}, {Loss, AllKinds, 0.3}, {Hops, AllKinds, 3}, {Divergence, AllKinds, 0},
	} {
		if got, ok := c.m.Value(r, c.kind); !ok || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s of kind %d = %v, %v; want %v", c.m.Name, c.kind, got, ok, c.want)
		}
	}
	r.Evaluation.Kinds[0].ChoiceCorrect = nil
	if v, ok := ChoiceAccuracy.Value(r, 0); ok {
		t.Errorf("choice accuracy %v where no choices are offered", v)
	}
	if v, ok := Loss.Value(r, 0); ok {
		t.Errorf("loss %v of a single kind", v)
	}
}

func TestSchemaDocumentsEveryKey(t *testing.T) {
	for _, f := range Fields() {
		if f.Doc == "" || strings.HasSuffix(f.Key, ".") {
			t.Errorf("key %q has no doc tag or no name", f.Key)
		}
	}
	const path = "SCHEMA.md"
	if *update {
		if err := os.WriteFile(path, []byte(SchemaMarkdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(SchemaMarkdown(), string(have)); d != "" {
		t.Errorf("%s is out of date; run go test -run Schema -update (-want +have):\n%s", path, d)
	}
}
