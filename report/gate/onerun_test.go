package gate

import (
	"fmt"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/compare/hypothesis"
	"memobench/report/results"
	"memobench/report/table"
)

// runOf writes a run of seed 0 with answers that are wrong where the pattern has a
// 0, kept or not.
func runOf(t *testing.T, pattern string, keep bool) *results.Set {
	t.Helper()
	r := &record.Record{
		Schema: record.Version, Origin: record.Trained, Status: record.Complete, Protocol: record.Protocol{Hash: "1"}, Dataset: record.Dataset{Task: "pai3", Hash: "2"},
		Identity:   record.Identity{Task: "pai3", Label: "memo", Model: "memo"},
		Evaluation: record.Evaluation{Split: "test", Kinds: []record.Kind{{Name: "A-C", Total: len(pattern), Correct: strings.Count(pattern, "1")}}},
	}
	p := record.Predictions{Head: record.PredictionsHead{Schema: record.PredictionsVersion, Protocol: "1", Dataset: "2", Split: "test", Questions: "q", Kinds: []string{"A-C"}}}
	for _, c := range pattern {
		p.Answers = append(p.Answers, record.Prediction{Target: []int32{1}, Answer: []int32{c - '0'}})
	}
	data := must.Get(r.Marshal())(t)
	var answers strings.Builder
	must.Do(t, p.Write(&answers))
	files := map[string]string{record.FileName: string(data)}
	if keep {
		files[record.PredictionsName] = answers.String()
	}
	return readFiles(t, "", files)
}

// One run a side is evaluated by its counts, or, if both kept their answers, question
// by question, which sees far smaller drops.
func TestOneRunASide(t *testing.T) {
	a := strings.Repeat("1", 900) + strings.Repeat("0", 100)
	b := strings.Repeat("1", 878) + strings.Repeat("0", 122) // the same and 22 more are wrong
	for _, c := range []struct {
		keep   bool
		method hypothesis.Method
		want   Verdict
	}{{false, hypothesis.TwoProportions, Inconclusive}, {true, hypothesis.McNemar, Fail}} {
		r := must.Get(Check(runOf(t, a, c.keep), runOf(t, b, c.keep), Defaults()))(t)
		sound(t, r)
		f := r.Findings[0]
		if f.Method != c.method || f.Verdict != c.want || f.Drop < 2.19 || f.Drop > 2.21 {
			t.Errorf("kept %v: %+v", c.keep, f)
		}
		var text strings.Builder
		must.Do(t, r.Print(&text, table.Style{}))
		if !strings.Contains(text.String(), string(c.method)+": one run a side; about these two networks") {
			t.Errorf("the text does not say what was used:\n%s", text.String())
		}
	}
}

func TestAnnotations(t *testing.T) {
	a := bench("A-C", "accuracy", high...) + bench("A-B", "accuracy", noisy...)
	b := bench("A-C", "accuracy", low...) + bench("A-B", "accuracy", 90, 99, 84, 95, 96)
	r := check(t, a, b, Defaults())
	var out strings.Builder
	must.Do(t, r.GitHub(&out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "::error title=memobench%3A accuracy regressed::pai3 memo A-C accuracy: drop of 3.00") ||
		!strings.HasPrefix(lines[1], "::warning title=memobench%3A too few runs to tell::pai3 memo A-B accuracy: ") ||
		lines[2] != "::notice title=memobench%3A regression gate::FAIL: 2 cells checked, 1 fail, 1 inconclusive" {
		t.Errorf("%s", out.String())
	}
	// GitHub shows ten of a kind: the tenth counts the rest.
	a, b = "", ""
	for i := range 14 {
		a, b = a+bench(fmt.Sprint("k", i), "accuracy", high...), b+bench(fmt.Sprint("k", i), "accuracy", low...)
	}
	out.Reset()
	must.Do(t, check(t, a, b, Defaults()).GitHub(&out))
	if n := strings.Count(out.String(), "::error "); n != 10 || !strings.Contains(out.String(), "::and 5 more: see the log\n") {
		t.Errorf("%d errors:\n%s", n, out.String())
	}
}
