package train

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/must"
)

// The preset standard trains shortest path at sizes of the user's own, and the
// record names them.
func TestShortestPathTrainsAtAnySizes(t *testing.T) {
	for _, model := range []string{"memo", "emn"} {
		t.Run(model, func(t *testing.T) {
			p := must.Get(study.Load("standard"))(t)
			must.Do(t, p.Select([]string{"sp"}, []string{model}))
			for _, set := range []string{"nodes=9", "degree=2", "length=4", "labels=random", "steps=6", "evaluate_every=3",
				"validation_per_kind=5", "test_per_kind=7", "batch_size=8", "model.width=16"} {
				must.Do(t, p.Set(set))
			}
			cell := p.Cells()[0]
			rec := mustRun(t, cell, Options{Dir: t.TempDir()})
			if rec.Dataset.Task != "sp9-2-4" || rec.Identity.Task != "sp" || rec.Training.Steps != 6 || rec.Training.Examples != 48 {
				t.Errorf("%+v\n%+v\n%+v", rec.Identity, rec.Dataset, rec.Training)
			}
			if p := rec.Dataset.Presentation; p.Title != "Shortest paths of 4 edges, 9 nodes, out-degree 2 (sp9-2-4)" || p.Paper != "" {
				t.Errorf("presentation %+v", p)
			}
			if !slices.Contains(rec.Caveats.Texts(), "sizes 9-2-4 are not in the paper") {
				t.Errorf("labels %q", rec.Caveats.Texts())
			}
			kinds := rec.Evaluation.Kinds
			if len(kinds) != 1 || kinds[0].Total != 7 {
				t.Fatalf("kinds %+v", kinds)
			}
			var names []string
			for _, a := range kinds[0].Answers {
				names = append(names, a.Name)
			}
			if d := cmp.Diff([]string{"node 1", "node 2", "node 3"}, names); d != "" {
				t.Errorf("answers:\n%s", d)
			}
		})
	}
}

// On embeddings both accuracies are counted, among all classes and between the two items
// of the query, and evaluating the weights again gives the same.
func TestEmbeddingsAreEvaluatedBothWays(t *testing.T) {
	p := must.Get(study.Parse("items", []byte(`
about: small embeddings
experiments:
  - task: pai3-embeddings
    settings: {classes: 40, sequences: 4, features: 16, train_items: 400, validation_items: 80, test_items: 80}
    protocol: {batch_size: 16, steps: 100, evaluate_every: 50, validation_per_kind: 20, test_per_kind: 100}
    seeds: [0]
    runs: [{model: emn, config: {width: 16, hops: 2}, training: {optimizer: adam, learning_rate: 1e-2}}]
`)))(t)
	dir := t.TempDir()
	rec := mustRun(t, p.Cells()[0], Options{Dir: dir})
	for _, k := range rec.Evaluation.Kinds {
		if k.Total != 100 || k.ChoiceCorrect == nil || *k.ChoiceCorrect <= k.Correct || k.Answers != nil {
			t.Errorf("%+v, want 100 questions with two accuracies", k)
		}
	}
	again := must.Get(evaluate.Stored(t.Context(), dir, evaluate.Options{Split: datasets.Test}))(t)
	if d := cmp.Diff(rec.Evaluation, again.Evaluation); d != "" {
		t.Errorf("-record +eval:\n%s", d)
	}
}

// stories returns a preset of two bAbI tasks, in small.
func stories(t *testing.T) *study.Study {
	t.Helper()
	p := must.Get(study.Parse("stories", []byte(`
about: simulated stories
experiments:
  - task: babi
    settings: {tasks: "1,15"}
    protocol: {batch_size: 8, steps: 10, evaluate_every: 10, validation_per_kind: 20, test_per_kind: 30}
    seeds: [0]
    runs: [{model: emn, config: {width: 8, hops: 2}, training: {optimizer: adam, learning_rate: 1e-2}}]
`)))(t)
	return p
}

// A run that resumes without the files of its training says what the data are now, and how to name
// those of training.
func TestResumingOnOtherDataSaysHowToNameThem(t *testing.T) {
	small := must.Get(filepath.Abs("../../datasets/babi/testdata/small"))(t)
	t.Chdir(t.TempDir())
	p, o := stories(t), Options{Dir: t.TempDir(), Resume: true}
	must.Do(t, p.Set("task.tasks=1"))
	t.Setenv("MEMOBENCH_BABI", small)
	mustRun(t, p.Cells()[0], o)
	t.Setenv("MEMOBENCH_BABI", "")
	_, err := Run(t.Context(), p.Cells()[0], o)
	if !errors.Is(err, errOtherData) {
		t.Fatalf("error %v", err)
	}
	if !strings.Contains(err.Error(), "$MEMOBENCH_BABI") || !strings.Contains(err.Error(), ", simulated stories") {
		t.Error(err)
	}
	o.DataPath = small
	mustRun(t, p.Cells()[0], o)
}

// bAbI runs without files, and its records say on which data.
func TestBabiRunsWithoutFilesAndSaysSo(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("MEMOBENCH_BABI", "")
	p := stories(t)
	rec := mustRun(t, p.Cells()[0], Options{Dir: t.TempDir()})
	if !slices.ContainsFunc(rec.Caveats.Texts(), func(l string) bool { return strings.Contains(l, "simulated stories") }) ||
		rec.Dataset.Settings["source"] != "simulated" {
		t.Errorf("labels %q, settings %v", rec.Caveats.Texts(), rec.Dataset.Settings)
	}
	must.Do(t, p.Set("task.source=files"))
	if _, err := Run(t.Context(), p.Cells()[0], Options{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "no bAbI data found") {
		t.Errorf("with source=files: %v", err)
	}
}
