package data

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/datasets/npy/npytest"
)

// generate writes a small dataset.
func generate(t *testing.T, task string, set ...string) string {
	t.Helper()
	p := plan(t, task, [3]int{30, 5, 5}, set...)
	dir := filepath.Join(t.TempDir(), task)
	mustWrite(t, dir, p)
	return dir
}

var small = map[string][]string{
	"pai3": {"classes=60"}, "sp20-3-3": {"targets=random"}, "babi": {"tasks=1,19"},
	"pai4-embeddings": {"classes=80", "features=16", "train_items=100", "validation_items=90", "test_items=90"},
}

func TestGeneratedDatasetsAreFaultless(t *testing.T) {
	for task, set := range small {
		dir := generate(t, task, set...)
		for _, path := range []string{dir, filepath.Join(dir, headerName)} {
			r := mustCheck(t, path)
			r.want(t, 0)
			if len(r.Parts) != 1 || len(r.Notes) != 0 || !strings.HasSuffix(r.Parts[0].Form, " of "+task+", seed 5") {
				t.Errorf("%s: %+v", task, r)
			}
			entry, _ := datasets.Lookup(task)
			src, _ := entry.New(entry.Defaults(), datasets.Options{})
			what, n := "examples", 30+10*len(src.Kinds())
			if task == "babi" {
				what, n = "questions", 70
			}
			if got := r.Parts[0].n(what); got != n {
				t.Errorf("%s: %d %s, want %d", task, got, what, n)
			}
		}
	}
}

func replace(t *testing.T, path, old, new string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), old) {
		t.Fatalf("no %q in %s (%v)", old, path, err)
	}
	must.Do(t, os.WriteFile(path, []byte(strings.Replace(string(data), old, new, 1)), 0o644))
}

func TestFaultsOfGeneratedDatasetsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		task   string
		fault  func(dir string)
		errors int
		want   []string
	}{
		"a line": {"pai3", func(dir string) { replace(t, filepath.Join(dir, "train.jsonl"), `"kind"`, `"kidn"`) }, 2,
			[]string{`train.jsonl:1: not an example`, "the file was changed"}},
		"no shortest path": {"sp20-3-3", func(dir string) { replace(t, filepath.Join(dir, "test.jsonl"), `"targets":[`, `"targets":[99,`) }, 2,
			[]string{"test.jsonl:1: batch: 3 targets, want 1 x 2"}},
		"lines are missing": {"pai3", func(dir string) { os.Truncate(filepath.Join(dir, "train.jsonl"), 0) }, 2,
			[]string{"0 bytes, the header says", "0 examples, the header says 30"}},
		"a file is missing": {"pai3", func(dir string) { os.Remove(filepath.Join(dir, "train.jsonl")) }, 1,
			[]string{"train.jsonl does not exist"}},
		"items are missing":   {"pai4-embeddings", func(dir string) { os.Remove(filepath.Join(dir, "test_items.npy")) }, 1, []string{"test_items.npy does not exist"}},
		"stories are missing": {"babi", func(dir string) { os.Remove(filepath.Join(dir, "qa19_path-finding_test.txt")) }, 1, []string{"qa19_path-finding_test.txt does not exist"}},
		"the header": {"pai3", func(dir string) { replace(t, filepath.Join(dir, headerName), `"seed": 5`, `"seed": -1`) }, 1,
			[]string{"dataset.json: bad header"}},
		"a task of others": {"pai3", func(dir string) { replace(t, filepath.Join(dir, headerName), `"task": "pai3"`, `"task": "pai9"`) }, 1,
			[]string{`unknown task "pai9"`}},
		"a story": {"babi", func(dir string) {
			replace(t, filepath.Join(dir, "qa1_single-supporting-fact_test.txt"), "\n2 ", "\n7 ")
		}, 3, []string{"_test.txt:2: line number 7: want 2", "questions, the header says 5", "the file was changed"}},
		"the shape of the items": {"pai4-embeddings", func(dir string) {
			npytest.Write(t, filepath.Join(dir, "test_items.npy"), "<f4", make([]float32, 32), 2, 16)
		}, 2, []string{"test_items.npy: shape [2 16], the header says [90 16]"}},
		"an item": {"pai4-embeddings", func(dir string) {
			data := make([]float32, 90*16)
			data[17], data[40] = float32(math.NaN()), float32(math.Inf(-1))
			npytest.Write(t, filepath.Join(dir, "test_items.npy"), "<f4", data, 90, 16)
		}, 3, []string{"test_items.npy: offset 196: value 17 is NaN as float32", "test_items.npy: offset 288: value 40 is -Inf"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := generate(t, c.task, small[c.task]...)
			c.fault(dir)
			mustCheck(t, dir).want(t, c.errors, c.want...)
		})
	}
}

// Answers are compared with the rows, also if the file was changed.
func TestAnswersAreFollowed(t *testing.T) {
	for task, want := range map[string]string{"sp10-2-2": "are not a right answer", "pai3": "but the rows link the cue to"} {
		dir := generate(t, task, small[task]...)
		path := filepath.Join(dir, "test.jsonl")
		data := must.Get(os.ReadFile(path))(t)
		var lines []string
		for _, l := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			var e Example
			must.Do(t, json.Unmarshal([]byte(l), &e))
			if len(e.Choices) > 0 {
				e.Targets[0] = e.Choices[0] + e.Choices[1] - e.Targets[0]
			} else {
				e.Targets[0] = e.Query[0]
			}
			changed := must.Get(json.Marshal(e))(t)
			lines = append(lines, string(changed))
		}
		write(t, dir, map[string]string{"test.jsonl": strings.Join(lines, "\n") + "\n"})
		r := mustCheck(t, path)
		r.want(t, len(lines)+1, "test.jsonl:5: ", want)
		if r.Parts[0].Files != 1 || r.Parts[0].n("examples") != len(lines) {
			t.Errorf("%+v", r.Parts)
		}
	}
}

func TestOtherGeneratorsAndFilesAreNoted(t *testing.T) {
	dir := generate(t, "pai3", "classes=60")
	d := must.Get(Open(dir))(t)
	replace(t, filepath.Join(dir, headerName), d.Header.Fingerprint, "0123456789abcdef")
	write(t, dir, map[string]string{"mine.txt": "x"})
	r := mustCheck(t, dir)
	r.want(t, 0)
	notes := strings.Join(r.Notes, "\n")
	for _, want := range []string{"another version of the generator", "mine.txt is not of the dataset"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %q", want, notes)
		}
	}
	if _, err := Validate(context.Background(), filepath.Join(dir, "other.jsonl"), nil); err == nil {
		t.Error("a file that is not there is checked")
	}
	write(t, dir, map[string]string{"other.jsonl": "{}"})
	if _, err := Validate(context.Background(), filepath.Join(dir, "other.jsonl"), nil); err == nil || !strings.Contains(err.Error(), "does not list it") {
		t.Errorf("a file that is not listed: %v", err)
	}
}
