package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/export"
	"memobench/datasets/must"
)

// answerLines writes a line per question; one returns what follows its id.
func answerLines(t *testing.T, questions []export.Example, one func(i int) any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	var b strings.Builder
	for i, q := range questions {
		text := must.Get(json.Marshal(map[string]any{"id": q.ID, "answer": one(i)}))(t)
		b.Write(append(text, '\n'))
	}
	must.Do(t, os.WriteFile(path, []byte(b.String()), 0o644))
	return path
}

// accuracyOf scores answers and returns the mean accuracy of the record in the directory.
func accuracyOf(t *testing.T, task, path, out, name string) float64 {
	t.Helper()
	command(append([]string{"score", "--task", task, path, "--name", name, "--out", out}, exported[task]...)...).want(t, exitGood)
	r := must.Get(record.ReadFile(filepath.Join(out, record.FileName)))(t)
	v, _ := record.Accuracy.Overall(r)
	return v
}

// Perfect answers are all right, and a tenth of wrong ones leaves nine tenths.
func TestScoresAreTheShareOfRightAnswers(t *testing.T) {
	for task := range exported {
		dir := t.TempDir()
		_, src, questions, _ := asked(t, task)
		rng := rand.New(rand.NewPCG(1, 2))
		words := func(i int) any { // in words where the task has them
			var list []string
			for _, id := range questions[i].Targets {
				list = append(list, wordOf(src, id))
			}
			return strings.Join(list, " ")
		}
		if got := accuracyOf(t, task, answerLines(t, questions, words), filepath.Join(dir, "perfect"), "perfect"); got != 100 {
			t.Errorf("%s: perfect answers score %v", task, got)
		}
		wrong := map[int]bool{}
		for _, i := range rng.Perm(len(questions))[:len(questions)/10] {
			wrong[i] = true
		}
		got := accuracyOf(t, task, answerLines(t, questions, func(i int) any {
			list := slices.Clone(questions[i].Targets)
			if wrong[i] {
				list[0] = (list[0] + 1) % int32(src.Shape().Vocabulary)
			}
			if len(list) == 1 && i%2 == 0 {
				return list[0]
			}
			return list
		}), filepath.Join(dir, "tenth"), "tenth")
		if math.Abs(got-90) > 1 {
			t.Errorf("%s: with a tenth of wrong answers %v", task, got)
		}
		// A column of every table and a side of every comparison.
		table := command("table", dir).want(t, exitGood)
		report := command("report", dir, "--format", "markdown").want(t, exitGood)
		for _, name := range []string{"perfect", "tenth"} {
			if !strings.Contains(table.stdout, " "+name+" ") || !strings.Contains(report.stdout, name) {
				t.Errorf("%s: no column %s in\n%s", task, name, table.stdout)
			}
		}
		table.prints(t, "another program, trained as")
		command("check", filepath.Join(dir, "perfect"), filepath.Join(dir, "perfect")).want(t, exitGood)
		// 9 of 10 questions are right on both sides, the others on one.
		compared := command("compare", filepath.Join(dir, "perfect"), dir+":tenth", "--json").want(t, exitGood)
		if lost := fmt.Sprintf(`"lost": %d,`, len(questions)/10); !strings.Contains(compared.stdout, lost) || !strings.Contains(compared.stdout, "A is perfect, B is tenth") {
			t.Errorf("%s: no McNemar's test with %s in\n%s", task, lost, compared.stdout)
		}
	}
}

func TestAnswersToOtherQuestionsAreRefused(t *testing.T) {
	_, _, questions, _ := asked(t, "babi")
	right := strings.Split(strings.TrimSpace(string(readAll(t, answerLines(t, questions, func(i int) any { return questions[i].Targets })))), "\n")
	first := questions[0].ID
	prefix := strings.TrimSuffix(first, "0")
	changed := func(line string) func([]string) []string {
		return func(l []string) []string { l[4] = `{"id":"` + prefix + `4",` + line + `}`; return l }
	}
	for _, c := range []struct {
		change func(lines []string) []string
		strict bool
		want   string
	}{
		{func(l []string) []string { return append(l[:1], l[3:]...) }, false, "2 of 600 questions have no answer, the first is " + prefix + "1"},
		{func(l []string) []string { return append(l, l[0]) }, false, `:601: question "` + first + `": it is answered twice`},
		{func(l []string) []string { return append(l, strings.Replace(l[0], first, "test-01234567-0", 1)) }, false,
			"it is of another split, of other data or of another protocol"},
		{func(l []string) []string { return append(l, strings.Replace(l[0], first, prefix+"600", 1)) }, false,
			"question " + prefix + "600: there are 600 questions"},
		{changed(`"answer":"gardn"`), true, "gardn"},
		{changed(`"answer":7000`), true, "7000"},
		{changed(``), false, ":5: not an answer: "},
		{changed(`"anwser":1`), false, `:5: not an answer: json: unknown field "anwser"`},
	} {
		path, out := filepath.Join(t.TempDir(), "a.jsonl"), filepath.Join(t.TempDir(), "out")
		must.Do(t, os.WriteFile(path, []byte(strings.Join(c.change(slices.Clone(right)), "\n")+"\n"), 0o644))
		args := with([]string{"score", "--task", "babi", path, "--name", "x", "--out", out}, exported["babi"]...)
		if c.strict {
			args = append(args, "--strict")
		}
		command(args...).want(t, exitFailed, c.want)
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: something was written", c.want)
		}
	}
	args := func(out string) []string {
		return append([]string{"score", "--task", "babi", "-", "--name", "x", "--out", out}, exported["babi"]...)
	}
	for status, input := range map[int][]string{exitGood: right, exitFailed: right[:5]} {
		cmd, _, stderr := prepare(args(filepath.Join(t.TempDir(), "out"))...)
		cmd.Stdin = strings.NewReader(strings.Join(input, "\n"))
		_ = cmd.Run()
		if cmd.ProcessState.ExitCode() != status || status == exitFailed && !strings.Contains(stderr.String(), "standard input: 595 of 600 questions") {
			t.Errorf("from standard input: status %d, want %d: %s", cmd.ProcessState.ExitCode(), status, stderr)
		}
	}
}

func readAll(t *testing.T, path string) []byte {
	t.Helper()
	return read(t, filepath.Dir(path), filepath.Base(path))
}
