package benchmarks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
)

// Stopped anywhere, as often as may be, a run ends where it would have.
func TestInterruptedAndResumedEqualsUninterrupted(t *testing.T) {
	for _, overrides := range [][]string{
		nil,
		{"selection=best-validation", "soft.warn_every=7"},
		{"early_stop={accuracy: {low: 90, high: 90}, evaluations: 3}"},
		{"evaluate_every=1"},
	} {
		whole := t.TempDir()
		want := mustRun(t, toyCell(t, overrides...), Options{Dir: whole})
		for _, stops := range [][]int{{1}, {29, 30}, {31, 31, 150}, {60, 90, 120}, {299}} {
			dir := t.TempDir()
			for _, stop := range stops {
				ctx, cancel := context.WithCancel(context.Background())
				w := &watcher{stepped: func(u Update) {
					if u.Step >= stop {
						cancel()
					}
				}}
				_, err := Run(ctx, toyCell(t, overrides...), Options{Dir: dir, Resume: true, CheckpointSteps: 11, Progress: func(Cell) Progress { return w }})
				cancel()
				var stopped *Interrupted
				if err != nil && !errors.As(err, &stopped) {
					t.Fatal(err)
				}
				if err == nil && want.Status != record.EarlyStopped {
					t.Fatalf("stop at %d did not interrupt", stop)
				}
			}
			got := mustRun(t, toyCell(t, overrides...), Options{Dir: dir, Resume: true})
			if d := cmp.Diff(want.WithoutTimes(), got.WithoutTimes()); d != "" {
				t.Errorf("%v, stops %v: record (-whole +resumed):\n%s", overrides, stops, d)
			}
			if d := cmp.Diff(weights(t, whole), weights(t, dir)); d != "" {
				t.Errorf("%v, stops %v: weights differ", overrides, stops)
			}
			if d := cmp.Diff(curveOf(t, whole), curveOf(t, dir)); d != "" {
				t.Errorf("%v, stops %v: curve:\n%s", overrides, stops, d)
			}
		}
	}
}

// What a killed process leaves is a checkpoint and files that are further on.
func TestResumeAfterAKill(t *testing.T) {
	whole, dir := t.TempDir(), t.TempDir()
	want := mustRun(t, toyCell(t), Options{Dir: whole})
	ctx, cancel := context.WithCancel(context.Background())
	w := &watcher{stepped: func(u Update) {
		if u.Step == 100 {
			cancel()
		}
	}}
	if _, err := Run(ctx, toyCell(t), Options{Dir: dir, Progress: func(Cell) Progress { return w }}); err == nil {
		t.Fatal("not interrupted")
	}
	curve, err := os.ReadFile(filepath.Join(whole, CurveName))
	if err != nil {
		t.Fatal(err)
	}
	// Points up to step 180, and half a line.
	lines := strings.SplitAfter(string(curve), "\n")
	if err := os.WriteFile(filepath.Join(dir, CurveName), []byte(strings.Join(lines[:6], "")+lines[6][:20]), 0o644); err != nil {
		t.Fatal(err)
	}
	got := mustRun(t, toyCell(t), Options{Dir: dir, Resume: true})
	if d := cmp.Diff(want.WithoutTimes(), got.WithoutTimes()); d != "" {
		t.Errorf("record (-whole +resumed):\n%s", d)
	}
	if d := cmp.Diff(curveOf(t, whole), curveOf(t, dir)); d != "" {
		t.Errorf("curve:\n%s", d)
	}
	if got.Times.Sessions != 2 {
		t.Errorf("%d sessions, want 2", got.Times.Sessions)
	}
}

func TestTimeLimitJudgesWhatThereIsAndCanGoOn(t *testing.T) {
	whole, dir := t.TempDir(), t.TempDir()
	want := mustRun(t, toyCell(t), Options{Dir: whole})
	slow := func(u Update) { time.Sleep(time.Millisecond) }
	rec := mustRun(t, toyCell(t), Options{Dir: dir, Limit: 20 * time.Millisecond,
		Progress: func(Cell) Progress { return &watcher{stepped: slow} }})
	if rec.Status != record.Interrupted || rec.Training.Steps >= 300 || !strings.Contains(strings.Join(rec.Labels, "\n"), "time limit") {
		t.Fatalf("status %s after %d steps, labels %q", rec.Status, rec.Training.Steps, rec.Labels)
	}
	got := mustRun(t, toyCell(t), Options{Dir: dir, Resume: true})
	if d := cmp.Diff(want.WithoutTimes(), got.WithoutTimes()); d != "" {
		t.Errorf("record (-whole +resumed):\n%s", d)
	}
}
