package survey

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/cmd/memobench/data/files"
	"memobench/datasets"
	"memobench/datasets/babi"
)

// generated writes a small dataset of paths, of embeddings or of stories.
func generated(t *testing.T, form string) string {
	t.Helper()
	p := files.Plan{Counts: [3]int{40, 4, 5}}
	switch form {
	case files.FormStories:
		p.Task, p.Babi = "babi", babi.Defaults()
		p.Babi.Tasks = "1,15"
	case files.FormEmbeddings:
		p.Task, p.Source = "pai3-embeddings", source(t, "pai3-embeddings", "classes=60", "features=16", "train_items=200", "validation_items=90", "test_items=90")
	default:
		p.Task, p.Source = "sp10-2-2", source(t, "sp10-2-2")
	}
	dir := filepath.Join(t.TempDir(), form)
	if _, err := files.Write(context.Background(), dir, p, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

// cut keeps the first lines of a file.
func cut(t *testing.T, path string, lines int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	kept := bytes.Join(bytes.SplitAfter(data, []byte("\n"))[:lines], nil)
	if err := os.WriteFile(path, kept, 0o644); err != nil {
		t.Fatal(err)
	}
}

// What a dataset lacks is said beside the numbers of what is there.
func TestADatasetThatIsNotWholeIsNoted(t *testing.T) {
	for name, c := range map[string]struct {
		form  string
		fault func(dir string)
		o     Options
		want  []string
	}{
		"whole":            {files.FormExamples, func(string) {}, Options{}, nil},
		"whole stories":    {files.FormStories, func(string) {}, Options{}, nil},
		"whole embeddings": {files.FormEmbeddings, func(string) {}, Options{}, nil},
		"cut": {files.FormExamples, func(dir string) { cut(t, filepath.Join(dir, "train.jsonl"), 30) }, Options{},
			[]string{"train.jsonl: ", "train.jsonl: 30 examples, the header says 40"}},
		"another split": {files.FormExamples, func(dir string) { cut(t, filepath.Join(dir, "train.jsonl"), 30) }, Options{Split: "test"},
			[]string{" bytes, the header says "}},
		"changed": {files.FormExamples, func(dir string) {
			data, _ := os.ReadFile(filepath.Join(dir, "test.jsonl"))
			os.WriteFile(filepath.Join(dir, "test.jsonl"), slices.Concat(data[bytes.IndexByte(data, '\n')+1:], data[:bytes.IndexByte(data, '\n')+1]), 0o644)
		}, Options{}, []string{"the file was changed"}},
		"cut stories": {files.FormStories, func(dir string) { cut(t, filepath.Join(dir, "qa15_basic-deduction_train.txt"), 24) }, Options{},
			[]string{"qa15_basic-deduction_train.txt: "}},
		"no items": {files.FormEmbeddings, func(dir string) { os.Remove(filepath.Join(dir, "train.npy")) }, Options{},
			[]string{"train.npy: no such file"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := generated(t, c.form)
			c.fault(dir)
			s, err := Path(context.Background(), dir, c.o)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Notes) != len(c.want) {
				t.Errorf("notes %q", s.Notes)
			}
			var out strings.Builder
			if err := s.WriteText(&out); err != nil || strings.Count(out.String(), "note: ") != len(c.want) {
				t.Errorf("%v\n%s", err, &out)
			}
			for i, want := range c.want {
				if i < len(s.Notes) && !strings.Contains(s.Notes[i], want) {
					t.Errorf("note %q, want ...%s...", s.Notes[i], want)
				}
			}
		})
	}
}

// A task that is left out is named.
func TestMissingStoriesAreNoted(t *testing.T) {
	dir := t.TempDir()
	for task := 1; task <= babi.NumTasks; task++ {
		for _, split := range []datasets.Split{datasets.Train, datasets.Test} {
			if task == 3 && split == datasets.Train {
				continue
			}
			name := fmt.Sprintf("qa%d_%v.txt", task, split)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(story), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		survey func() (*Survey, error)
		want   []string
	}{
		"path, training": {func() (*Survey, error) { return Path(context.Background(), dir, Options{}) }, []string{"no training file of task 3"}},
		"task, test":     {func() (*Survey, error) { return Babi(context.Background(), dir, Options{Split: "test"}) }, nil},
	} {
		s, err := c.survey()
		if err != nil || !slices.Equal(s.Notes, c.want) {
			t.Errorf("%s: notes %q, want %q (%v)", name, s.Notes, c.want, err)
		}
	}
	s := &Survey{Stories: &Stories{Split: "train"}} // as Babi has it
	list, _, err := babi.Files(dir)
	if s.noteMissing(list); err != nil || len(s.Notes) != 1 {
		t.Errorf("notes %q (%v)", s.Notes, err)
	}
}
