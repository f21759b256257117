package record

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/must"
)

func samplePredictions() *Predictions {
	return &Predictions{
		Head: PredictionsHead{Schema: PredictionsVersion, Protocol: "2cb6340db0f0", Dataset: "ab12", Split: "test", Questions: "7e", Kinds: []string{"A-B", "A-C"}},
		Answers: []Prediction{
			{Kind: 0, Target: []int32{3}, Answer: []int32{3}, Choice: new(int32(3))},
			{Kind: 1, Target: []int32{0}, Answer: []int32{-1}, Choice: new(int32(0)), Accepted: new(true)},
		},
	}
}

func written(t testing.TB, p *Predictions) []byte {
	t.Helper()
	var out bytes.Buffer
	must.Do(t, p.Write(&out))
	return out.Bytes()
}

func TestPredictionsSurviveTheirFile(t *testing.T) {
	want := samplePredictions()
	path := filepath.Join(t.TempDir(), PredictionsName)
	must.Do(t, os.WriteFile(path, written(t, want), 0o644))
	got := must.Get(ReadPredictions(path))(t)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if !got.Answers[0].Right() || got.Answers[1].Right() {
		t.Error("right and wrong are mixed up")
	}
}

func TestBrokenPredictionsAreRefusedWithTheirLine(t *testing.T) {
	good := string(written(t, samplePredictions()))
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", "line 1: cut off"},
		"cut off":        {good[:len(good)-5], "line 3: cut off"},
		"other schema":   {strings.Replace(good, `"schema":1`, `"schema":9`, 1), "line 1: schema version 9"},
		"unknown key":    {strings.Replace(good, `"target"`, `"tarket"`, 1), `line 2: json: unknown field "tarket"`},
		"no such kind":   {strings.Replace(good, `"kind":1`, `"kind":2`, 1), "line 3: kind 2 of 2"},
		"two answers":    {strings.Replace(good, `"answer":[3]`, `"answer":[3,4]`, 1), "line 2: 2 answers to 1 targets, want 1"},
		"empty line":     {good + "\n", "line 4: "},
		"objects joined": {strings.Replace(good, "}\n{\"kind\":1", "}{\"kind\":1", 1), "line 2: data after the JSON value"},
	} {
		path := filepath.Join(t.TempDir(), PredictionsName)
		must.Do(t, os.WriteFile(path, []byte(c.text), 0o644))
		if _, err := ReadPredictions(path); err == nil || !strings.Contains(err.Error(), path+": "+c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Answers of another evaluation must not be next to a record.
func TestPredictionsFitOneEvaluation(t *testing.T) {
	p := samplePredictions()
	e := Evaluation{Split: "test", Kinds: []Kind{{Name: "A-B", Total: 1, Correct: 1}, {Name: "A-C", Total: 1}}}
	must.Do(t, p.Fits(&e))
	for what, change := range map[string]func(*Evaluation){
		"of the validation split":      func(e *Evaluation) { e.Split = "validation" },
		"counts 1 of 1 of kind A-C":    func(e *Evaluation) { e.Kinds[1].Correct = 1 },
		"counts 1 of 2 of kind A-B":    func(e *Evaluation) { e.Kinds[0].Total = 2 },
		"kind A-B are right, the reco": func(e *Evaluation) { e.Kinds[0].Name = "X" },
	} {
		other := e
		other.Kinds = append([]Kind{}, e.Kinds...)
		change(&other)
		if err := p.Fits(&other); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
}

// FuzzParsePredictions: any bytes give answers or an error; answers that were read can be
// written and read again.
func FuzzParsePredictions(f *testing.F) {
	good := written(f, samplePredictions())
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte("{}\n"))
	f.Add([]byte("{\"schema\":1,\"kinds\":[\"a\"],\"answers\":[\"x\",\"y\"]}\n{\"kind\":0,\"target\":[1,2],\"answer\":[1,2]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parsePredictions(data)
		if err != nil {
			return
		}
		again := must.Get(parsePredictions(written(t, p)))(t)
		if d := cmp.Diff(written(t, p), written(t, again)); d != "" {
			t.Fatal(d)
		}
		if err := p.Fits(&Evaluation{}); err == nil && len(p.Answers) > 0 {
			t.Fatal("answers fit an evaluation of nothing")
		}
	})
}
