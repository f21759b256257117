package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
	"memobench/report/results"
	"memobench/report/table"
)

// runOf writes a run of seed 0 with answers that are wrong where the pattern has a
// 0, kept or not.
func runOf(t *testing.T, pattern string, keep bool) *results.Set {
	t.Helper()
	dir := t.TempDir()
	r := &record.Record{
		Schema: record.Version, Status: record.Complete, Protocol: record.Protocol{Hash: "1"}, Dataset: record.Dataset{Task: "pai3", Hash: "2"},
		Identity:   record.Identity{Task: "pai3", Label: "memo", Model: "memo"},
		Evaluation: record.Evaluation{Split: "test", Kinds: []record.Kind{{Name: "A-C", Total: len(pattern), Correct: strings.Count(pattern, "1")}}},
	}
	p := record.Predictions{Head: record.PredictionsHead{Schema: record.PredictionsVersion, Protocol: "1", Dataset: "2", Split: "test", Questions: "q", Kinds: []string{"A-C"}}}
	for _, c := range pattern {
		p.Answers = append(p.Answers, record.Prediction{Target: []int32{1}, Answer: []int32{c - '0'}})
	}
	data, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	var answers strings.Builder
	if err := p.Write(&answers); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{record.FileName: string(data)}
	if keep {
		files[record.PredictionsName] = answers.String()
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// One run a side is judged by its counts, or, if both kept their answers, question
// by question, which sees far smaller drops.
func TestOneRunASide(t *testing.T) {
	a := strings.Repeat("1", 900) + strings.Repeat("0", 100)
	b := strings.Repeat("1", 878) + strings.Repeat("0", 122) // the same and 22 more are wrong
	for _, c := range []struct {
		keep   bool
		method hypothesis.Method
		want   Verdict
	}{{false, hypothesis.TwoProportions, Inconclusive}, {true, hypothesis.McNemar, Fail}} {
		r, err := Check(runOf(t, a, c.keep), runOf(t, b, c.keep), Defaults())
		if err != nil {
			t.Fatal(err)
		}
		sound(t, r)
		f := r.Findings[0]
		if f.Method != c.method || f.Verdict != c.want || f.Drop < 2.19 || f.Drop > 2.21 {
			t.Errorf("kept %v: %+v", c.keep, f)
		}
		var text strings.Builder
		if err := r.Print(&text, table.Style{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), string(c.method)+": one run a side; about these two networks") {
			t.Errorf("the text does not say what was used:\n%s", text.String())
		}
	}
}
