package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"memobench/benchmarks/trace"
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
			got, err := trace.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			if have := strings.Join(append(got.Rows, got.Query, got.Answers[0].Target), "\n"); have != stories[n] {
				t.Errorf("kind %s, question %d is\n%s\nwant\n%s", kind, n, have, stories[n])
			}
		}
		command("attention", "--checkpoint", run, "--data", data, "--kind", kind, "--question", strconv.Itoa(len(stories))).
			want(t, exitFailed, "the test split has "+strconv.Itoa(len(stories)))
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
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
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
