package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets/must"
)

// makeIn runs the project's Makefile in dir, with path as the only place for
// programs, and returns all output. Programs are scripts of the test.
func makeIn(t *testing.T, dir, path string, args ...string) (string, error) {
	t.Helper()
	tool, err := exec.LookPath("make")
	if err != nil {
		t.Fatal(err)
	}
	file := must.Get(filepath.Abs(filepath.Join(root, "Makefile")))(t)
	cmd := exec.Command(tool, append([]string{"--no-print-directory", "-f", file, "-C", dir}, args...)...)
	// Nothing of a make around this test, such as BLAS=go.
	cmd.Env = []string{"PATH=" + path}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// script writes an executable shell script.
func script(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
}

func TestMakeRunBeginsWithTheProgramsOwnLine(t *testing.T) {
	dir := t.TempDir()
	script(t, filepath.Join(dir, "bin", "memobench"), `echo "BLAS: made up, called with $*"`)
	script(t, filepath.Join(dir, "path", "go"), `echo "go: downloading something" >&2`)
	out, err := makeIn(t, dir, filepath.Join(dir, "path"), "run", "BLAS=go")
	if want := "BLAS: made up, called with run --preset quick --out runs/quick\n"; err != nil || out != want {
		t.Errorf("error %v, printed\n%swant\n%s", err, out, want)
	}
	script(t, filepath.Join(dir, "path", "go"), `echo "x.go:1: this does not compile" >&2; exit 1`)
	out, err = makeIn(t, dir, filepath.Join(dir, "path"), "run", "BLAS=go")
	if err == nil || !strings.Contains(out, "x.go:1: this does not compile") || strings.Contains(out, "BLAS: made up") {
		t.Errorf("after a failed build: error %v, printed\n%s", err, out)
	}
}

func TestMakeSaysWhichBLAS(t *testing.T) {
	dir := t.TempDir()
	without, found := filepath.Join(dir, "without"), filepath.Join(dir, "found")
	script(t, filepath.Join(without, "cc"), "")
	script(t, filepath.Join(found, "cc"), "")
	script(t, filepath.Join(found, "pkg-config"), `case $1 in --modversion) echo 9.8.7;; esac`)
	for _, c := range []struct{ blas, path, want string }{
		{"auto", found, "BLAS: OpenBLAS 9.8.7 (found by pkg-config)"},
		{"auto", without, "BLAS: pure Go"},
		{"go", found, "BLAS: pure Go"},
		{"openblas", found, "BLAS: OpenBLAS 9.8.7 (found by pkg-config)"},
		{"openblas", without, "pkg-config does not find it"},
	} {
		out, err := makeIn(t, dir, c.path, "say-blas", "BLAS="+c.blas)
		if err != nil || !strings.Contains(out, c.want) || c.path == without && strings.Contains(out, "found by pkg-config") {
			t.Errorf("BLAS=%s in %s: error %v, want %q, printed\n%s", c.blas, c.path, err, c.want, out)
		}
	}
	out, err := makeIn(t, dir, found, "say-blas", "BLAS=opneblas")
	if err == nil || !strings.Contains(out, "BLAS=opneblas: want auto, go or openblas") {
		t.Errorf("BLAS=opneblas: error %v, printed\n%s", err, out)
	}
}
