package sweep

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
	"memobench/datasets/must"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(path))(t)
}

// copied returns a copy of a directory.
func copied(t *testing.T, dir string) string {
	t.Helper()
	out := t.TempDir()
	must.Do(t, os.CopyFS(out, os.DirFS(dir)))
	return out
}

// The record names the directory of a run in out: it must not be outside of out.
func TestMergeStaysBelowItsOutput(t *testing.T) {
	dir, cells := ran(t, 1)
	file := filepath.Join(dir, cells[0].Dir(), record.FileName)
	text := must.Get(os.ReadFile(file))(t)
	for _, hostile := range []string{"/../..", "../../../x", "", "..", "0123456789ab/..", "0123456789AB"} {
		bad := strings.Replace(string(text), cells[0].Hash(), hostile, 1)
		must.Do(t, os.WriteFile(file, []byte(bad), 0o644))
		parent := t.TempDir()
		keep, out := filepath.Join(parent, "keep"), filepath.Join(parent, "out")
		must.Do(t, os.WriteFile(keep, []byte("mine"), 0o644))
		if _, err := Merge(out, dir); err == nil || !strings.Contains(err.Error(), "identity.cell") ||
			!strings.Contains(err.Error(), file) {
			t.Errorf("cell %q: error %v", hostile, err)
		}
		if data, err := os.ReadFile(keep); err != nil || string(data) != "mine" {
			t.Errorf("cell %q: a file beside the result is gone: %v", hostile, err)
		}
		if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
			t.Errorf("cell %q: %v was written", hostile, entries)
		}
	}
}

func TestMergePrefersIntactWeights(t *testing.T) {
	dir, cells := ran(t, 1)
	name := filepath.Join(cells[0].Dir(), evaluate.WeightsName)
	want := read(t, filepath.Join(dir, name))
	without, cut := copied(t, dir), copied(t, dir)
	must.Do(t, os.Remove(filepath.Join(without, name)))
	write(t, filepath.Join(cut, name), string(want[:len(want)-3]))
	for _, dirs := range [][]string{{without, dir}, {dir, without}, {cut, dir}, {without, cut, dir}} {
		out := filepath.Join(t.TempDir(), "out")
		must.Get(Merge(out, dirs...))(t)
		if !bytes.Equal(read(t, filepath.Join(out, name)), want) {
			t.Errorf("%v: the weights are not the intact ones", dirs)
		}
	}
	m, err := Merge(filepath.Join(t.TempDir(), "out"), cut)
	if err != nil || len(m.Damaged) != 1 || filepath.Base(m.Damaged[0]) != cells[0].Dir() {
		t.Errorf("only a damaged copy: %+v, %v", m, err)
	}
	// A changed bit that leaves a file of weights is damage, too.
	other := bytes.Clone(want)
	other[len(other)-1] ^= 1
	write(t, filepath.Join(cut, name), string(other))
	out := filepath.Join(t.TempDir(), "out")
	if m, err := Merge(out, cut, dir); err != nil || len(m.Damaged) != 0 ||
		!bytes.Equal(read(t, filepath.Join(out, name)), want) {
		t.Errorf("a changed bit: %+v, %v", m, err)
	}
	// Without a SHA-256 either may be what was trained.
	forget := func(r *record.Record) { r.Files = nil }
	dir, cut = changed(t, dir, cells[0], forget), changed(t, cut, cells[0], forget)
	var conflict *conflictError
	if _, err := Merge(filepath.Join(t.TempDir(), "out"), dir, cut); !errors.As(err, &conflict) ||
		!strings.Contains(err.Error(), "different weights") {
		t.Errorf("different weights: %v", err)
	}
}

func TestMergeFollowsLinks(t *testing.T) {
	dir, cells := ran(t, 1)
	from := filepath.Join(dir, cells[0].Dir())
	links := t.TempDir()
	if err := os.Symlink(from, filepath.Join(links, "run")); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	if m, err := Merge(out, links); err != nil || len(m.Added) != 1 || !IsFinished(out, &cells[0].Cell) {
		t.Fatalf("a link to a run: %+v, %v", m, err)
	}
	// Links that cannot be followed are named in the error.
	bad := filepath.Join(links, "gone")
	must.Do(t, os.Symlink(filepath.Join(dir, "none"), bad))
	if _, err := Merge(out, links); err == nil || !strings.Contains(err.Error(), bad) {
		t.Errorf("a link to nothing: %v", err)
	}
	pipe := filepath.Join(from, "extra")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip(err)
	}
	fresh := filepath.Join(t.TempDir(), "out")
	if _, err := Merge(fresh, dir); err == nil || !strings.Contains(err.Error(), pipe) {
		t.Errorf("a pipe: %v", err)
	}
	if entries, _ := filepath.Glob(filepath.Join(fresh, "*"+cells[0].Dir())); entries != nil {
		t.Errorf("left behind: %v", entries)
	}
	must.Do(t, os.Remove(pipe))
}

func shorten(r *record.Record) {
	r.Status, r.Training.Steps, r.Training.SelectedStep = record.Interrupted, 10, 10
}

// A merge replaces nothing: no shorter run, no files of the user, no unfinished copies.
func TestMergeReplacesNothing(t *testing.T) {
	dir, cells := ran(t, 1)
	name := cells[0].Dir()
	short := changed(t, dir, cells[0], shorten)
	foreign := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(foreign, name), 0o755))
	write(t, filepath.Join(foreign, name, "notes.txt"), "mine")
	linked := t.TempDir()
	if err := os.Symlink(filepath.Join(short, name), filepath.Join(linked, name)); err != nil {
		t.Skip(err)
	}
	for what, out := range map[string]string{"a shorter run": short, "files": foreign, "a link": linked} {
		before, _ := os.ReadDir(filepath.Join(out, name))
		_, err := Merge(out, dir)
		var conflict *conflictError
		if !errors.As(err, &conflict) || !strings.Contains(err.Error(), "remove it first") {
			t.Errorf("%s: error %v", what, err)
		}
		if after, _ := os.ReadDir(filepath.Join(out, name)); len(after) != len(before) {
			t.Errorf("%s: %d files, %d before", what, len(after), len(before))
		}
	}
	lock := must.Get(train.Lock(filepath.Join(dir, name), ""))(t)
	defer lock.Close()
	if _, err := Merge(filepath.Join(t.TempDir(), "out"), dir); err == nil ||
		!strings.Contains(err.Error(), "another process works on it") {
		t.Errorf("a run that is locked: %v", err)
	}
}

// The leftovers of a killed merge are replaced, and two merges do not write to one
// directory.
func TestMergeAfterAKilledOne(t *testing.T) {
	dir, cells := ran(t, 1)
	out := t.TempDir()
	half := filepath.Join(out, newPrefix+cells[0].Dir())
	must.Do(t, os.Mkdir(half, 0o755))
	write(t, filepath.Join(half, record.FileName), "half")
	if m, err := Merge(out, dir); err != nil || len(m.Added) != 1 || !IsFinished(out, &cells[0].Cell) {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := Merge(out, dir); err != nil || m.Kept != 1 {
		t.Errorf("once more: %+v, %v", m, err)
	}
	if left, _ := filepath.Glob(filepath.Join(out, ".merge-*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
	lock := must.Get(train.Lock(out, "sweep merge"))(t)
	defer lock.Close()
	var dirError *train.DirError
	if _, err := Merge(out, dir); !errors.As(err, &dirError) {
		t.Errorf("two merges at a time: %v", err)
	}
}

// Directories are named by a part of the hash: two cells that share it must not replace
// each other.
func TestMergeRefusesOneNameForTwoCells(t *testing.T) {
	dir, cells := ran(t, 1)
	other := changed(t, dir, cells[0], func(r *record.Record) { r.Identity.Cell = r.Identity.Cell[:8] + "0000" })
	var conflict *conflictError
	if _, err := Merge(filepath.Join(t.TempDir(), "out"), dir, other); !errors.As(err, &conflict) {
		t.Errorf("error %v, want a conflict", err)
	}
}
