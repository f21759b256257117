package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/must"
)

// FuzzParse: any bytes give a record or an error. A record that was read can be written
// and read again, also in the Go benchmark format.
func FuzzParse(f *testing.F) {
	whole := must.Get(sample().Marshal())(f)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	if data, err := pathSample().Marshal(); err != nil {
		f.Fatal(err)
	} else {
		f.Add(data)
	}
	if data, err := shiftedSample().Marshal(); err != nil {
		f.Fatal(err)
	} else {
		f.Add(data)
	}
	diverged := sample()
	diverged.Status, diverged.Training.DivergedAt, diverged.Training.Loss, diverged.Evaluation.Loss = Diverged, 7, nil, nil
	for i := range diverged.Evaluation.Kinds {
		diverged.Evaluation.Kinds[i].Correct, diverged.Evaluation.Kinds[i].ChoiceCorrect = 0, nil
	}
	if data, err := diverged.Marshal(); err != nil {
		f.Fatal(err)
	} else {
		f.Add(data)
	}
	for _, seed := range []string{
		"", "{}", "null", "[]", `{"schema": 1}`, `{"schema": 3}`, `{"schema": "1"}`, `{"schema": 1} {}`,
		`{"schema":1,"identity":{"task":"pai3","label":"a","model":"b"},"status":"complete","protocol":{"hash":"1"},"dataset":{"hash":"2"},` +
			`"evaluation":{"split":"test","kinds":[{"name":"A-B","total":2,"correct":1}]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data)
		if err != nil {
			return
		}
		text, err := r.Marshal()
		if err != nil {
			t.Fatalf("read, but cannot be written: %v", err)
		}
		again, err := Parse(text)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, text)
		}
		second := must.Get(again.Marshal())(t)
		if d := cmp.Diff(string(text), string(second)); d != "" {
			t.Fatalf("changed on its way through the file:\n%s", d)
		}
		bench, err := r.Bench()
		if err != nil {
			t.Fatalf("no copy: %v\n%s", err, text)
		}
		parse(t, bench)
	})
}
