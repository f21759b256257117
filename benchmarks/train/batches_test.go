package train

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
)

type failingSource struct {
	toySource
	at int
}

func (s *failingSource) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	if step == s.at {
		return errors.New("disk on fire")
	}
	return s.toySource.Batch(dst, split, seed, step, size)
}

func TestStreamGivesTheBatchesInOrderAndStops(t *testing.T) {
	src := &failingSource{toySource{toySettings: toySettings{Words: 10}}, 7}
	s := newStream(drawBatches(src, 5, 4, nil, models.Training{}), src.Shape(), 3, 100)
	want := new(datasets.Batch)
	for step := 3; step < 7; step++ {
		b := must.Get(s.next())(t)
		must.Do(t, src.toySource.Batch(want, datasets.Train, 5, step, 4))
		if d := cmp.Diff(want.Queries, b.Queries); d != "" {
			t.Errorf("step %d:\n%s", step, d)
		}
	}
	if _, err := s.next(); err == nil || !strings.Contains(err.Error(), "step 7: disk on fire") {
		t.Errorf("error %v", err)
	}
	s.close()
	// Closing must not wait for a consumer.
	s = newStream(drawBatches(&src.toySource, 5, 4, nil, models.Training{}), src.Shape(), 0, 1_000_000)
	done := make(chan struct{})
	go func() { s.close(); close(done) }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("close hangs")
	}
}

// TestSampledHopsAreRepeatable: a policy that is sampled while it is evaluated draws
// the same hops in the record, after training, and for the weights from a file.
func TestSampledHopsAreRepeatable(t *testing.T) {
	p := must.Get(study.Parse("sampled", []byte(`
experiments:
  - task: pai3
    settings: {classes: 40, sequences: 4}
    protocol: {batch_size: 8, steps: 3, evaluate_every: 3, validation_per_kind: 10, test_per_kind: 20}
    seeds: [0]
    runs:
      - model: memo
        config: {width: 8, hops: 6, halting: reinforce, sample_halting: true, bias_init: 0}
        training: {optimizer: adam, learning_rate: 0.001}
`)))(t)
	dir := t.TempDir()
	rec := mustRun(t, p.Cells()[0], Options{Dir: dir})
	again := must.Get(evaluate.Stored(t.Context(), dir, evaluate.Options{Split: datasets.Test}))(t)
	if d := cmp.Diff(rec.Evaluation, again.Evaluation); d != "" {
		t.Errorf("-record +eval:\n%s", d)
	}
	if h := *rec.Evaluation.Hops; h == math.Trunc(h) {
		t.Errorf("%g hops: nothing was sampled", h)
	}
}
