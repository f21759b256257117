package train

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/must"
)

// pathPreset has small paths with two nodes.
const pathPreset = `
about: small shortest paths
experiments:
  - task: sp
    settings: {nodes: 8, degree: 2, length: 3, vocabulary: 20}
    protocol: {batch_size: 16, steps: 60, evaluate_every: 20, validation_per_kind: 30, test_per_kind: 40}
    seeds: [0]
    runs:
      - name: memo
        model: memo
        config: {heads: 2, embedding: 8, width: 8, answer_width: 16, hops: 2, wh: none, answer_std: 0.1,
                 halting: reinforce, halt_gru: 4, halt_mlp: 4, bias_init: 0.1}
        training: {optimizer: adam, learning_rate: 1e-2}
      - {name: emn, model: emn, config: {width: 8, hops: 2}, training: {optimizer: adam, learning_rate: 1e-2}}
      - name: dnc
        model: dnc
        config: {embedding: 8, input: 8, hidden: 8, word: 8, read_heads: 1, ponder: 1, output: 8}
        training: {optimizer: adam, learning_rate: 1e-2}
      - name: ut
        model: ut
        config: {embedding: 8, hidden: 8, attention: 8, heads: 2, transition: 8, recurrent_steps: 2}
        training: {optimizer: adam, learning_rate: 1e-2}
`

// pathCell returns a model's cell of the preset after some overrides.
func pathCell(t *testing.T, model string, overrides ...string) study.Cell {
	t.Helper()
	p, err := study.Parse("path", []byte(pathPreset))
	if err == nil {
		err = p.Select(nil, []string{model})
	}
	for _, o := range overrides {
		if err == nil {
			err = p.Set(o)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return p.Cells()[0]
}

// Each model's answers are counted separately, in the record and in the curve, and
// evaluating the weights again gives the same.
func TestEveryModelIsEvaluatedAnswerByAnswer(t *testing.T) {
	for _, model := range []string{"memo", "emn", "dnc", "ut"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			rec := mustRun(t, pathCell(t, model), Options{Dir: dir})
			points := curveOf(t, dir)
			if len(points) != 3 {
				t.Fatalf("%d points", len(points))
			}
			evaluated := map[string]*record.Kind{"record": &rec.Evaluation.Kinds[0]}
			for i := range points {
				evaluated[fmt.Sprint("point of step ", points[i].Step)] = &points[i].Kinds[0]
			}
			for where, k := range evaluated {
				if d := cmp.Diff([]string{"node 1", "node 2"}, (&record.Evaluation{Kinds: []record.Kind{*k}}).AnswerNames()); d != "" {
					t.Fatalf("%s: answers\n%s", where, d)
				}
				// The DNC gives both answers after one query.
				if feedsBack := model != "dnc"; k.Answers[0].CorrectGiven != nil || (k.Answers[1].CorrectGiven != nil) != feedsBack || k.Accepted != nil {
					t.Errorf("%s: %+v", where, k)
				} else if !feedsBack {
					continue
				}
				// If both answers are right free running, the second is right with teacher forcing.
				if *k.Answers[1].CorrectGiven < k.Correct {
					t.Errorf("%s: %d right given the first node, %d right as a whole", where, *k.Answers[1].CorrectGiven, k.Correct)
				}
			}
			if has := rec.Evaluation.Hops != nil; has != (len(rec.Evaluation.AnswerHops) == 2) {
				t.Errorf("hops %v, by answer %v", rec.Evaluation.Hops, rec.Evaluation.AnswerHops)
			}
			again := must.Get(evaluate.Stored(context.Background(), dir, evaluate.Options{Split: datasets.Test}))(t)
			if d := cmp.Diff(rec.Evaluation, again.Evaluation); d != "" {
				t.Errorf("-record +eval:\n%s", d)
			}
		})
	}
}

// With several answers, too, the same seed gives the same record, and an interrupted run
// ends like an uninterrupted one.
func TestSeveralAnswersResume(t *testing.T) {
	for _, overrides := range [][]string{nil, {"task.targets=random", "selection=best-validation"}} {
		cell, dir := pathCell(t, "memo", overrides...), t.TempDir()
		want := finish(t, cell, t.TempDir())
		if accepted := want.Record.Evaluation.Kinds[0].Accepted; (accepted != nil) != (overrides != nil) {
			t.Errorf("%v: accepted %v", overrides, accepted)
		}
		for _, stop := range []int{7, 20, 41} {
			stopAt(t, cell, Options{Dir: dir, Resume: true}, stop)
		}
		if d := cmp.Diff(want, finish(t, cell, dir)); d != "" {
			t.Errorf("%v (-whole +resumed):\n%s", overrides, d)
		}
	}
}

// The levels of the early-stop rule are accuracies of whole questions: all answers right.
func TestEarlyStopAsksForAllAnswers(t *testing.T) {
	w := new(watcher)
	rec := mustRun(t, pathCell(t, "memo", "steps=400", "memo.halting=fixed", "early_stop={accuracy: {path: 10}, evaluations: 2}"),
		watched(Options{Dir: t.TempDir()}, w))
	if rec.Status != record.EarlyStopped {
		t.Fatalf("%s after %d steps: the level is too high to test anything", rec.Status, rec.Training.Steps)
	}
	n, easier := len(w.points), false
	for i, p := range w.points {
		k := p.Kinds[0]
		if reached := 10*k.Correct >= k.Total; reached && i < n-2 && 10*w.points[i+1].Kinds[0].Correct >= k.Total || !reached && i >= n-2 {
			t.Errorf("point %d of %d: %+v", i, n, k)
		}
		easier = easier || i < n-2 && 10*k.Answers[0].Correct >= k.Total
	}
	if !easier {
		t.Error("no single answer reaches the level before the path: this tests nothing")
	}
	_, err := Run(context.Background(), pathCell(t, "memo", "early_stop={accuracy: {paht: 10}, evaluations: 2}"), Options{Dir: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), `did you mean "path"`) {
		t.Errorf("unknown kind: %v", err)
	}
}

// A warning about an answer network without active units names the answer. Some runs have
// one, from large initial values and without warm-up.
func TestDeadAnswerIsReported(t *testing.T) {
	for seed := range uint64(10) {
		c := pathCell(t, "memo", "memo.halting=fixed", "answer_std=10", "answer_bias=false", "memo.learning_rate=1", "memo.dropout_attention=0")
		c.Seed = seed
		w := new(watcher)
		rec := mustRun(t, c, watched(Options{Dir: t.TempDir()}, w))
		for _, warning := range rec.Training.Warnings {
			if strings.HasPrefix(warning.Text, "answer MLP of answer ") {
				if warning.First < 1 || warning.Steps < 1 || warning.Steps > rec.Training.Steps {
					t.Errorf("%+v", warning)
				}
				if !slices.ContainsFunc(w.warned, func(text string) bool { return strings.HasSuffix(text, warning.Text) }) {
					t.Errorf("%q is not among what was said: %q", warning.Text, w.warned)
				}
				return
			}
		}
	}
	t.Error("no run's answer network dies: this tests nothing")
}
