package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"memobench/benchmarks/trace"
	"memobench/datasets/must"
)

// On files, --question N is the N-th question of its kind in the file.
func TestAttentionShowsTheNthQuestionOfTheFile(t *testing.T) {
	dir := t.TempDir()
	data, run := filepath.Join(dir, "data"), filepath.Join(dir, "run")
	command("data", "gen", "babi", "--out", data, "--count", "300", "--set", "tasks=1,15").want(t, exitGood)
	command("train", "--model", "emn", "--task", "babi", "--data", data, "--out", run, "--quiet",
		"--set", "tasks=1,15", "--set", "steps=1", "--set", "width=8").want(t, exitGood)
	for _, kind := range []string{"1", "15"} {
		stories := questionsOf(t, data, kind, "test")
		for _, n := range []int{0, 1, 2, 11, len(stories) - 1} {
			file := filepath.Join(dir, kind+"-"+strconv.Itoa(n)+trace.Suffix)
			command("attention", "--checkpoint", run, "--data", data, "--kind", kind, "--question", strconv.Itoa(n), "--out", file).want(t, exitGood)
			got := must.Get(trace.Read(file))(t)
			if have := strings.Join(append(got.Rows, got.Query, got.Answers[0].Target), "\n"); have != stories[n] {
				t.Errorf("kind %s, question %d is\n%s\nwant\n%s", kind, n, have, stories[n])
			}
		}
		command("attention", "--checkpoint", run, "--data", data, "--kind", kind, "--question", strconv.Itoa(len(stories))).
			want(t, exitFailed, "the test split has "+strconv.Itoa(len(stories)))
	}
}

// Weights of heads without softmax are no shares: the other heads are shown, if there are any.
func TestAttentionIsThatOfHeadsWithSoftmax(t *testing.T) {
	run := func(args ...string) string {
		dir := filepath.Join(t.TempDir(), "run")
		command(append([]string{"train", "--preset", "quick", "--task", "sp10-2-2", "--quiet", "--out", dir, "--set", "protocol.steps=1", "--set", "test_per_kind=2"}, args...)...).want(t, exitGood)
		return dir
	}
	mixed := run("--model", "memo", "--set", "memo.heads=3", "--set", "memo.attention=mixed", "--set", "memo.linear_heads=1")
	command("attention", "--checkpoint", mixed).want(t, exitGood).prints(t, "mean over 2 heads")
	linear := run("--model", "emn", "--set", "emn.attention=linear")
	command("attention", "--checkpoint", linear).want(t, exitFailed, "no head of this emn has softmax")
	if got := command("ask", "--checkpoint", linear, askFile(t, "0 1\n1 2\n0 ? 2\n")).want(t, exitGood); strings.Contains(got.stdout, "hop") {
		t.Errorf("hops of weights that are no shares:\n%s", got.stdout)
	}
}

// questionsOf returns the questions of a file of bAbI with the statements before
// them and their answers, a line each, in the order of the file.
func questionsOf(t *testing.T, dir, task, split string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "qa"+task+"_*_"+split+".txt"))
	if len(files) != 1 {
		t.Fatalf("files of task %s: %q (%v)", task, files, err)
	}
	text := must.Get(os.ReadFile(files[0]))(t)
	var list, story []string
	plain := strings.NewReplacer(".", "", "?", "")
	for line := range strings.Lines(string(text)) {
		number, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if number == "1" {
			story = nil
		}
		fields := strings.Split(strings.ToLower(rest), "\t")
		words := strings.Join(strings.Fields(plain.Replace(fields[0])), " ")
		if len(fields) == 1 {
			story = append(story, words)
			continue
		}
		list = append(list, strings.Join(append(append([]string{}, story...), words, fields[1]), "\n"))
	}
	return list
}

// Pipes and devices are refused at once as files.
func TestSpecialFilesAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"run", "stories", "arrays"} {
		must.Do(t, os.Mkdir(dir, 0o755))
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
