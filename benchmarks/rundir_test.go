package benchmarks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDirectoryIsGuarded(t *testing.T) {
	ctx := context.Background()
	problem := func(err error) DirProblem {
		t.Helper()
		var e *DirError
		if !errors.As(err, &e) {
			t.Fatalf("error %v, want a *DirError", err)
		}
		if !strings.Contains(err.Error(), e.Dir) {
			t.Errorf("error %q does not name the directory", err)
		}
		return e.Problem
	}
	dir := t.TempDir()
	first := mustRun(t, toyCell(t), Options{Dir: dir})
	_, err := Run(ctx, toyCell(t), Options{Dir: dir})
	if p := problem(err); p != DirFinished {
		t.Errorf("finished run: problem %d", p)
	}
	kept := mustRun(t, toyCell(t), Options{Dir: dir, Resume: true})
	if d := cmp.Diff(first, kept); d != "" {
		t.Errorf("a finished run was not kept:\n%s", d)
	}
	_, err = Run(ctx, toyCell(t), Options{Dir: dir, Resume: true, DataPath: "changed"})
	if p := problem(err); p != DirOtherRun || !strings.Contains(err.Error(), "hash "+first.Dataset.Hash+", now ") {
		t.Errorf("finished run on other data: %v", err)
	}
	_, err = Run(ctx, toyCell(t, "steps=301"), Options{Dir: dir, Resume: true})
	if p := problem(err); p != DirOtherRun {
		t.Errorf("other run: problem %d", p)
	}
	if rec := mustRun(t, toyCell(t, "steps=60"), Options{Dir: dir, Overwrite: true}); rec.Training.Steps != 60 {
		t.Errorf("overwritten run has %d steps", rec.Training.Steps)
	}
	// Unfinished.
	half := t.TempDir()
	stopped, cancel := context.WithCancel(ctx)
	w := &watcher{stepped: func(Update) { cancel() }}
	_, err = Run(stopped, toyCell(t), Options{Dir: half, Progress: func(Cell) Progress { return w }})
	var i *Interrupted
	if !errors.As(err, &i) || i.Dir != half || i.Step != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("interruption: %v", err)
	}
	_, err = Run(ctx, toyCell(t), Options{Dir: half})
	if p := problem(err); p != DirUnfinished {
		t.Errorf("unfinished run: problem %d", p)
	}
	_, err = Run(ctx, toyCell(t, "soft.momentum=0.9"), Options{Dir: half, Resume: true})
	if p := problem(err); p != DirOtherRun || !strings.Contains(err.Error(), "model.momentum: 0.5, now 0.9") {
		t.Errorf("other configuration: %v", err)
	}
	_, err = Run(ctx, toyCell(t), Options{Dir: half, Resume: true, DataPath: "changed"})
	if p := problem(err); p != DirOtherRun || !strings.Contains(err.Error(), "other data") {
		t.Errorf("unfinished run on other data: %v", err)
	}
	// Locked.
	held, err := openDir(half)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(ctx, toyCell(t), Options{Dir: half, Resume: true})
	if p := problem(err); p != DirLocked || !strings.Contains(err.Error(), "process") {
		t.Errorf("locked: %v", err)
	}
	held.close()
	mustRun(t, toyCell(t), Options{Dir: half, Resume: true})
	// Foreign files.
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "thesis.tex"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = Run(ctx, toyCell(t), Options{Dir: foreign, Overwrite: true})
	if p := problem(err); p != DirForeign {
		t.Errorf("foreign files: problem %d", p)
	}
}

func TestMistakesLeaveNoDirectory(t *testing.T) {
	for _, o := range []string{"soft.momentum=2", "words=1", "task.task=play"} {
		dir := filepath.Join(t.TempDir(), "run")
		_, err := Run(context.Background(), toyCell(t, o), Options{Dir: dir})
		var setting *SettingError
		if !errors.As(err, &setting) {
			t.Errorf("%s: error %v, want a *SettingError", o, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: directory made", o)
		}
	}
}
