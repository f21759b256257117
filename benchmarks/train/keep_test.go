package train

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/datasets/must"
)

func keptIn(t *testing.T, dir string) *record.Predictions {
	t.Helper()
	return must.Get(record.ReadPredictions(filepath.Join(dir, record.PredictionsName)))(t)
}

// The kept answers give the record's counts, whether they are kept during the evaluation,
// later by the same call, or by evaluating the weights again.
func TestKeptAnswersAreThoseOfTheRecord(t *testing.T) {
	dir := t.TempDir()
	rec := mustRun(t, toyCell(t), Options{Dir: dir, KeepPredictions: true})
	first := keptIn(t, dir)
	if err := first.Fits(&rec.Evaluation); err != nil {
		t.Error(err)
	}
	choices := make([]int, len(rec.Evaluation.Kinds))
	for _, a := range first.Answers {
		if a.Choice != nil && *a.Choice == a.Target[0] {
			choices[a.Kind]++
		}
	}
	for i, k := range rec.Evaluation.Kinds {
		if k.ChoiceCorrect == nil || choices[i] != *k.ChoiceCorrect {
			t.Errorf("kind %s: %d right among the choices, the record has %v", k.Name, choices[i], k.ChoiceCorrect)
		}
	}
	if h := first.Head; h.Protocol != rec.Protocol.Hash || h.Dataset != rec.Dataset.Hash || h.Names != nil {
		t.Errorf("head %+v", h)
	}
	path := filepath.Join(dir, record.PredictionsName)
	must.Do(t, os.Remove(path))
	mustRun(t, toyCell(t), Options{Dir: dir, Resume: true, KeepPredictions: true})
	if d := cmp.Diff(first, keptIn(t, dir)); d != "" {
		t.Errorf("kept later:\n%s", d)
	}
	must.Do(t, os.Remove(path))
	r, err := evaluate.Stored(context.Background(), dir, evaluate.Options{Split: datasets.Test, KeepPredictions: true})
	if err != nil || r.Predictions != path {
		t.Fatalf("kept in %q, %v", r.Predictions, err)
	}
	if d := cmp.Diff(first, keptIn(t, dir)); d != "" {
		t.Errorf("kept by evaluating again:\n%s", d)
	}
	mustRun(t, toyCell(t), Options{Dir: dir, Overwrite: true})
	if _, err := os.Stat(path); err == nil {
		t.Error("answers of the run before are still there")
	}
}

// Several answers are kept separately, and accepted answers other than the target, too.
func TestSeveralAnswersAreKept(t *testing.T) {
	dir := t.TempDir()
	rec := mustRun(t, pathCell(t, "emn", "task.targets=random"), Options{Dir: dir, KeepPredictions: true})
	p := keptIn(t, dir)
	if err := p.Fits(&rec.Evaluation); err != nil {
		t.Error(err)
	}
	k := rec.Evaluation.Kinds[0]
	right, accepted := make([]int, len(k.Answers)), 0
	for _, one := range p.Answers {
		for a := range right {
			if one.Answer[a] == one.Target[a] {
				right[a]++
			}
		}
		if *one.Accepted {
			accepted++
		}
	}
	for a, one := range k.Answers {
		if right[a] != one.Correct || p.Head.Names[a] != one.Name {
			t.Errorf("%s: %d right, the record has %d (%s)", p.Head.Names[a], right[a], one.Correct, one.Name)
		}
	}
	if accepted != *k.Accepted {
		t.Errorf("%d accepted, the record has %d", accepted, *k.Accepted)
	}
}

// Answers to other questions, or on other data, are not written next to a record.
func TestAnswersOfAnotherEvaluationAreNotKept(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, toyCell(t), Options{Dir: dir})
	for what, o := range map[string]evaluate.Options{
		"questions are not those": {Split: datasets.Validation},
		"other data":              {Split: datasets.Test, DataPath: "changed"},
	} {
		o.KeepPredictions = true
		if _, err := evaluate.Stored(context.Background(), dir, o); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, record.PredictionsName)); err == nil {
		t.Error("answers were written")
	}
}

// A run that diverged has no answers.
func TestAnswersOfARunThatDiverged(t *testing.T) {
	dir := t.TempDir()
	cell := toyCell(t, "soft.diverge_at=45")
	rec := mustRun(t, cell, Options{Dir: dir, KeepPredictions: true})
	if rec.Status != record.Diverged {
		t.Fatalf("status %s", rec.Status)
	}
	first := keptIn(t, dir)
	if err := first.Fits(&rec.Evaluation); err != nil {
		t.Error(err)
	}
	for _, one := range first.Answers {
		if one.Answer[0] != -1 {
			t.Fatalf("answer %v", one.Answer)
		}
	}
	must.Do(t, os.Remove(filepath.Join(dir, record.PredictionsName)))
	mustRun(t, cell, Options{Dir: dir, Resume: true, KeepPredictions: true})
	if d := cmp.Diff(first, keptIn(t, dir)); d != "" {
		t.Error(d)
	}
}

// Only the protocol's own questions give a record, which is checked before the evaluation.
func TestOtherQuestionsMakeNoRecord(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	mustRun(t, toyCell(t), Options{Dir: dir})
	for _, o := range []evaluate.Options{{Split: datasets.Train}, {Split: datasets.Test, PerKind: 3}, {Split: datasets.Test, Seed: new(uint64(7))}} {
		o.Out = out
		if _, err := evaluate.Stored(context.Background(), dir, o); err == nil || !strings.Contains(err.Error(), "questions are not those") {
			t.Errorf("%+v: %v", o, err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%+v: %s was made", o, out)
		}
	}
}
