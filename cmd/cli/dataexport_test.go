package cli

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/export"
	"memobench/datasets/must"
)

// exported are the tasks that exports and scores are tested on, small.
var exported = map[string][]string{
	"pai3":     {"--study", "quick", "--set", "test_per_kind=200", "--set", "validation_per_kind=20"},
	"sp10-2-2": {"--study", "quick", "--set", "test_per_kind=600", "--set", "validation_per_kind=20"},
	"babi":     {"--study", "quick", "--set", "test_per_kind=300", "--set", "validation_per_kind=20"},
}

// asked returns the cell of an exported task and its examples, as the evaluation and two
// training steps have them.
func asked(t *testing.T, task string) (*study.Cell, datasets.Source, []export.Example, string) {
	t.Helper()
	o := protocolFlags{studyFlags: studyFlags{name: "quick"}}
	for i := 2; i < len(exported[task]); i += 2 {
		o.set = append(o.set, exported[task][i+1])
	}
	cell, src, err := o.open(task)
	if err != nil {
		t.Fatal(err)
	}
	var list []export.Example
	var text strings.Builder
	add := func(split datasets.Split, b *datasets.Batch, n *int) {
		part := func(values []int32, width, i int) []int32 { return values[i*width : (i+1)*width] }
		ids := evaluate.QuestionIDs(cell.ProtocolHash(), src.Spec().Hash, split)
		if split == datasets.Train {
			ids += "seed3-"
		}
		for i := range b.Size() {
			e := export.Example{ID: fmt.Sprint(ids, *n),
				Kind: src.Kinds()[b.Kinds[i]], Query: part(b.Queries, b.QueryWidth, i), Targets: part(b.Targets, b.Answers, i),
				Choices: part(b.Choices, b.NumChoices, i)}
			rows := b.Rows[b.Offsets[i]*b.RowWidth : b.Offsets[i+1]*b.RowWidth]
			text.WriteString(lineOf(e.ID, e.Kind, rows, e.Query, e.Targets, e.Choices))
			e.Targets, e.Choices = append([]int32{}, e.Targets...), append([]int32{}, e.Choices...)
			if split == datasets.Test {
				list = append(list, e)
			}
			*n++
		}
	}
	n := 0
	for step := range 2 {
		var b datasets.Batch
		must.Do(t, src.Batch(&b, datasets.Train, 3, step, cell.Protocol.BatchSize))
		add(datasets.Train, &b, &n)
	}
	for _, q := range []evaluate.Questions{evaluate.QuestionsOf(&cell.Protocol, datasets.Validation), evaluate.QuestionsOf(&cell.Protocol, datasets.Test)} {
		n = 0
		for b, err := range evaluate.Batches(t.Context(), src, q) {
			if err != nil {
				t.Fatal(err)
			}
			add(q.Split, b, &n)
		}
	}
	return cell, src, list, text.String()
}

// lineOf is an example as read_export.py prints it.
func lineOf(id, kind string, lists ...[]int32) string {
	line := id + "|" + kind
	for _, list := range lists {
		line += "|" + strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
	}
	return line + "\n"
}

// Every format of an export has the questions of the evaluation and the batches of
// training, read by Python.
func TestExportsAreWhatModelsSee(t *testing.T) {
	python := pythonWith("numpy")
	for task, flags := range exported {
		dir := filepath.Join(t.TempDir(), task)
		args := append([]string{"data", "export", task, "--out", dir, "--steps", "2", "--seed", "3", "--as", "jsonl,npz,text", "--quiet"}, flags...)
		command(args...).want(t, exitGood)
		command("data", "check", dir).want(t, exitGood)
		_, src, questions, want := asked(t, task)

		told := strings.Split(strings.TrimSpace(string(read(t, dir, "test.text.jsonl"))), "\n")
		for i, line := range told {
			var e struct{ ID, Text, Question, Answer string }
			must.Do(t, json.Unmarshal([]byte(line), &e))
			var answer []string
			for _, a := range questions[i].Targets {
				answer = append(answer, wordOf(src, a))
			}
			if e.ID != questions[i].ID || e.Answer != strings.Join(answer, " ") || e.Text == "" || !strings.HasSuffix(e.Question, "?") {
				t.Fatalf("%s, question %d: %+v, want answer %v", task, i, e, answer)
			}
		}
		if len(told) != len(questions) {
			t.Errorf("%s: %d questions told, want %d", task, len(told), len(questions))
		}
		if python == "" {
			t.Log("left out: no python3 with numpy here")
			continue
		}
		for _, form := range []string{"jsonl", "npz"} {
			out := must.Get(exec.Command(python, "testdata/read_export.py", dir, form).Output())(t)
			same(t, task+" as "+form, string(out), want)
		}
	}
}

// wordOf is the word of an answer.
func wordOf(src datasets.Source, id int32) string {
	if words := study.Vocabulary(src); words != nil {
		return words[id]
	}
	return fmt.Sprint(id)
}

// same compares two texts line by line.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("%s, line %d:\n%s\nwant\n%s", what, i+1, a[i], b[i])
			return
		}
	}
	if len(a) != len(b) {
		t.Errorf("%s: %d lines, want %d", what, len(a), len(b))
	}
}

// pythonWith returns a Python that has the module; empty for none.
func pythonWith(module string) string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import "+module).Run() == nil {
			return name
		}
	}
	return ""
}
