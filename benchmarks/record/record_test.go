package record

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets"
	"memobench/datasets/must"
)

// sample returns a valid record with every field filled.
func sample() *Record {
	return &Record{
		Schema: Version,
		Origin: Trained,
		Identity: Identity{Study: "quick", Task: "pai3", Name: "memo", Title: "MEMO", Model: "memo", Seed: 0,
			Cell: "c0ffee123456"},
		Status:   Complete,
		Caveats:  datasets.Caveats{{Kind: datasets.ReducedSize, Text: "reduced: 100 classes, 8 sequences", Brief: "reduced"}},
		Protocol: Protocol{Hash: "2cb6340db0f0", Values: map[string]any{"steps": 100.0, "batch_size": 64.0}},
		Dataset:  Dataset{Task: "pai3", Settings: map[string]string{"items": "sequence"}, Hash: "ab12", Caveats: datasets.Caveats{{Kind: datasets.SimulatedData, Text: "simulated", Brief: "simulated"}}},
		Model:    Model{Config: map[string]any{"hops": 3.0, "teacher_forcing": false, "attention": "softmax"}, Training: map[string]any{"optimizer": "adam"}, Parameters: 1234},
		Training: Training{Steps: 100, Examples: 6400, SelectedStep: 100, Loss: new(0.25), Warnings: []Warning{{Text: "dead relu", First: 3, Steps: 2}}},
		Curve:    Curve{Points: 4, BestStep: 100, BestLoss: 0.2, BestAccuracy: 0.9, SelectedLoss: new(0.2)},
		Evaluation: Evaluation{Split: "test", Loss: new(0.3), Hops: new(3.0), Kinds: []Kind{
			{Name: "A-B", Total: 600, Correct: 591, ChoiceCorrect: new(592)},
			{Name: "A-C", Total: 600, Correct: 300, ChoiceCorrect: new(600), Hops: new(2400)},
		}},
		Environment: Environment{Code: "abc", Go: "go1.26", OS: "linux", Arch: "amd64", BLAS: "gonum", CPU: "x", Cores: 2, MaxProcs: 2},
		Times: Times{Started: "2026-01-01T00:00:00Z", Finished: "2026-01-01T00:01:00Z", WallSeconds: 60, CPUSeconds: 61,
			TrainSeconds: 50, ExamplesPerSec: 128, Sessions: 1, ParallelRuns: 1},
	}
}

// pathSample returns a valid record of questions that ask for two answers.
func pathSample() *Record {
	r := sample()
	r.Identity.Task, r.Dataset.Task = "sp20-3-3", "sp20-3-3"
	r.Evaluation.AnswerHops = []float64{2.5, 3.5}
	r.Evaluation.Kinds = []Kind{{Name: "path", Total: 600, Correct: 540, Accepted: new(570), Hops: new(3000), Answers: []Answer{
		{Name: "node 1", Correct: 558, Accepted: new(579)},
		{Name: "node 2", Correct: 546, CorrectGiven: new(588), Accepted: new(573)},
	}}}
	return r
}

// shiftedSample returns a valid record of questions unlike those of training.
func shiftedSample() *Record {
	r := sample()
	r.Origin = Evaluated
	r.Shift = &Shift{Setting: "length", Trained: "3", Evaluated: "5", PerKind: 600, Hops: &HopsShift{Setting: "hops", Trained: 3, Evaluated: 8},
		Rows: 64, Operations: new(1e6), Extended: []string{"Wh"}}
	return r
}

func TestBadShiftsAreRefused(t *testing.T) {
	for want, change := range map[string]func(r *Record){
		`in a record that is trained`: func(r *Record) { r.Origin = Trained },
		`from "3" to ""`:              func(r *Record) { r.Shift.Evaluated = "" },
		"shift.per_kind: -1":          func(r *Record) { r.Shift.PerKind = -1 },
		"shift.rows":                  func(r *Record) { r.Shift.Rows = -1 },
		"shift.operations":            func(r *Record) { r.Shift.Operations = new(math.NaN()) },
	} {
		r := shiftedSample()
		change(r)
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestRecordSurvivesItsFile(t *testing.T) {
	for _, want := range []*Record{sample(), pathSample(), shiftedSample()} {
		survivesItsFile(t, want)
	}
}

func survivesItsFile(t *testing.T, want *Record) {
	t.Helper()
	data := must.Get(want.Marshal())(t)
	path := filepath.Join(t.TempDir(), FileName)
	must.Do(t, os.WriteFile(path, data, 0o644))
	got := must.Get(ReadFile(path))(t)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("record changed on its way through the file (-want +got):\n%s", d)
	}
}

func TestReadFileRefuses(t *testing.T) {
	good := must.Get(sample().Marshal())(t)
	swap := func(old, new string) string {
		s := strings.Replace(string(good), old, new, 1)
		if s == string(good) {
			t.Fatalf("%q is not in the sample", old)
		}
		return s
	}
	for name, c := range map[string]struct{ data, want string }{
		"other schema version":  {swap(`"schema": 2`, `"schema": 3`), "schema version 3: this program reads version 2"},
		"former schema version": {swap(`"schema": 2`, `"schema": 1`), "schema version 1: this program reads version 2"},
		"labels in version 2":   {swap(`"caveats"`, `"labels"`), "labels"},
		"unknown caveat":        {swap(`"reduced-size"`, `"small"`), "caveats: kind \"small\""},
		"no schema":             {`{}`, "no \"schema\" key"},
		"unknown key":           {swap(`"status"`, `"statuss"`), "statuss"},
		"not a number":          {swap(`0.25`, `NaN`), "invalid character 'N'"},
		"infinity":              {swap(`0.25`, `1e999`), "1e999"},
		"negative loss":         {swap(`0.25`, `-1`), "training.loss"},
		"hops below none":       {swap(`"hops": 2400`, `"hops": -1`), "evaluation.kinds[1].hops: -1"},
		"more right than all":   {swap(`591`, `601`), "601 right answers, want at most 600"},
		"unknown status":        {swap(`"complete"`, `"finished"`), "finished"},
		"trailing data":         {string(good) + "{}", "data after the JSON value"},
		"truncated":             {string(good[:len(good)/2]), "unexpected"},
		"repeated kind":         {swap(`"A-C"`, `"A-B"`), "missing or repeated"},
		"no protocol hash":      {swap(`"2cb6340db0f0"`, `""`), "protocol.hash"},
		"right but diverged":    {swap(`"complete"`, `"diverged"`), "diverged"},
		"wrong type":            {swap(`"seed": 0`, `"seed": "zero"`), "line"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			must.Do(t, os.WriteFile(path, []byte(c.data), 0o644))
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
		r.Evaluation.Loss = new(v)
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
		{ChoiceAccuracy, 1, 100}, {Loss, AllKinds, 0.3}, {Hops, AllKinds, 3}, {Hops, 1, 4}, {Divergence, AllKinds, 0},
	} {
		if got, ok := c.m.Value(r, c.kind); !ok || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s of kind %d = %v, %v; want %v", c.m.Name, c.kind, got, ok, c.want)
		}
	}
	r.Evaluation.Kinds[0].ChoiceCorrect = nil
	if v, ok := ChoiceAccuracy.Value(r, 0); ok {
		t.Errorf("choice accuracy %v where no choices are offered", v)
	}
	if v, ok := Hops.Value(r, 0); ok {
		t.Errorf("%v hops of a kind where none were counted", v)
	}
	if v, ok := Loss.Value(r, 0); ok {
		t.Errorf("loss %v of a single kind", v)
	}
}

func TestMetricValuesOfAnswers(t *testing.T) {
	r := pathSample()
	for _, c := range []struct {
		m            Metric
		kind, answer int
		want         float64
	}{
		{Accuracy, 0, 0, 93}, {Accuracy, 0, 1, 91}, {Accuracy, AllKinds, 1, 91}, {GivenAccuracy, 0, 1, 98},
		{TolerantAccuracy, 0, 0, 96.5}, {TolerantAccuracy, AllKinds, 1, 95.5}, {Hops, AllKinds, 0, 2.5}, {Hops, AllKinds, 1, 3.5},
	} {
		if got, ok := c.m.OfAnswer(r, c.kind, c.answer); !ok || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s of kind %d, answer %d = %v, %v; want %v", c.m.Name, c.kind, c.answer, got, ok, c.want)
		}
	}
	if v, ok := TolerantAccuracy.Value(r, 0); !ok || v != 95 {
		t.Errorf("whole paths: tolerant accuracy %v, %v; want 95", v, ok)
	}
	if v, ok := Hops.Value(r, 0); !ok || v != 2.5 {
		t.Errorf("hops for each of two answers %v, %v; want 2.5", v, ok)
	}
	for _, c := range []struct {
		m            Metric
		r            *Record
		kind, answer int
	}{
		{GivenAccuracy, r, 0, 0}, {Accuracy, r, 0, 2}, {Accuracy, r, 1, 0}, {Accuracy, r, 0, -1}, {Hops, r, 0, 0}, {Hops, r, AllKinds, 2},
		{Accuracy, sample(), 0, 0}, {Hops, sample(), AllKinds, 0},
	} {
		if v, ok := c.m.OfAnswer(c.r, c.kind, c.answer); ok {
			t.Errorf("%s of kind %d, answer %d is %v, want none", c.m.Name, c.kind, c.answer, v)
		}
	}
}

func TestMarshalRefusesAnswersThatCannotBe(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Record)
		want   string
	}{
		"a single one": {func(r *Record) {
			r.Evaluation.Kinds[0].Answers, r.Evaluation.AnswerHops = r.Evaluation.Kinds[0].Answers[:1], nil
		}, "none or several"},
		"above the questions": {func(r *Record) { *r.Evaluation.Kinds[0].Answers[1].CorrectGiven = 601 }, "601 right answers"},
		"hops of three":       {func(r *Record) { r.Evaluation.AnswerHops = []float64{1, 2, 3} }, "evaluation.answer_hops: hops of 3 answers of 2"},
		"hops of no model":    {func(r *Record) { r.Evaluation.Hops = nil }, "evaluation.answer_hops"},
		"hops that are none":  {func(r *Record) { r.Evaluation.AnswerHops[1] = math.NaN() }, "evaluation.answer_hops[1]"},
		"kinds that differ": {func(r *Record) {
			r.Evaluation.Kinds = append(r.Evaluation.Kinds, Kind{Name: "other", Total: 1})
		}, "(other): answers: want those of the first kind"},
		"right but diverged": {func(r *Record) {
			r.Status, r.Training.DivergedAt, r.Evaluation.Loss = Diverged, 7, nil
			k := &r.Evaluation.Kinds[0]
			k.Correct, *k.Accepted, k.Answers[0].Correct, k.Answers[1].Correct = 0, 0, 0, 0
			*k.Answers[0].Accepted, *k.Answers[1].Accepted = 0, 0
		}, "588 right answers, want at most 0"},
	} {
		r := pathSample()
		c.change(r)
		if _, err := r.Marshal(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

// Records of runs with one answer have no keys for several answers, so that earlier
// versions can read them.
func TestOneAnswerNeedsNoNewKeys(t *testing.T) {
	data := must.Get(sample().Marshal())(t)
	for _, key := range []string{"answers", "accepted", "answer_hops", "correct_given"} {
		if strings.Contains(string(data), key) {
			t.Errorf("key %s in\n%s", key, data)
		}
	}
}

// Caveats are compared with each other, so that their number is bounded.
func TestTheNumberOfCaveatsIsBounded(t *testing.T) {
	r := sample()
	for i := range 10_000 {
		r.Caveats = append(r.Caveats, datasets.Caveat{Kind: datasets.ReducedSize, Text: fmt.Sprint(i)})
	}
	data := must.Get(json.Marshal(r))(t)
	if _, err := Parse(data); err == nil || !strings.Contains(err.Error(), "caveats: 10002, at most 1000") {
		t.Error(err)
	}
}
