package results

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// keepAnswers writes answers next to a record: right where the pattern has a 1.
func keepAnswers(t *testing.T, r *record.Record, dir string, patterns ...string) {
	t.Helper()
	p := record.Predictions{Head: record.PredictionsHead{Schema: record.PredictionsVersion, Protocol: r.Protocol.Hash, Dataset: r.Dataset.Hash, Split: "test", Questions: "q"}}
	for kind, pattern := range patterns {
		p.Head.Kinds = append(p.Head.Kinds, r.Evaluation.Kinds[kind].Name)
		for _, c := range pattern {
			p.Answers = append(p.Answers, record.Prediction{Kind: kind, Target: []int32{1}, Answer: []int32{c - '0'}})
		}
		r.Evaluation.Kinds[kind] = record.Kind{Name: r.Evaluation.Kinds[kind].Name, Total: len(pattern), Correct: strings.Count(pattern, "1")}
	}
	var out strings.Builder
	must.Do(t, p.Write(&out))
	for name, text := range map[string]string{record.FileName: marshal(t, r), record.PredictionsName: out.String()} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
}

func TestPairedAnswers(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	keepAnswers(t, sample(0, 0, 0), a, "11110", "1100")
	keepAnswers(t, sample(0, 0, 0), b, "10011", "1110")
	pairs, _, _, err := Match(read(t, a), read(t, b))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, p := range pairs {
		d := must.Get(Paired(p.A.Key, p.A.Samples[0], p.B.Samples[0]))(t)
		if d != nil {
			got[p.A.Label()] = fmt.Sprint(*d)
		}
	}
	want := map[string]string{"pai3 memo all accuracy": "{2 2 9}", "pai3 memo A-B accuracy": "{2 1 5}", "pai3 memo A-C accuracy": "{0 1 4}"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	t.Run("other questions", func(t *testing.T) {
		path := filepath.Join(b, record.PredictionsName)
		text := must.Get(os.ReadFile(path))(t)
		must.Do(t, os.WriteFile(path, []byte(strings.Replace(string(text), `"questions":"q"`, `"questions":"x"`, 1)), 0o644))
		x, y := read(t, a).Cells[0], read(t, b).Cells[0]
		if _, err := Paired(x.Key, x.Samples[0], y.Samples[0]); err == nil || !strings.Contains(err.Error(), "different questions") {
			t.Error(err)
		}
	})
	t.Run("of another record", func(t *testing.T) {
		must.Do(t, os.WriteFile(filepath.Join(b, record.FileName), []byte(marshal(t, sample(0, 5, 5))), 0o644))
		x, y := read(t, a).Cells[0], read(t, b).Cells[0]
		if _, err := Paired(x.Key, x.Samples[0], y.Samples[0]); err == nil || !strings.Contains(err.Error(), "does not belong to the record") {
			t.Error(err)
		}
	})
}
