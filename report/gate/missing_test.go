package gate

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/results"
)

// seeds writes runs of ten thousand questions, n with a record and others without,
// and reads them. change may change a record.
func seeds(t *testing.T, n, crashed int, change func(seed int, r *record.Record)) *results.Set {
	t.Helper()
	files := map[string]string{}
	for seed := range n + crashed {
		r := &record.Record{
			Schema: record.Version, Origin: record.Trained, Status: record.Complete, Protocol: record.Protocol{Hash: "1"}, Dataset: record.Dataset{Task: "pai3", Hash: "2"},
			Identity: record.Identity{Task: "pai3", Label: "memo", Model: "memo", Seed: uint64(seed)},
			Evaluation: record.Evaluation{Split: "test", Loss: new(0.01 + float64(seed)/1e4), Kinds: []record.Kind{
				{Name: "A-B", Total: 10000, Correct: 9950 + seed%5}, {Name: "A-C", Total: 10000, Correct: 9900 + seed*7%9}}},
		}
		if change != nil {
			change(seed, r)
		}
		data := must.Get(json.Marshal(r))(t)
		files[fmt.Sprintf("%d/config.yaml", seed)] = "experiments:\n- task: pai3\n  models:\n  - label: memo\n"
		if seed < n {
			files[fmt.Sprintf("%d/%s", seed, record.FileName)] = string(data)
		}
	}
	return readFiles(t, "", files)
}

// A change that crashes runs, leaves some out or copies one of them fails, and
// passes where that is allowed.
func TestMissingRunsFail(t *testing.T) {
	copied := func(seed int, r *record.Record) {
		first := *r
		if seed > 0 {
			r.Evaluation.Loss, r.Evaluation.Kinds = new(0.01), first.Evaluation.Kinds
			for k := range r.Evaluation.Kinds {
				r.Evaluation.Kinds[k].Correct = []int{9950, 9900}[k]
			}
		}
	}
	lacking := func(seed int, r *record.Record) {
		if seed > 7 {
			r.Evaluation.Kinds = r.Evaluation.Kinds[:1]
		}
	}
	for name, c := range map[string]struct {
		a, b    *results.Set
		say     string
		allowed Verdict
	}{
		"3 of 10":                 {seeds(t, 10, 0, nil), seeds(t, 3, 0, nil), "FAIL pai3 memo: 3 of 10 runs count, 10 of 10 in the baseline (--allow-missing", Pass},
		"1 of 10":                 {seeds(t, 10, 0, nil), seeds(t, 1, 0, nil), "FAIL pai3 memo: 1 of 10 runs count", Pass},
		"9 of 10 crash":           {seeds(t, 10, 0, nil), seeds(t, 1, 9, nil), "FAIL pai3 memo: 1 of 10 runs count, 10 of 10 in the baseline: ", Pass},
		"one crashes":             {seeds(t, 10, 0, nil), seeds(t, 9, 1, nil), "9 has no record.json: the run crashed or has not ended (--allow-missing", Pass},
		"one more, that crashes":  {seeds(t, 10, 0, nil), seeds(t, 10, 1, nil), "FAIL pai3 memo: 10 of 11 runs count, 10 of 10 in the baseline", Pass},
		"all crash":               {seeds(t, 10, 0, nil), seeds(t, 0, 10, nil), "FAIL pai3 memo: 0 of 10 runs count", Fail},
		"as many crash":           {seeds(t, 9, 1, nil), seeds(t, 9, 1, nil), "", Pass},
		"more than before crash":  {seeds(t, 9, 1, nil), seeds(t, 8, 2, nil), "FAIL pai3 memo: 8 of 10 runs count, 9 of 10 in the baseline", Pass},
		"fewer crash":             {seeds(t, 8, 2, nil), seeds(t, 10, 0, nil), "", Pass},
		"one run copied":          {seeds(t, 10, 0, nil), seeds(t, 5, 0, copied), "FAIL pai3 memo: 1 of 10 runs count, 10 of 10 in the baseline: seed 1 (", Pass},
		"a query type is lacking": {seeds(t, 10, 0, nil), seeds(t, 10, 0, lacking), "FAIL pai3 memo A-C accuracy: 2 of 10 runs lack it, 0 of 10 in the baseline", Pass},
	} {
		want := Fail
		if c.say == "" {
			want = Pass
		}
		o := Defaults()
		r, err := Check(c.a, c.b, o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sound(t, r)
		if text := strings.Join(r.problems(), "\n"); r.Verdict != want || !strings.Contains(text, c.say) {
			t.Errorf("%s: %s, want %s with %q:\n%s", name, r.Verdict, want, c.say, text)
		}
		o.AllowMissing = true
		if r, err = Check(c.a, c.b, o); err != nil || r.Verdict != c.allowed {
			t.Errorf("%s, allowed: %+v, %v", name, r.problems(), err)
		}
		sound(t, r)
	}
}
