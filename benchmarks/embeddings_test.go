package benchmarks

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets"
)

// On embeddings both accuracies are counted, among all classes and between the
// two items shown, and judging the weights again gives the same.
func TestEmbeddingsAreJudgedBothWays(t *testing.T) {
	p, err := ParsePreset("items", []byte(`
about: small embeddings
experiments:
  - task: pai3-embeddings
    settings: {classes: 40, sequences: 4, features: 16, train_items: 400, validation_items: 80, test_items: 80}
    protocol: {batch_size: 16, steps: 100, evaluate_every: 50, validation_per_kind: 20, test_per_kind: 100}
    seeds: [0]
    models: [{model: emn, config: {width: 16, hops: 2}, training: {optimizer: adam, learning_rate: 1e-2}}]
`))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	rec := mustRun(t, p.Cells()[0], Options{Dir: dir})
	for _, k := range rec.Evaluation.Kinds {
		if k.Total != 100 || k.ChoiceCorrect == nil || *k.ChoiceCorrect <= k.Correct || k.Answers != nil {
			t.Errorf("%+v, want 100 questions with two accuracies", k)
		}
	}
	again, err := EvalRun(t.Context(), dir, EvalOptions{Split: datasets.Test})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(rec.Evaluation, again.Evaluation); d != "" {
		t.Errorf("-record +eval:\n%s", d)
	}
}
