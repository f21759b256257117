package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/cmd/memobench/data"
	"memobench/datasets/must"
)

// answerLines writes a line per question; one returns what follows its id.
func answerLines(t *testing.T, questions []data.Example, one func(i int) any) string {
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
		if !strings.Contains(table.stdout, "answers of another program") || strings.Contains(table.stdout, "as the record states them") || strings.Contains(table.stdout, "steps (paper: ") {
			t.Errorf("%s: printed\n%s", task, table.stdout)
		}
		command("check", filepath.Join(dir, "perfect"), filepath.Join(dir, "perfect")).want(t, exitGood)
		// 9 of 10 questions are right on both sides, the others on one.
		compared := command("compare", filepath.Join(dir, "perfect"), dir+":tenth", "--json").want(t, exitGood)
		if lost := fmt.Sprintf(`"lost": %d,`, len(questions)/10); !strings.Contains(compared.stdout, lost) || !strings.Contains(compared.stdout, "A is perfect, B is tenth") {
			t.Errorf("%s: no McNemar's test with %s in\n%s", task, lost, compared.stdout)
		}
		if task == "pai3" { // a column of the paper's table
			command("report", dir, "--table", "table-4").want(t, exitGood).prints(t, " perfect ", "100.0 (1)")
		}
	}
}

// Scores count by their highest, as those of a model do.
func TestScoresOfEveryAnswerAreTaken(t *testing.T) {
	_, src, questions, _ := asked(t, "sp10-2-2")
	path := filepath.Join(t.TempDir(), "scores.jsonl")
	var b strings.Builder
	for i, q := range questions {
		scores := make([]float32, src.Shape().Vocabulary)
		scores[q.Targets[0]] = float32(i%2)*2 - 1 // of every other one the least
		text := must.Get(json.Marshal(map[string]any{"id": q.ID, "scores": scores}))(t)
		b.Write(append(text, '\n'))
	}
	must.Do(t, os.WriteFile(path, []byte(b.String()), 0o644))
	if got := accuracyOf(t, "sp10-2-2", path, filepath.Join(t.TempDir(), "out"), "scores"); got != 50 {
		t.Errorf("accuracy %v, want 50", got)
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
		"its fingerprint is 01234567, those of this protocol": func(l []string) []string {
			return append(l, strings.Replace(l[0], first, "test-01234567-0", 1))
		},
		"it is of the validation split; the test questions are scored": func(l []string) []string {
			return append(l, strings.Replace(l[0], "test-", "validation-", 1))
		},
		"question " + prefix + "600: there are 600 questions": func(l []string) []string {
			return append(l, strings.Replace(l[0], first, prefix+"600", 1))
		},
		`unknown answer "gardn"`:                        func(l []string) []string { l[4] = `{"id":"` + prefix + `4","answer":"gardn"}`; return l },
		"answer 7000: want a whole number, 0 to ":       func(l []string) []string { l[4] = `{"id":"` + prefix + `4","answer":7000}`; return l },
		"answer -1: want a whole number, 0 to ":         func(l []string) []string { l[4] = `{"id":"` + prefix + `4","answer":-1}`; return l },
		"2 answers, want 1":                             func(l []string) []string { l[4] = `{"id":"` + prefix + `4","answer":[1,2]}`; return l },
		"3 scores, want ":                               func(l []string) []string { l[4] = `{"id":"` + prefix + `4","scores":[1,2,3]}`; return l },
		"want either answer or scores":                  func(l []string) []string { l[4] = `{"id":"` + prefix + `4"}`; return l },
		`:5: not an answer: unknown key "anw`:           func(l []string) []string { l[4] = `{"id":"` + prefix + `4","anwser":1}`; return l },
		`:5: not an answer: unknown key "ID"`:           func(l []string) []string { l[4] = `{"ID":"` + prefix + `4","answer":1}`; return l },
		`key "answer" is duplicated`:                    func(l []string) []string { l[4] = `{"id":"` + prefix + `4","answer":1,"answer":2}`; return l },
		":5: not an answer: id: ":                       func(l []string) []string { l[4] = `{"id":4,"answer":1}`; return l },
		"answer 3.5: want a whole number":               func(l []string) []string { l[4] = `{"id":"` + prefix + `4","answer":3.5}`; return l },
		"answer null: want a number":                    func(l []string) []string { l[4] = `{"id":"` + prefix + `4","answer":null}`; return l },
		":5: not an answer: the line ends within":       func(l []string) []string { l[4] = `{"id":"` + prefix + `4","answer":3`; return l },
		":5: not an answer: data after the JSON value":  func(l []string) []string { l[4] += " more"; return l },
		":5: not an answer: want a JSON object, have [": func(l []string) []string { l[4] = "[1]"; return l },
		`unknown answer ""`:                             func(l []string) []string { l[4] = `{"id":"` + prefix + `4","answer":""}`; return l },
		"scores: null, want numbers":                    func(l []string) []string { l[4] = `{"id":"` + prefix + `4","scores":[null]}`; return l },
		":5: not an answer":                             func(l []string) []string { l[4] = "x"; return l },
	} {
		path, out := filepath.Join(t.TempDir(), "a.jsonl"), filepath.Join(t.TempDir(), "out")
		must.Do(t, os.WriteFile(path, []byte(strings.Join(change(slices.Clone(right)), "\n")+"\n"), 0o644))
		got := command(append([]string{"score", "--task", "babi", path, "--name", "x", "--out", out}, exported["babi"]...)...)
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
	for _, name := range []string{"memo", "MEMO", "emn4", "memo-act"} {
		command("score", "--task", "babi", "a.jsonl", "--name", name).want(t, exitUsage, "not the name of a model of memobench ls")
	}
}

// A record whose counts follow from nothing is labelled in every table.
func TestInventedCountsAreLabelled(t *testing.T) {
	const label = "the counts are as the record states them"
	_, _, questions, _ := asked(t, "pai3")
	dir := t.TempDir()
	accuracyOf(t, "pai3", answerLines(t, questions, func(i int) any { return questions[i].Choices[0] }), dir, "mine")
	recordFile := filepath.Join(dir, record.FileName)
	text := string(readAll(t, recordFile))
	table := func() string {
		t.Helper()
		got := command("table", dir).want(t, exitGood)
		return got.stdout
	}
	if out := table(); strings.Contains(out, label) {
		t.Errorf("counts that follow from the answers are labelled:\n%s", out)
	}
	unmarked := regexp.MustCompile(`(?s)"caveats": \[.*?\],`).ReplaceAllString(text, "")
	must.Do(t, os.WriteFile(recordFile, []byte(unmarked), 0o644))
	if out := table(); !strings.Contains(out, "answers of another program") {
		t.Errorf("a record of scored answers without its caveat is not marked:\n%s", out)
	}
	var r record.Record
	must.Do(t, json.Unmarshal([]byte(text), &r))
	invented := strings.ReplaceAll(text, fmt.Sprintf(`"correct": %d`, r.Evaluation.Kinds[0].Correct), `"correct": 1`)
	must.Do(t, os.WriteFile(recordFile, []byte(invented), 0o644))
	if out := strings.Join(strings.Fields(table()), " "); !strings.Contains(out, label+": the answers next to it do not give them") {
		t.Errorf("no label in\n%s", out)
	}
	must.Do(t, os.Remove(filepath.Join(dir, record.PredictionsName)))
	if out := strings.Join(strings.Fields(table()), " "); !strings.Contains(out, label+": no answers are next to it") {
		t.Errorf("no label in\n%s", out)
	}
	// Of a run that is said to be trained here, without its learning curve.
	must.Do(t, os.WriteFile(recordFile, []byte(strings.Replace(text, `"origin": "scored"`, `"origin": "trained"`, 1)), 0o644))
	if out := strings.Join(strings.Fields(table()), " "); !strings.Contains(out, label+": no answers are next to it, and it names no learning curve") {
		t.Errorf("no label in\n%s", out)
	}
}

func readAll(t *testing.T, path string) []byte {
	t.Helper()
	return read(t, filepath.Dir(path), filepath.Base(path))
}
