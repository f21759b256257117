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

// Perfect answers are all right, a tenth of wrong ones leaves nine tenths, and shuffled
// ones are right as often as two questions have the same answer.
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
		order, equal := rng.Perm(len(questions)), 0
		for _, a := range questions {
			for _, b := range questions {
				if slices.Equal(a.Targets, b.Targets) {
					equal++
				}
			}
		}
		chance := float64(equal) / float64(len(questions)) / float64(len(questions))
		got = accuracyOf(t, task, answerLines(t, questions, func(i int) any { return questions[order[i]].Targets }), filepath.Join(dir, "shuffled"), "shuffled")
		if sd := 100 * math.Sqrt(chance*(1-chance)/float64(len(questions))); math.Abs(got-100*chance) > 4*sd {
			t.Errorf("%s: shuffled answers score %.2f, chance is %.2f ± %.2f", task, got, 100*chance, sd)
		}
		// A column of every table and a side of every comparison.
		table := command("table", dir).want(t, exitGood)
		report := command("report", dir, "--format", "markdown").want(t, exitGood)
		for _, name := range []string{"perfect", "tenth", "shuffled"} {
			if !strings.Contains(table.stdout, " "+name+" ") || !strings.Contains(report.stdout, name) {
				t.Errorf("%s: no column %s in\n%s", task, name, table.stdout)
			}
		}
		if strings.Contains(table.stdout, "as the record states them") || strings.Contains(table.stdout, "steps (paper: ") {
			t.Errorf("%s: printed\n%s", task, table.stdout)
		}
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
	for want, change := range map[string]func(lines []string) []string{
		"2 of 600 questions have no answer, the first is " + prefix + "1": func(l []string) []string { return append(l[:1], l[3:]...) },
		`:601: question "` + first + `": it is answered twice`:            func(l []string) []string { return append(l, l[0]) },
		`question "test-01234567-0": the ids of the test questions begin with `: func(l []string) []string {
			return append(l, strings.Replace(l[0], first, "test-01234567-0", 1))
		},
		`question "validation-`: func(l []string) []string {
			return append(l, strings.Replace(l[0], "test-", "validation-", 1))
		},
		"question " + prefix + "600: there are 600 questions": func(l []string) []string {
			return append(l, strings.Replace(l[0], first, prefix+"600", 1))
		},
		`"gardn" is not a possible answer`:            func(l []string) []string { l[4] = `{"id":"` + prefix + `4","answer":"gardn"}`; return l },
		"7000 is not a possible answer":               func(l []string) []string { l[4] = `{"id":"` + prefix + `4","answer":7000}`; return l },
		"[1,2] is not a possible answer":              func(l []string) []string { l[4] = `{"id":"` + prefix + `4","answer":[1,2]}`; return l },
		"want either answer or scores":                func(l []string) []string { l[4] = `{"id":"` + prefix + `4"}`; return l },
		`:5: not an answer: json: unknown field "anw`: func(l []string) []string { l[4] = `{"id":"` + prefix + `4","anwser":1}`; return l },
	} {
		path, out := filepath.Join(t.TempDir(), "a.jsonl"), filepath.Join(t.TempDir(), "out")
		must.Do(t, os.WriteFile(path, []byte(strings.Join(change(slices.Clone(right)), "\n")+"\n"), 0o644))
		got := command(append([]string{"score", "--task", "babi", path, "--name", "x", "--strict", "--out", out}, exported["babi"]...)...)
		if got.status != exitFailed || !strings.Contains(got.stderr, want) {
			t.Errorf("status %d, %q, want ...%s...", got.status, got.stderr, want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: something was written", want)
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
