package benchmarks

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets"
)

func TestCount(t *testing.T) {
	nan := float32(math.NaN())
	// Four questions, five words: right, wrong but right among the choices,
	// wrong altogether, no number at all.
	b := &datasets.Batch{
		Answers: 1, NumChoices: 2,
		Targets: []int32{3, 1, 0, 2},
		Kinds:   []int32{0, 1, 1, 0},
		Choices: []int32{3, 4, 1, 2, 0, 1, 2, 3},
	}
	scores := []float32{
		0, 1, 2, 9, 3,
		9, 5, 4, 0, 0,
		1, 2, 0, 0, 0,
		nan, nan, nan, nan, nan,
	}
	kinds := []record.Kind{{Name: "x"}, {Name: "y"}}
	count(kinds, b, scores, 5)
	want := []record.Kind{
		{Name: "x", Total: 2, Correct: 1, ChoiceCorrect: new(1)},
		{Name: "y", Total: 2, Correct: 0, ChoiceCorrect: new(1)},
	}
	if d := cmp.Diff(want, kinds); d != "" {
		t.Error(d)
	}
}

// A question with several answers is right when all are.
func TestCountSeveralAnswers(t *testing.T) {
	b := &datasets.Batch{Answers: 2, Targets: []int32{0, 1, 0, 1}, Kinds: []int32{0, 0}}
	kinds := []record.Kind{{Name: "path"}}
	count(kinds, b, []float32{1, 0, 0, 1, 1, 0, 1, 0}, 2)
	if k := kinds[0]; k.Total != 2 || k.Correct != 1 || k.ChoiceCorrect != nil {
		t.Errorf("%+v", k)
	}
}

// Equal scores: the lowest id, among all words and among the choices alike, so
// that a right answer is never wrong among the choices.
func TestTies(t *testing.T) {
	scores := []float32{0, 7, 7, 7}
	if got := argmax(scores); got != 1 {
		t.Errorf("argmax %d, want 1", got)
	}
	if got := best(scores, []int32{3, 2, 0}); got != 2 {
		t.Errorf("best choice %d, want 2", got)
	}
	if got := argmax([]float32{float32(math.NaN()), -1}); got != 1 {
		t.Errorf("argmax beside NaN %d, want 1", got)
	}
}

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
	src := &failingSource{toySource{toySettings{Words: 10}}, 7}
	s := newStream(src, 5, 3, 100, 4)
	want := new(datasets.Batch)
	for step := 3; step < 7; step++ {
		b, err := s.next()
		if err != nil {
			t.Fatal(err)
		}
		if err := src.toySource.Batch(want, datasets.Train, 5, step, 4); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want.Queries, b.Queries); d != "" {
			t.Errorf("step %d:\n%s", step, d)
		}
		s.release(b)
	}
	if _, err := s.next(); err == nil || !strings.Contains(err.Error(), "step 7: disk on fire") {
		t.Errorf("error %v", err)
	}
	s.close()
	// Closing must not wait for a consumer.
	s = newStream(&src.toySource, 5, 0, 1_000_000, 4)
	done := make(chan struct{})
	go func() { s.close(); close(done) }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("close hangs")
	}
}

func TestEvaluateEndsWithTheContext(t *testing.T) {
	c := toyCell(t)
	src := &toySource{toySettings{Words: 10}}
	m, err := buildModel(&c, src.Shape())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := evaluate(ctx, m, src, c.Protocol.test()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	q := c.Protocol.test()
	q.perKind = 0
	if _, err := evaluate(context.Background(), m, src, q); err == nil || !strings.Contains(err.Error(), "test split: no questions") {
		t.Errorf("no questions: %v", err)
	}
}
