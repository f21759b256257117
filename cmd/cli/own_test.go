package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets/must"
)

// Another module builds its own program with its own model: ten lines, and a go.mod that
// replaces memobench by a directory.
func TestAnotherModuleBuildsItsOwnProgram(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "frequent"), 0o755))
	// The requirements are those of this module, so that nothing is downloaded.
	mod := strings.Replace(string(read(t, root, "go.mod")), "module memobench\n", "module example.com/own\n", 1) +
		"\nrequire memobench v0.0.0\n\nreplace memobench => " + absolute(t, root) + "\n"
	for name, text := range map[string]string{"go.mod": mod, "go.sum": string(read(t, root, "go.sum")),
		"main.go":              string(read(t, "testdata/own", "main.go.txt")),
		"frequent/frequent.go": string(read(t, "testdata/own/frequent", "frequent.go.txt"))} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	build := exec.Command("go", append(append([]string{"build", "-mod=mod"}, buildTags...), "-o", "own", ".")...)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(filepath.Join(dir, "own"), args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if out := run("ls"); !strings.Contains(out, "frequent") || !strings.Contains(out, "memo") {
		t.Errorf("ls printed\n%s", out)
	}
	out := run("train", "--model", "frequent", "--task", "pai3", "--study", "quick", "--quiet", "--out", "run",
		"--set", "protocol.steps=5", "--set", "protocol.evaluate_every=5", "--set", "test_per_kind=10", "--set", "validation_per_kind=5", "--set", "early_stop=off")
	if !strings.Contains(out, "Most frequent") {
		t.Errorf("train printed\n%s", out)
	}
	if n := strings.Count(string(read(t, "testdata/own", "main.go.txt")), "\n"); n > 10 {
		t.Errorf("main.go has %d lines", n)
	}
}
