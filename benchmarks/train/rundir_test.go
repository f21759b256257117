package train

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/evaluate/trace"
	"memobench/benchmarks/study"
	"memobench/datasets/must"
)

func TestDirectoryIsGuarded(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	first := mustRun(t, toyCell(t), Options{Dir: dir})
	_, err := Run(ctx, toyCell(t), Options{Dir: dir})
	if !errors.Is(err, errFinished) {
		t.Errorf("finished run: %v", err)
	}
	kept := mustRun(t, toyCell(t), Options{Dir: dir, Resume: true})
	if d := cmp.Diff(first, kept); d != "" {
		t.Errorf("a finished run was not kept:\n%s", d)
	}
	_, err = Run(ctx, toyCell(t), Options{Dir: dir, Resume: true, DataPath: "changed"})
	if !errors.Is(err, errOtherRun) || !strings.Contains(err.Error(), "hash "+first.Dataset.Hash+", now ") {
		t.Errorf("finished run on other data: %v", err)
	}
	_, err = Run(ctx, toyCell(t, "steps=301"), Options{Dir: dir, Resume: true})
	if !errors.Is(err, errOtherRun) {
		t.Errorf("other run: %v", err)
	}
	if rec := mustRun(t, toyCell(t, "steps=60"), Options{Dir: dir, Overwrite: true}); rec.Training.Steps != 60 {
		t.Errorf("overwritten run has %d steps", rec.Training.Steps)
	}
	// Unfinished.
	half := t.TempDir()
	stopped, cancel := context.WithCancel(ctx)
	w := &watcher{stepped: func(Update) { cancel() }}
	_, err = Run(stopped, toyCell(t), watched(Options{Dir: half}, w))
	var i *Interrupted
	if !errors.As(err, &i) || i.Dir != half || i.Step != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("interruption: %v", err)
	}
	_, err = Run(ctx, toyCell(t), Options{Dir: half})
	if !errors.Is(err, errUnfinished) {
		t.Errorf("unfinished run: %v", err)
	}
	_, err = Run(ctx, toyCell(t, "soft.momentum=0.9"), Options{Dir: half, Resume: true})
	if !errors.Is(err, errOtherRun) || !strings.Contains(err.Error(), "model.momentum: 0.5, now 0.9") {
		t.Errorf("other configuration: %v", err)
	}
	_, err = Run(ctx, toyCell(t), Options{Dir: half, Resume: true, DataPath: "changed"})
	if !errors.Is(err, errOtherRun) || !strings.Contains(err.Error(), "other data") {
		t.Errorf("unfinished run on other data: %v", err)
	}
	// Locked.
	held := must.Get(openDir(half, "a run"))(t)
	_, err = Run(ctx, toyCell(t), Options{Dir: half, Resume: true})
	if !errors.Is(err, errLocked) || !strings.Contains(err.Error(), "process") {
		t.Errorf("locked: %v", err)
	}
	held.close()
	mustRun(t, toyCell(t), Options{Dir: half, Resume: true})
	// Foreign files.
	foreign := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(foreign, "thesis.tex"), nil, 0o644))
	_, err = Run(ctx, toyCell(t), Options{Dir: foreign, Overwrite: true})
	if !errors.Is(err, errForeign) {
		t.Errorf("foreign files: %v", err)
	}
}

// tree returns the content of every file below dir.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must.Do(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	}))
	return files
}

func write(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Files of other runs or users are not replaced, with or without Resume.
func TestFilesOfTheUserAreNotReplaced(t *testing.T) {
	without := func(names ...string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			mustRun(t, toyCell(t), Options{Dir: dir})
			for _, name := range names {
				must.Do(t, os.RemoveAll(filepath.Join(dir, name)))
			}
		}
	}
	file := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { write(t, filepath.Join(dir, name), text) }
	}
	for name, c := range map[string]struct {
		make func(t *testing.T, dir string)
		want error
		says string
	}{
		"weights": {func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, evaluate.WeightsName), "mine")
		}, errLost, evaluate.WeightsName},
		"a checkpoint that is none":           {file(checkpointName, "mine"), errForeign, checkpointName},
		"a directory for the record":          {file("record.json/x", "mine"), errForeign, "record.json"},
		"a finished run whose record is gone": {without("record.json", "checkpoint"), errLost, "bench.txt is there"},
		"a run whose time was limited, without checkpoint": {func(t *testing.T, dir string) {
			slow := &watcher{stepped: func(Update) { time.Sleep(time.Millisecond) }}
			rec := mustRun(t, toyCell(t), watched(Options{Dir: dir, Limit: 5 * time.Millisecond}, slow))
			if rec.Status.Finished() {
				t.Fatal("finished")
			}
			must.Do(t, os.RemoveAll(filepath.Join(dir, checkpointName)))
		}, errLost, "record.json is there"},
		"a run whose only checkpoint is cut short": {func(t *testing.T, dir string) {
			must.Do(t, os.CopyFS(dir, os.DirFS(interruptedAt(t, 30))))
			edit(t, filepath.Join(dir, checkpointName, "*.safetensors"), func(s string) string { return s[:9] })
		}, errLost, "9 bytes, its JSON file says"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.make(t, dir)
			before := tree(t, dir)
			for _, resume := range []bool{false, true} {
				_, err := Run(t.Context(), toyCell(t), Options{Dir: dir, Resume: resume})
				if !errors.Is(err, c.want) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("resume %v: error %v, want problem %q and %q", resume, err, c.want, c.says)
				}
			}
			after := tree(t, dir)
			delete(before, filepath.Join(dir, lockName))
			delete(after, filepath.Join(dir, lockName))
			if d := cmp.Diff(before, after); d != "" {
				t.Errorf("files (-before +after):\n%s", d)
			}
		})
	}
}

// A run that was killed before its first checkpoint can be resumed.
func TestRunKilledBeforeItsFirstCheckpointStartsAgain(t *testing.T) {
	want, dir := mustRun(t, toyCell(t), Options{Dir: t.TempDir()}), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	source := t.TempDir()
	w := &watcher{stepped: func(u Update) {
		if u.Step == 70 {
			if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
				t.Error(err)
			}
			cancel()
		}
	}}
	Run(ctx, toyCell(t), watched(Options{Dir: source}, w)) // interrupted
	if points := curveOf(t, dir); len(points) != 2 {
		t.Fatalf("%d points", len(points))
	}
	got := mustRun(t, toyCell(t), Options{Dir: dir})
	if d := cmp.Diff(want.WithoutTimes(), got.WithoutTimes()); d != "" {
		t.Errorf("record (-whole +again):\n%s", d)
	}
}

// The trace of the guide's command next to a run is no foreign file.
func TestAttentionTracesBelongToARun(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, toyCell(t, "steps=5"), Options{Dir: dir})
	path := filepath.Join(dir, trace.FileName)
	write(t, path, "{}")
	mustRun(t, toyCell(t, "steps=5"), Options{Dir: dir, Resume: true})
	mustRun(t, toyCell(t, "steps=5"), Options{Dir: dir, Overwrite: true})
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the trace of the old weights is still there: %v", err)
	}
}

// The next process removes temporary files of a killed one, and nothing else.
func TestHalfWrittenFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, toyCell(t, "steps=5"), Options{Dir: dir})
	names := []string{".writing-123", "checkpoint/.writing-45", ".writing-notes", ".hidden"}
	for _, name := range names {
		write(t, filepath.Join(dir, name), "half")
	}
	mustRun(t, toyCell(t, "steps=5"), Options{Dir: dir, Resume: true})
	for i, name := range names {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != (i >= 2) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMistakesLeaveNoDirectory(t *testing.T) {
	for _, o := range []string{"soft.momentum=2", "words=1", "task.task=play", "test_per_kind=0",
		"validation_per_kind=0"} {
		dir := filepath.Join(t.TempDir(), "run")
		_, err := Run(context.Background(), toyCell(t, o), Options{Dir: dir})
		var setting *study.SettingError
		if !errors.As(err, &setting) {
			t.Errorf("%s: error %v, want a *SettingError", o, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: directory made", o)
		}
	}
}
