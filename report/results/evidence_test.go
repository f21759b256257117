package results

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// A record whose counts its true learning curve contradicts has a caveat; small changes
// could be chance.
func TestCountsFarFromTheLearningCurveAreLabelled(t *testing.T) {
	recorded := filepath.Join("..", "..", "benchmarks", "recorded")
	all, err := Open(recorded)
	if err != nil || len(all.Runs) < 300 {
		t.Fatalf("%d runs (%v)", len(all.Runs), err)
	}
	for _, r := range all.Runs {
		if r.Record.Caveats.Has(record.StatedCounts) {
			t.Errorf("%s: %q", r.Path, r.Record.Caveats.Texts())
		}
	}
	run := filepath.Join(recorded, "small", "dnc-neutral-0")
	rec := must.Get(record.ReadFile(filepath.Join(run, record.FileName)))(t)
	honest := rec.Evaluation.Kinds[2].Correct // A-C, of 1,000
	for correct, labelled := range map[int]bool{honest + 30: false, honest + 200: true, honest - 250: true} {
		dir := t.TempDir()
		must.Do(t, os.CopyFS(dir, os.DirFS(run)))
		os.Remove(filepath.Join(dir, record.PredictionsName)) // of answers the counts follow
		rec.Evaluation.Kinds[2].Correct, rec.Evaluation.Kinds[2].ChoiceCorrect = correct, new(correct)
		data := must.Get(rec.Marshal())(t)
		must.Do(t, os.WriteFile(filepath.Join(dir, record.FileName), data, 0o644))
		r := must.Get(Open(dir))(t)
		got := strings.Join(r.Runs[0].Record.Caveats.Texts(), "; ")
		if want := "the counts are as the record states them: on A-C it has "; strings.Contains(got, want) != labelled {
			t.Errorf("%d right, %d stated: %q", honest, correct, got)
		}
	}
}
