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
	if want := "BLAS: made up, called with run quick --out runs/quick\n"; err != nil || out != want {
		t.Errorf("error %v, printed\n%swant\n%s", err, out, want)
	}
	script(t, filepath.Join(dir, "path", "go"), `echo "x.go:1: this does not compile" >&2; exit 1`)
	out, err = makeIn(t, dir, filepath.Join(dir, "path"), "run", "BLAS=go")
	if err == nil || !strings.Contains(out, "x.go:1: this does not compile") || strings.Contains(out, "BLAS: made up") {
		t.Errorf("after a failed build: error %v, printed\n%s", err, out)
	}
}
