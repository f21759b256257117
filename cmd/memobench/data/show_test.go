package data

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/pai"
)

func pairs(t *testing.T) *pai.Source {
	t.Helper()
	s := pai.Defaults(4)
	s.Sequences, s.Classes = 4, 60
	src, err := pai.New(*s, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func TestExamplesOfAKind(t *testing.T) {
	src := pairs(t)
	for _, kind := range src.Kinds() {
		list, err := DrawExamples(src, Pick{Kind: kind, N: 5, Split: datasets.Test})
		if err != nil || len(list) != 5 {
			t.Fatalf("%s: %d examples, %v", kind, len(list), err)
		}
		for _, e := range list {
			if e.Kind != kind || len(e.Rows) != 12 {
				t.Errorf("%s: %+v", kind, e)
			}
		}
	}
	any, err := DrawExamples(src, Pick{N: 40})
	kinds := map[string]bool{}
	for _, e := range any {
		kinds[e.Kind] = true
	}
	if err != nil || len(any) != 40 || len(kinds) < 4 {
		t.Errorf("%d examples of kinds %v (%v)", len(any), kinds, err)
	}
	var unknown *suggest.UnknownError
	if _, err := DrawExamples(src, Pick{Kind: "A-Z", N: 1}); !errors.As(err, &unknown) {
		t.Errorf("kind A-Z: %v", err)
	}
	if _, err := DrawExamples(src, Pick{N: 1, Split: 7}); err == nil {
		t.Error("split 7 is taken")
	}
}

func TestExamplesAreWrittenAsTheirSourcePrintsThem(t *testing.T) {
	src := pairs(t)
	var out strings.Builder
	if err := WriteExamples(&out, src, Pick{N: 2, Split: datasets.Validation, Seed: 3}); err != nil {
		t.Fatal(err)
	}
	var b datasets.Batch
	if err := src.Batch(&b, datasets.Validation, 3, 0, 2); err != nil {
		t.Fatal(err)
	}
	want := "pai4, validation split\n"
	for _, l := range src.Spec().Caveats.Texts() {
		want += "label: " + l + "\n"
	}
	for i := range 2 {
		var one strings.Builder
		if err := src.Print(&one, &b, i); err != nil {
			t.Fatal(err)
		}
		want += "\n" + one.String()
	}
	if out.String() != want {
		t.Errorf("written\n%s\nwant\n%s", &out, want)
	}
	mute := struct{ datasets.Source }{src}
	if err := WriteExamples(&out, mute, Pick{N: 1}); err == nil || !strings.Contains(err.Error(), "ask for JSON") {
		t.Errorf("a source that does not print: %v", err)
	}
}

const shownStory = "1 Mary went home.\n2 John sat.\n3 Who sat? \tjohn\t2\n4 John got the ball.\n5 Where is the ball?\twith john\n"

func TestStoriesEndWithTheirQuestion(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(shownStory, "with john", "hall\t4 1", 1)
	for _, name := range []string{"qa1_test.txt", "qa7_test.txt", "qa7_train.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, simulated, err := babi.Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	lines, tasks := map[int]int{}, map[int]int{}
	all, err := DrawStories(list, simulated, Pick{N: 60, Split: datasets.Test})
	if err != nil || len(all) != 60 {
		t.Fatalf("%d, %v", len(all), err)
	}
	for _, s := range all {
		lines[s.Line]++
		tasks[s.Task]++
		n, support := 2, "John sat."
		if s.Line == 6 {
			n, support = 3, "Mary went home.John got the ball."
		}
		var supports string
		for _, l := range s.Statements {
			if l.Supports {
				supports += l.Text
			}
		}
		if len(s.Statements) != n || supports != support || s.Simulated {
			t.Errorf("%+v", s)
		}
	}
	if len(lines) != 2 || lines[4] < 15 || lines[6] < 15 || len(tasks) != 2 || tasks[1] < 15 || tasks[7] < 15 {
		t.Errorf("by line %v, by task %v", lines, tasks)
	}
	one, err := DrawStories(list, simulated, Pick{N: 3, Split: datasets.Train, Kind: "7"})
	if err != nil || len(one) != 3 || one[2].Task != 7 {
		t.Errorf("%+v, %v", one, err)
	}
	var out strings.Builder
	if err := WriteStories(&out, one[:1], datasets.Train); err != nil || !strings.HasPrefix(out.String(), "babi, train split\n\ntask 7, Counting; "+dir) ||
		!strings.Contains(out.String(), "_train.txt:"+map[int]string{4: "4", 6: "6"}[one[0].Line]+" (* supports the answer)\n") {
		t.Errorf("%v\n%s", err, &out)
	}
	var unknown *suggest.UnknownError
	if _, err := DrawStories(list, simulated, Pick{N: 1, Split: datasets.Train, Kind: "1"}); !errors.As(err, &unknown) {
		t.Errorf("task 1 has no training file: %v", err)
	}
	if _, err := DrawStories(list, simulated, Pick{N: 1, Split: datasets.Validation}); err == nil || !strings.Contains(err.Error(), "a part of train") {
		t.Errorf("validation: %v", err)
	}
}

func TestAFileOfNoKnownTask(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(path, []byte(strings.Replace(shownStory, "with john", "hall", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	list, simulated, err := babi.Files(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DrawStories(list, simulated, Pick{N: 1, Split: datasets.Test, Kind: "mine.txt"})
	if err != nil || len(got) != 1 || got[0].File != path {
		t.Fatalf("%+v, %v", got, err)
	}
	var out strings.Builder
	if err := WriteStories(&out, got, datasets.Test); err != nil || !strings.Contains(out.String(), "\n"+path+":") {
		t.Errorf("%v\n%s", err, &out)
	}
	bad := filepath.Join(t.TempDir(), "bad.txt")
	if err := os.WriteFile(bad, []byte(shownStory), 0o644); err != nil {
		t.Fatal(err)
	}
	if list, _, err = babi.Files(bad); err != nil {
		t.Fatal(err)
	}
	if _, err := DrawStories(list, false, Pick{N: 1, Split: datasets.Test}); err == nil || !strings.Contains(err.Error(), "bad.txt:5: malformed answer") {
		t.Errorf("a bad file: %v", err)
	}
}
