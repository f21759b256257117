package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever reads a file says of a pipe or a device that it is none, at once.
func TestSpecialFilesAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"run", "stories", "arrays"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	pipes := []string{"pipe.yaml", filepath.Join("run", "model.safetensors"), filepath.Join("stories", "qa1_x_test.txt"), filepath.Join("stories", "qa1_x_train.txt"), filepath.Join("arrays", "train.npy")}
	if err := exec.Command("mkfifo", pipes...).Run(); err != nil {
		t.Skip(err)
	}
	for link, target := range map[string]string{"zero.yaml": "/dev/zero", "zero.safetensors": "/dev/zero", "zero.txt": "/dev/zero"} {
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []struct {
		want int
		args []string
	}{
		{exitUsage, []string{"run", "--preset", "pipe.yaml", "--out", "o"}},
		{exitUsage, []string{"run", "--preset", "zero.yaml", "--out", "o"}},
		{exitUsage, []string{"sweep", "plan", "pipe.yaml"}},
		{exitUsage, []string{"sweep", "plan", "zero.yaml"}},
		{exitFailed, []string{"eval", "--quiet", "--checkpoint", "run"}},
		{exitFailed, []string{"eval", "--quiet", "--checkpoint", "zero.safetensors"}},
		{exitFailed, []string{"attention", "--checkpoint", "run"}},
		{exitFailed, []string{"train", "--quiet", "--task", "babi", "--model", "emn", "--data", "stories", "--set", "tasks=1", "--out", "o"}},
		{exitFailed, []string{"data", "validate", "zero.txt"}},
		{exitFailed, []string{"data", "stats", "stories"}},
	} {
		command(c.args...).want(t, c.want, ", want a regular file")
	}
	for _, dir := range []string{"stories", "arrays"} { // all that is wrong, as a list
		got := command("data", "validate", dir)
		if got.want(t, exitFailed, "errors found"); !strings.Contains(got.stdout, ", want a regular file") {
			t.Errorf("%s: %s", dir, got.stdout)
		}
	}
}
