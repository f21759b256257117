package file

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"memobench/datasets"
	_ "memobench/datasets/babi"
	"memobench/datasets/datasettest"
	"memobench/datasets/export"
	"memobench/datasets/must"
	"memobench/datasets/pai"
	"memobench/datasets/shortestpath"
)

// sources are small sources of every form of data: symbols with choices, vectors, several answers, words.
func sources(t testing.TB) map[string]datasets.Source {
	t.Helper()
	symbols := pai.Defaults(3)
	symbols.Sequences, symbols.Classes = 4, 30
	paths := shortestpath.Defaults(20, 3, 3)
	entry, _ := datasets.Lookup("babi")
	stories := entry.Defaults()
	must.Do(t, yaml.Unmarshal([]byte(`{tasks: "1,15"}`), stories))
	embeddings, _ := datasets.Lookup("pai3-embeddings")
	settings := embeddings.Defaults()
	must.Do(t, yaml.Unmarshal([]byte("{sequences: 4, classes: 30, features: 16, train_items: 100, validation_items: 60, test_items: 60}"), settings))
	return map[string]datasets.Source{
		"pai3":       must.Get(pai.New(*symbols, datasets.Options{}))(t),
		"embeddings": must.Get(embeddings.New(settings, datasets.Options{}))(t),
		"sp20-3-3":   must.Get(shortestpath.New(*paths, datasets.Options{}))(t),
		"babi":       must.Get(entry.New(stories, datasets.Options{DataPath: "simulated"}))(t),
	}
}

const (
	perKind = 20
	steps   = 6
	batch   = 40
)

// write exports a source and returns the directory.
func write(t testing.TB, src datasets.Source, formats ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	plan := export.Plan{
		Task: src.Spec().Task, Seed: 1, Source: src, Formats: formats, Splits: []datasets.Split{datasets.Train, datasets.Validation, datasets.Test},
		Protocol: export.Protocol{Values: map[string]int{}},
		IDs:      func(split datasets.Split) string { return fmt.Sprintf("%v-1-", split) },
		Batches: func(_ context.Context, split datasets.Split) iter.Seq2[*datasets.Batch, error] {
			if split != datasets.Train {
				return src.Examine(split, 1, perKind, 7)
			}
			return func(yield func(*datasets.Batch, error) bool) {
				var b datasets.Batch
				for step := range steps {
					if err := src.Batch(&b, split, 1, step, batch); !yield(&b, err) {
						return
					}
				}
			}
		},
	}
	must.Get(export.Write(t.Context(), dir, plan, nil))(t)
	return dir
}

// question is an example whose items are their features.
type question struct {
	export.Example
	Items [][]float32
}

func questions(t *testing.T, src datasets.Source, split datasets.Split, perKind, size int) (list []question) {
	t.Helper()
	for b, err := range src.Examine(split, 1, perKind, size) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Size() {
			q := question{Example: export.ExampleOf(b, i, src.Kinds())}
			for _, words := range append(q.Rows, q.Query) {
				for j, word := range words {
					if b.Items != nil {
						q.Items, words[j] = append(q.Items, slices.Clone(b.Items.Row(word))), 0
					}
				}
			}
			list = append(list, q)
		}
	}
	return list
}

// What is exported and read again are the same questions, in both formats.
func TestRoundTrip(t *testing.T) {
	for name, src := range sources(t) {
		want := questions(t, src, datasets.Test, perKind, 50)
		for _, format := range []string{"jsonl", "npz"} {
			read := must.Get(Open(Settings{}, datasets.Options{DataPath: write(t, src, format)}))(t)
			for _, n := range []int{0, perKind} {
				if d := cmp.Diff(want, questions(t, read, datasets.Test, n, 33)); d != "" {
					t.Fatalf("%s as %s: %s", name, format, d)
				}
			}
			if read.Shape() != src.Shape() || !slices.Equal(read.Kinds(), src.Kinds()) {
				t.Errorf("%s as %s: shape %+v, want %+v", name, format, read.Shape(), src.Shape())
			}
			words, ok := src.(datasets.Vocabularied)
			again, okAgain := read.(datasets.Vocabularied)
			if ok != okAgain || ok && !slices.Equal(words.Vocabulary(), again.Vocabulary()) {
				t.Errorf("%s as %s: another vocabulary", name, format)
			}
		}
	}
}

func TestContract(t *testing.T) {
	for name, src := range sources(t) {
		if name == "babi" {
			continue // tasks of several lengths are not equally frequent in a few training batches
		}
		t.Run(name, func(t *testing.T) {
			dir := write(t, src, "jsonl")
			counts := make([]float64, len(src.Kinds()))
			for _, q := range questions(t, must.Get(Open(Settings{}, datasets.Options{DataPath: dir}))(t), datasets.Train, 0, 100) {
				counts[slices.Index(src.Kinds(), q.Kind)] += 1. / (steps * batch)
			}
			datasettest.Run(t, datasettest.Suite{Finite: true, Shares: counts, PerKind: perKind,
				New: func() (datasets.Source, error) { return Open(Settings{}, datasets.Options{DataPath: dir}) }})
		})
	}
}

// The header and the example of docs/data.md are complete.
func TestDocumentedDataAreComplete(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```text\n(\\{.*?)```").FindAllStringSubmatch(string(must.Get(os.ReadFile("../../docs/data.md"))(t)), -1)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks of data", len(blocks))
	}
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, export.HeaderName), []byte(blocks[0][1]), 0o600))
	must.Do(t, os.WriteFile(filepath.Join(dir, "train.jsonl"), []byte(blocks[1][1]), 0o600))
	src := must.Get(Open(Settings{}, datasets.Options{DataPath: dir, Splits: []datasets.Split{datasets.Train}}))(t)
	var b datasets.Batch
	must.Do(t, src.Batch(&b, datasets.Train, 0, 0, 2))
	var out strings.Builder
	must.Do(t, src.(datasets.Printer).Print(&out, &b, 1))
	if want := "where\n  1  mary office\n     where is mary?  office\n"; out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", &out, want)
	}
}

// A change of any file in the directory is an error that names it, and the line.
func TestFaultsNameFileAndLine(t *testing.T) {
	src := sources(t)["pai3"]
	for _, c := range []struct{ file, old, new, want string }{
		{"test.jsonl", `"kind":"A-B"`, `"kind":"A-Z"`, `test.jsonl:1: kind "A-Z": want one of`},
		{"test.jsonl", `"query":[`, `"query":[1,`, "test.jsonl:1: 4 words of the query"},
		{"test.jsonl", `"rows":[[`, `"rows":[[1],[`, "test.jsonl:1: row 1 has 1 words, want 2"},
		{"test.jsonl", `"rows":[[`, `"rows":[[99,1],[`, "test.jsonl:1: batch: example 0 "},
		{"test.jsonl", `"targets":[`, `"targets":[1,`, "test.jsonl:1: 3 words of the query and 2 answers"},
		{"test.jsonl", `"choices":[`, `"choices":[1,`, "test.jsonl:1: 3 choices, the examples before have 2"},
		{"test.jsonl", `"id":"test-1-1"`, `"id":"test-1-2"`, `test.jsonl:2: id "test-1-2", want "test-1-1"`},
		{"test.jsonl", `"kind"`, `"sort"`, `test.jsonl:1: json: unknown field "sort"`},
		{"test.jsonl", "\n", "\n\xff\n", "test.jsonl: line 2: wrong encoding"},
		{"dataset.json", `"schema": 2`, `"schema": 3`, "dataset.json: schema version 3"},
		{"dataset.json", `"row_width": 2`, `"row_width": 0`, "dataset.json: bad header: shape"},
		{"dataset.json", `"name": "test.jsonl"`, `"name": "../x"`, `dataset.json: bad header: file "../x"`},
		{"dataset.json", `"split": "test"`, `"split": "exam"`, `unknown split "exam"`},
		{"dataset.json", `"count": 60`, `"count": 61`, "60 examples, dataset.json says 61"},
	} {
		dir := write(t, src, "jsonl")
		path := filepath.Join(dir, c.file)
		text := strings.Replace(string(must.Get(os.ReadFile(path))(t)), c.old, c.new, 1)
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		if c.file != export.HeaderName {
			_, err := Open(Settings{}, datasets.Options{DataPath: dir})
			if err == nil || !strings.Contains(err.Error(), "test.jsonl: SHA-256 ") {
				t.Errorf("%s: a changed file: %v", c.new, err)
			}
			header := filepath.Join(dir, export.HeaderName)
			text := regexp.MustCompile(`,\s*"sha256": "\w+"`).ReplaceAllString(string(must.Get(os.ReadFile(header))(t)), "")
			must.Do(t, os.WriteFile(header, []byte(text), 0o600))
		}
		if _, err := Open(Settings{}, datasets.Options{DataPath: dir}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want ...%s...", c.new, err, c.want)
		}
	}
}

// A file of examples that the header does not list is named.
func TestUnlistedFilesAreNamed(t *testing.T) {
	dir := write(t, sources(t)["pai3"], "jsonl")
	src := must.Get(Open(Settings{}, datasets.Options{DataPath: dir}))(t)
	hash := src.Spec().Hash
	must.Do(t, os.WriteFile(filepath.Join(dir, "train-2.jsonl"), []byte("{}\n"), 0o600))
	src = must.Get(Open(Settings{}, datasets.Options{DataPath: dir}))(t)
	if texts := strings.Join(src.Spec().Caveats.Texts(), "; "); !strings.Contains(texts, "train-2.jsonl") || src.Spec().Hash != hash {
		t.Errorf("caveats %s, hash %s", texts, src.Spec().Hash)
	}
}

func TestMissingSplitsAndOtherModels(t *testing.T) {
	dir := write(t, sources(t)["babi"], "jsonl")
	only := filepath.Join(dir, "test.jsonl")
	if _, err := Open(Settings{}, datasets.Options{DataPath: only}); err == nil || !strings.Contains(err.Error(), "no file of train examples") {
		t.Errorf("training with a test file: %v", err)
	}
	src := must.Get(Open(Settings{}, datasets.Options{DataPath: only, Splits: []datasets.Split{datasets.Test}}))(t)
	var b datasets.Batch
	if err := src.Batch(&b, datasets.Train, 0, 0, 1); err == nil || !strings.Contains(err.Error(), "no file of train examples") {
		t.Errorf("a batch of a missing split: %v", err)
	}
	trained := &datasets.Trained{Shape: src.Shape(), Vocabulary: src.(datasets.Vocabularied).Vocabulary()}
	trained.Shape.MaxRows += 5
	if src, err := Open(Settings{}, datasets.Options{DataPath: dir, Trained: trained}); err != nil || src.Shape() != trained.Shape {
		t.Errorf("a model with longer memories: %v", err)
	}
	trained.Vocabulary[1] = "xyz"
	if _, err := Open(Settings{}, datasets.Options{DataPath: dir, Trained: trained}); err == nil || !strings.Contains(err.Error(), "vocabulary") {
		t.Errorf("a model with other words: %v", err)
	}
	if _, err := Open(Settings{}, datasets.Options{}); err == nil || !strings.Contains(err.Error(), "--data") {
		t.Errorf("no path: %v", err)
	}
}

func TestCheckSaysWhatTheFilesAre(t *testing.T) {
	dir := write(t, sources(t)["pai3"], "jsonl", "npz")
	var out strings.Builder
	must.Do(t, Check(&out, dir))
	for _, want := range []string{"pai3, kinds A-B, B-C, A-C\n", "test.jsonl: 60 test examples (20 A-B, 20 B-C, 20 A-C), no errors\n", "train.npz: 240 train examples ("} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
	if err := Check(&out, filepath.Join(dir, "SCHEMA.md")); err != nil {
		t.Error(err)
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "mine.jsonl"), nil, 0o600))
	if err := Check(&out, filepath.Join(dir, "mine.jsonl")); err == nil || !strings.Contains(err.Error(), "dataset.json does not list it") {
		t.Error(err)
	}
}

// No line or archive makes the reader panic; what it accepts are valid examples.
func FuzzExamples(f *testing.F) {
	header := must.Get(export.ParseHeader([]byte(`{"schema": 2, "task": "t", "labels": [], "kinds": ["a", "A-B", "B-C", "A-C"],
		"shape": {"vocabulary": 40, "max_rows": 8, "row_width": 2, "query_width": 3, "answers": 1}, "files": []}`)))(f)
	f.Add([]byte(`{"kind":"a","rows":[[1,2],[0,-1]],"query":[3,1,2],"targets":[4]}` + "\n"))
	f.Add([]byte(`{"kind":"a","rows":[[1,2]],"query":[3,1,2],"targets":[4],"choices":[4,1]}`))
	f.Add(must.Get(os.ReadFile(filepath.Join(write(f, sources(f)["pai3"], "npz"), "test.npz")))(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, content := range []string{export.Examples, export.Arrays} {
			r := &reader{header: header, choices: -1, shape: datasets.Shape{Vocabulary: 40, MaxRows: 8, RowWidth: 2, QueryWidth: 3, Answers: 1}}
			var b datasets.Batch
			b.Reset(2, 3, 1, 0)
			err := r.examples(&b, "f", &export.File{Content: content}, data)
			if err == nil && b.Size() > 0 {
				if err := b.ValidateFor(r.shape, len(header.Kinds)); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
