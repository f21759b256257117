package cli

import (
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
