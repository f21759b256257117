package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"memobench/benchmarks/evaluate/trace"
	"memobench/datasets/must"
)

// On files, --question N is the N-th question of its kind in the file.
func TestAttentionShowsTheNthQuestionOfTheFile(t *testing.T) {
	dir := t.TempDir()
	data, run, file := filepath.Join(dir, "data"), filepath.Join(dir, "run"), filepath.Join(dir, "one"+trace.Suffix)
	writeStories(t, data)
	command("train", "--model", "emn", "--task", "babi", "--data", data, "--out", run, "--quiet",
		"--set", "tasks=1", "--set", "steps=1", "--set", "width=8").want(t, exitGood)
	command("attention", "--checkpoint", run, "--data", data, "--question", "4", "--out", file).want(t, exitGood)
	got := must.Get(trace.Read(file))(t)
	// The fifth story that writeStories makes.
	if want := []string{"john went to the office", "sandra went to the office"}; !slices.Equal(got.Rows, want) || got.Query != "where is john" || got.Answers[0].Target != "office" {
		t.Errorf("question 4 is %q, %q, %q; want %q", got.Rows, got.Query, got.Answers[0].Target, want)
	}
	command("attention", "--checkpoint", run, "--data", data, "--question", "20").want(t, exitFailed, "the test split has 20")
}

// Pipes and devices are refused at once as files.
func TestSpecialFilesAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"run", "stories"} {
		must.Do(t, os.Mkdir(dir, 0o755))
	}
	pipes := []string{"pipe.yaml", filepath.Join("run", "model.safetensors"), filepath.Join("stories", "qa1_x_test.txt"), filepath.Join("stories", "qa1_x_train.txt")}
	if err := exec.Command("mkfifo", pipes...).Run(); err != nil {
		t.Skip(err)
	}
	for link, target := range map[string]string{"zero.yaml": "/dev/zero", "zero.safetensors": "/dev/zero"} {
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
		{exitFailed, []string{"eval", "--quiet", "--checkpoint", "run"}},
		{exitFailed, []string{"eval", "--quiet", "--checkpoint", "zero.safetensors"}},
		{exitFailed, []string{"attention", "--checkpoint", "run"}},
		{exitFailed, []string{"train", "--quiet", "--task", "babi", "--model", "emn", "--data", "stories", "--set", "tasks=1", "--out", "o"}},
	} {
		command(c.args...).want(t, c.want, ", want a regular file")
	}
}
