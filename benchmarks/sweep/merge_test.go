package sweep

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
	"memobench/datasets/must"
)

// ran returns a directory with the runs of the first cells of the tiny grid.
func ran(t *testing.T, n int) (string, []Cell) {
	t.Helper()
	cells := cellsOf(t, tinyGrid, Change{Set: []string{"steps=20"}})[:n]
	dir := t.TempDir()
	must.Get(Run(t.Context(), cells, train.Options{Dir: dir}, false))(t)
	return dir, cells
}

// changed returns a copy of dir in which the record of a cell is changed.
func changed(t *testing.T, dir string, c Cell, change func(*record.Record)) string {
	t.Helper()
	out := t.TempDir()
	must.Do(t, os.CopyFS(out, os.DirFS(dir)))
	file := filepath.Join(out, c.Dir(), record.FileName)
	r := must.Get(record.ReadFile(file))(t)
	change(r)
	data := must.Get(r.Marshal())(t)
	must.Do(t, os.WriteFile(file, data, 0o644))
	return out
}

func TestMergeRefusesConflicts(t *testing.T) {
	dir, cells := ran(t, 2)
	other := changed(t, dir, cells[1], func(r *record.Record) { r.Evaluation.Kinds[0].Correct ^= 1 })
	out := filepath.Join(t.TempDir(), "out")
	_, err := Merge(out, dir, other)
	var conflict *conflictError
	if !errors.As(err, &conflict) || len(conflict.Conflicts) != 1 {
		t.Fatalf("error %v, want one conflict", err)
	}
	for _, want := range []string{cells[1].Hash(), dir, other, "(evaluation)", "nothing was merged"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q: %v", want, err)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
	// An existing result in out conflicts, too.
	if _, err := Merge(dir, other); !errors.As(err, &conflict) {
		t.Errorf("error %v", err)
	}
}

func TestMergeTakesTimesAndMachineForNoConflict(t *testing.T) {
	dir, cells := ran(t, 1)
	other := changed(t, dir, cells[0], func(r *record.Record) {
		r.Times.WallSeconds++
		r.Environment.CPU = "another"
	})
	m, err := Merge(filepath.Join(t.TempDir(), "out"), dir, other)
	if err != nil || len(m.Added) != 1 || m.Duplicates != 1 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestMergeOfUnfinishedRuns(t *testing.T) {
	dir, cells := ran(t, 2)
	// A run that a time limit ended is replaced, in any order.
	short := changed(t, dir, cells[0], shorten)
	for _, dirs := range [][]string{{short, dir}, {dir, short}} {
		out := t.TempDir()
		must.Get(Merge(out, dirs...))(t)
		if !IsFinished(out, &cells[0].Cell) {
			t.Error("the shorter run was taken")
		}
	}
	// A run without a record is listed and not copied.
	must.Do(t, os.Remove(filepath.Join(dir, cells[1].Dir(), record.FileName)))
	m, err := Merge(t.TempDir(), dir)
	if err != nil || len(m.Added) != 1 || len(m.Unfinished) != 1 || filepath.Base(m.Unfinished[0]) != cells[1].Dir() {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestMergeOfWhatIsNoSweep(t *testing.T) {
	dir, cells := ran(t, 1)
	for name, c := range map[string]struct{ dir, want string }{
		"nothing":     {t.TempDir(), "no directory below it holds a run"},
		"not there":   {filepath.Join(dir, "none"), "no such file"},
		"a run's own": {filepath.Join(dir, cells[0].Dir()), "no directory below it"},
	} {
		if _, err := Merge(t.TempDir(), dir, c.dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, cells[0].Dir(), record.FileName), []byte("{}"), 0o644))
	if _, err := Merge(t.TempDir(), dir); err == nil || !strings.Contains(err.Error(), "not a result record") {
		t.Errorf("error %v", err)
	}
}
