package train

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/checkpoint"
)

// A run that is stopped anywhere, any number of times, ends with the same result.
func TestInterruptedAndResumedEqualsUninterrupted(t *testing.T) {
	for _, overrides := range [][]string{
		nil,
		{"selection=best-validation", "soft.warn_every=7"},
		{"early_stop={accuracy: {low: 90, high: 90}, evaluations: 3}"},
		{"evaluate_every=1"},
		{"mixture=adaptive"},
		{"mixture=low:3", "soft.phases=[{steps: 60, kinds: [low], config: {momentum: '0.2'}}, {steps: 30, batch_size: 4, keep_optimizer: true}]"},
		{"soft.phases=[{steps: 60, task: {below: 2}}, {steps: 30, task: {below: 7}, keep_optimizer: true}]"},
		{"soft.phases=[{steps: 90, task: {below: 2}, until_loss: 0.3}, {steps: 30, restart: true, until_loss: 0.2, attempts: 2}]"},
		{"mixture=adaptive", "soft.phases=[{steps: 30}, {steps: 30, below: 100, restart: true, until: 100, attempts: 3, training: {learning_rate: '0.001'}}]"},
	} {
		cell := toyCell(t, overrides...)
		want := finish(t, cell, t.TempDir())
		for _, stops := range [][]int{{1, 30}, {31, 31, 150}, {60, 90, 299}} {
			dir := t.TempDir()
			for _, stop := range stops {
				if stop < want.Record.Training.Steps {
					stopAt(t, cell, Options{Dir: dir, Resume: true, CheckpointSteps: 47}, stop)
				}
			}
			if d := cmp.Diff(want, finish(t, cell, dir)); d != "" {
				t.Errorf("%v, stops %v (-whole +resumed):\n%s", overrides, stops, d)
			}
		}
	}
}

// A killed process leaves its last checkpoint and possibly a longer curve. A copy of the
// directory, made in the middle of a step, is equal to the result of a kill.
func TestResumeAfterAKill(t *testing.T) {
	for _, overrides := range [][]string{nil, {"evaluate_every=1"}, {"selection=best-validation", "soft.learning_rate=9", "soft.momentum=0.9"}} {
		cell := toyCell(t, overrides...)
		want := finish(t, cell, t.TempDir())
		for _, kill := range []int{5, 31, 59, 61, 62, 200} {
			source, dir := t.TempDir(), t.TempDir()
			w := &watcher{stepped: func(u Update) {
				if u.Step == kill {
					if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
						t.Error(err)
					}
				}
			}}
			mustRun(t, cell, watched(Options{Dir: source, CheckpointSteps: 30}, w))
			// Points after the checkpoint, the last one incomplete.
			f := must.Get(os.OpenFile(filepath.Join(dir, record.CurveName), os.O_APPEND|os.O_WRONLY, 0))(t)
			must.Get(f.WriteString(`{"step":1000,"kinds":[]}` + "\n" + `{"step":10`))(t)
			f.Close()
			if d := cmp.Diff(want, finish(t, cell, dir)); d != "" {
				t.Errorf("%v, killed at %d (-whole +resumed):\n%s", overrides, kill, d)
			}
			if got := mustRun(t, cell, Options{Dir: dir, Resume: true}).Times.Sessions; got != 1+min(1, kill/31) {
				t.Errorf("killed at %d: %d sessions", kill, got)
			}
		}
	}
}

// A model that no longer answers when the run is interrupted leaves the last checkpoint, if there
// is one.
func TestInterruptedWithoutAnAnswerOfTheModel(t *testing.T) {
	for fails, saved := range map[int]int{120: 100, 30: 0} {
		cell, dir := toyCell(t, fmt.Sprintf("soft.fails_at=%d", fails)), t.TempDir()
		want := finish(t, cell, t.TempDir())
		ctx, cancel := context.WithCancel(t.Context())
		toyFails = func() error {
			cancel()
			return fmt.Errorf("predict: %w", models.ErrNoAnswer)
		}
		w := new(watcher)
		_, err := Run(ctx, cell, watched(Options{Dir: dir, CheckpointSteps: 50}, w))
		toyFails = nil
		var stopped *Interrupted
		if errors.As(err, &stopped) != (saved > 0) || saved > 0 && stopped.Step != saved || !errors.Is(err, context.Canceled) {
			t.Fatalf("step %d: error %v, want an interruption with %d steps saved", fails, err, saved)
		}
		if text := strings.Join(w.warned, ""); !strings.Contains(text, "predict: no answer") {
			t.Errorf("step %d: warned %q", fails, w.warned)
		}
		if d := cmp.Diff(want, finish(t, cell, dir)); d != "" {
			t.Errorf("step %d (-whole +resumed):\n%s", fails, d)
		}
	}
}

// interruptedAt returns a directory with a run that was stopped at a step, with
// checkpoints every 30.
func interruptedAt(t *testing.T, step int) string {
	t.Helper()
	dir := t.TempDir()
	stopAt(t, toyCell(t), Options{Dir: dir, CheckpointSteps: 30}, step)
	return dir
}

// edit changes the only file that the pattern matches.
func edit(t *testing.T, pattern string, change func(string) string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: files %q, error %v", pattern, files, err)
	}
	data, err := os.ReadFile(files[0])
	if err == nil {
		err = os.WriteFile(files[0], []byte(change(string(data))), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// If a checkpoint is damaged, the run resumes from the one before and reports that.
func TestResumeFromTheCheckpointBefore(t *testing.T) {
	want := finish(t, toyCell(t), t.TempDir())
	for _, file := range []string{"000000125.json", "000000125-*.safetensors"} {
		dir := interruptedAt(t, 125)
		edit(t, filepath.Join(dir, checkpointName, file), func(s string) string { return s[:len(s)-40] + "#" + s[len(s)-39:] })
		w := new(watcher)
		rec := mustRun(t, toyCell(t), watched(Options{Dir: dir, Resume: true}, w))
		if len(w.warned) != 1 || !strings.Contains(w.warned[0], "resuming from the checkpoint of step 120, because a newer one is damaged: ") ||
			!strings.Contains(w.warned[0], "000000125") || rec.Times.Damaged != 1 {
			t.Errorf("warned %q, %d damaged checkpoints", w.warned, rec.Times.Damaged)
		}
		if d := cmp.Diff(want, finish(t, toyCell(t), dir)); d != "" {
			t.Errorf("-whole +resumed:\n%s", d)
		}
	}
}

// A damaged curve or lock does not decide over an intact checkpoint.
func TestResumeWithADamagedCurveAndLock(t *testing.T) {
	want := finish(t, toyCell(t), t.TempDir())
	for _, name := range []string{record.CurveName, lockName} {
		for _, text := range []string{"", "\x00{", strings.Repeat("x", 5000)} {
			dir := interruptedAt(t, 125)
			write(t, filepath.Join(dir, name), text)
			if d := cmp.Diff(want, finish(t, toyCell(t), dir)); d != "" {
				t.Errorf("%s damaged (-whole +resumed):\n%s", name, d)
			}
		}
	}
}

// A run that gets worse ends with the weights of its best evaluation, also when it was
// stopped after it.
func TestSelectionKeepsTheBestWeights(t *testing.T) {
	unstable := []string{"selection=best-validation", "soft.learning_rate=9", "soft.momentum=0.9"}
	dir, final := t.TempDir(), t.TempDir()
	best := mustRun(t, toyCell(t, unstable...), Options{Dir: dir})
	mustRun(t, toyCell(t, unstable[1:]...), Options{Dir: final})
	points := curveOf(t, dir)
	if best.Training.SelectedStep == 300 || best.Training.SelectedStep != best.Curve.BestStep {
		t.Fatalf("selected step %d, best %d: the toy is not unstable", best.Training.SelectedStep, best.Curve.BestStep)
	}
	for _, p := range points {
		if p.Loss < best.Curve.BestLoss {
			t.Errorf("step %d has validation loss %v, below the best %v", p.Step, p.Loss, best.Curve.BestLoss)
		}
	}
	if cmp.Equal(weights(t, dir), weights(t, final)) {
		t.Error("the best weights are the final ones")
	}
}

func TestTimeLimitEvaluatesWhatThereIsAndCanBeResumed(t *testing.T) {
	dir := t.TempDir()
	slow := &watcher{stepped: func(Update) { time.Sleep(time.Millisecond) }}
	rec := mustRun(t, toyCell(t), watched(Options{Dir: dir, Limit: 20 * time.Millisecond}, slow))
	if rec.Status != record.Interrupted || rec.Training.Steps >= 300 || !rec.Caveats.Has(datasets.TimeLimit) {
		t.Fatalf("status %s after %d steps, caveats %q", rec.Status, rec.Training.Steps, rec.Caveats.Texts())
	}
	if d := cmp.Diff(finish(t, toyCell(t), t.TempDir()), finish(t, toyCell(t), dir)); d != "" {
		t.Errorf("-whole +resumed:\n%s", d)
	}
}

// The evaluation puts the selected weights into the model. A run that is stopped then
// must keep the checkpoint of its last step: latest weights with the latest
// state of the optimizer.
func TestStopWhileEvaluatingKeepsTheLastWeights(t *testing.T) {
	cell := toyCell(t, "selection=best-validation", "soft.learning_rate=9", "soft.momentum=0.9")
	whole, dir := t.TempDir(), t.TempDir()
	want := finish(t, cell, whole)
	if want.Record.Training.SelectedStep == want.Record.Training.Steps {
		t.Fatal("the best weights are the last: the toy is not unstable")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := Run(ctx, cell, watched(Options{Dir: dir}, &watcher{evaluating: cancel}))
	var stopped *Interrupted
	if !errors.As(err, &stopped) || stopped.Step != 300 {
		t.Fatalf("error %v, want an interruption at step 300", err)
	}
	saved := func(dir string) [2]any {
		c := must.Get(checkpoint.Load(filepath.Join(dir, checkpointName)))(t)
		return [2]any{c.State, c.Selected}
	}
	if d := cmp.Diff(saved(whole), saved(dir)); d != "" {
		t.Errorf("state and selected weights (-whole +stopped):\n%s", d)
	}
	if d := cmp.Diff(want, finish(t, cell, dir)); d != "" {
		t.Errorf("-whole +resumed:\n%s", d)
	}
}

// Another BLAS changes the last bits, so the run has a caveat, also after further stops.
func TestResumeUnderAnotherBLASIsACaveat(t *testing.T) {
	for _, c := range []struct {
		sessions []string
		want     []string
	}{
		{[]string{"gonum", "gonum", "gonum"}, nil},
		{[]string{"gonum", "", "gonum"}, nil}, // a caller that does not tell
		{[]string{"gonum", "OpenBLAS, threads a call: 1", "OpenBLAS, threads a call: 1"},
			[]string{"resumed with another BLAS or number of threads: OpenBLAS, threads a call: 1 after gonum"}},
		{[]string{"a", "b", "a"}, []string{"resumed with another BLAS or number of threads: b after a", "resumed with another BLAS or number of threads: a after b"}},
	} {
		dir := t.TempDir()
		var warned []string
		for i, blas := range c.sessions[:2] {
			w := stopAt(t, toyCell(t), Options{Dir: dir, Resume: i > 0, BLAS: blas}, 100*(i+1))
			warned = append(warned, w.warned...)
		}
		w := new(watcher)
		rec := mustRun(t, toyCell(t), watched(Options{Dir: dir, Resume: true, BLAS: c.sessions[2]}, w))
		if d := cmp.Diff(c.want, append(warned, w.warned...)); d != "" {
			t.Errorf("%q: warnings (-want +got):\n%s", c.sessions, d)
		}
		if d := cmp.Diff(append([]string{"toy data"}, c.want...), rec.Caveats.Texts()); d != "" {
			t.Errorf("%q: labels (-want +got):\n%s", c.sessions, d)
		}
	}
}

// A run that was to be resumed and starts at step 0 has a warning. A sweep has none.
func TestNothingToResumeIsSaid(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	for _, c := range []struct {
		o    Options
		want []string
	}{
		{Options{Dir: dir, Resume: true}, []string{"nothing to resume in " + dir + ": starting at step 0"}},
		{Options{Dir: dir, Resume: true}, nil}, // finished, and kept
		{Options{Dir: dir, Overwrite: true}, nil},
	} {
		w := new(watcher)
		mustRun(t, toyCell(t, "steps=5"), watched(c.o, w))
		if d := cmp.Diff(c.want, w.warned); d != "" {
			t.Errorf("%+v: warnings (-want +got):\n%s", c.o, d)
		}
	}
	w := new(watcher)
	must.Get(RunAll(context.Background(), []study.Cell{toyCell(t, "steps=5")}, watched(Options{Dir: t.TempDir()}, w)))(t)
	if len(w.warned) > 0 {
		t.Errorf("a sweep warned %q", w.warned)
	}
}
