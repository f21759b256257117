package document

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// Directories in another order, named twice or within each other make the same report.
func TestTheOrderOfDirectoriesChangesNothing(t *testing.T) {
	a, b := copyRuns(t), copyRuns(t)
	within := filepath.Join(a, "pai3-memo-s0")
	read := func(dirs ...string) Input {
		return must.Get(Read(dirs...))(t)
	}
	want := read(a, b)
	if len(want.Runs) != 20 {
		t.Fatalf("%d runs", len(want.Runs))
	}
	for _, dirs := range [][]string{{b, a}, {within, b, a, b}, {a + "/", within + "/..", b}} {
		if got := read(dirs...); !reflect.DeepEqual(want, got) {
			t.Errorf("%q is read as something else", dirs)
		}
	}
}

// Links to directories are named and not followed, those to files are read, and what
// is named itself is followed. Special files are not opened.
func TestLinksAndSpecialFiles(t *testing.T) {
	runs, dir := copyRuns(t), t.TempDir()
	symlink := func(target, name string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.Symlink(target, path))
		return path
	}
	latest := symlink(filepath.Join(runs, "pai3-memo-s0"), "latest")
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "links to directories are not followed, name them to read them: "+latest) {
		t.Errorf("error %v", err)
	}
	if in, err := Read(latest); err != nil || len(in.Runs) != 1 || in.Runs[0].Path != filepath.Join(latest, record.FileName) {
		t.Errorf("%+v, %v", in.Runs, err)
	}
	symlink(filepath.Join(runs, "pai3-memo-s1", record.FileName), "one/"+record.FileName)
	symlink(dir, "one/circle")
	in, err := Read(dir)
	if err != nil || len(in.Runs) != 1 || len(in.Links) != 2 {
		t.Fatalf("%d runs, links %q, %v", len(in.Runs), in.Links, err)
	}
	d, err := New(in)
	if err != nil || !strings.Contains(strings.Join(d.About, "\n"), "inks to directories are not followed, name them to read them: "+latest) {
		t.Errorf("%q, %v", d.About, err)
	}
	for _, name := range []string{"two/" + record.FileName, "two/log.txt", "two/x.trace.json"} {
		path := symlink("/dev/zero", name)
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), path+" is a device, want a regular file") {
			t.Errorf("%s: error %v", name, err)
		}
		os.Remove(path)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip(err)
		}
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), path+" is a named pipe, want a regular file") {
			t.Errorf("%s: error %v", name, err)
		}
		os.Remove(path)
	}
}

// A report says which records are no training runs.
func TestAReportNamesWhatIsNoTrainingRun(t *testing.T) {
	in, err := Read(runs)
	if err != nil {
		t.Fatal(err)
	}
	in.Runs[0].Record.Origin = record.Evaluated
	d := must.Get(New(in))(t)
	if !strings.Contains(d.About[0], "Made from 9 runs") || !strings.Contains(d.About[0], "1 record of another origin") {
		t.Errorf("%q", d.About[0])
	}
	for i := range in.Runs {
		in.Runs[i].Record.Origin = record.Evaluated
	}
	if d, err = New(in); err != nil || d.Further == nil || len(d.Further.Sections) != len(in.Runs) {
		t.Errorf("records of another origin alone: %v", err)
	}
}
