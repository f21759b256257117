package benchmarks

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets"
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
