package data

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memobench/datasets"
	"memobench/datasets/npy/npytest"
)

// statsOf describes n training examples of a task.
func statsOf(t *testing.T, n int, task string, set ...string) *ExampleStats {
	t.Helper()
	s, err := TaskStats(context.Background(), plan(t, task, [3]int{}, set...).Source, datasets.Train, 3, n, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s.Examples[0]
}

func TestStatsOfPairs(t *testing.T) {
	s := statsOf(t, 6000, "pai3", "classes=60", "sequences=4")
	if s.Examples != 6000 || s.Rows != (RowCount{8, 8, 8}) || s.Split != "train" {
		t.Errorf("%+v", s)
	}
	for i, want := range []float64{.25, .25, .5} {
		if got := float64(s.Kinds[i].Examples) / 6000; math.Abs(got-want) > .03 {
			t.Errorf("kind %s: %v, want %v", s.Kinds[i].Kind, got, want)
		}
	}
	a := s.Answers
	if a.Of != 60 || a.Distinct != 60 || a.Chance != 1./60 || a.Shown != 2 || a.Ceiling != 1 || a.MostFrequent > .03 || a.MostFrequent < 1./60 {
		t.Errorf("answers %+v", a)
	}
}

// The nodes of an ambiguous path can be known in 0.898 and 0.912 of the cases, as
// package shortestpath states, so that the whole path is known less often.
func TestStatsOfPaths(t *testing.T) {
	s := statsOf(t, 6000, "sp20-3-3", "targets=random")
	if c := s.Answers.Ceiling; c > .9 || c < .7 || s.Rows != (RowCount{60, 60, 60}) {
		t.Errorf("ceiling %v, rows %+v", c, s.Rows)
	}
	if s := statsOf(t, 200, "sp10-2-2"); s.Answers.Ceiling != 1 {
		t.Errorf("unique paths: %+v", s.Answers)
	}
}

// The statistics of written examples are those of the generator's examples.
func TestStatsOfFilesAreThoseOfTheGenerator(t *testing.T) {
	for task, set := range map[string][]string{"pai4": {"classes=90"}, "sp20-3-3": {"targets=random", "edges=uniform"}, "pai3-embeddings": smallEmbeddings} {
		dir := filepath.Join(t.TempDir(), task)
		counts := [3]int{150, 20, 64}
		p := plan(t, task, counts, set...)
		mustWrite(t, dir, p)
		got, err := PathStats(context.Background(), dir, "", nil)
		if err != nil || len(got.Examples) != 3 {
			t.Fatalf("%s: %+v, %v", task, got, err)
		}
		for split, n := range counts {
			want, err := TaskStats(context.Background(), p.Source, datasets.Split(split), p.Seed, n, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.Examples[0], got.Examples[split], cmpopts.IgnoreUnexported(ExampleStats{}), cmpopts.IgnoreFields(ExampleStats{}, "Path")); diff != "" {
				t.Errorf("%s, %v: -generator +file\n%s", task, datasets.Split(split), diff)
			}
		}
		for path, split := range map[string]string{filepath.Join(dir, "test.jsonl"): "", dir: "test"} {
			one, err := PathStats(context.Background(), path, split, nil)
			if err != nil || len(one.Examples) != 1 || one.Examples[0].Examples != 64 {
				t.Errorf("%s: %s %s: %+v, %v", task, path, split, one, err)
			}
		}
		if err := os.Truncate(filepath.Join(dir, "test.jsonl"), 50); err != nil {
			t.Fatal(err)
		}
		if _, err := PathStats(context.Background(), dir, "test", nil); err == nil || !strings.Contains(err.Error(), "test.jsonl:1: ") {
			t.Errorf("%s: a broken file: %v", task, err)
		}
	}
}

func TestMissingExamplesAreNoted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	d := mustWrite(t, dir, plan(t, "pai3", [3]int{3, 2, 1}, "classes=60"))
	path := filepath.Join(dir, "train.jsonl")
	lines, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(strings.LastIndex(strings.TrimSpace(string(lines)), "\n")+1)); err != nil {
		t.Fatal(err)
	}
	s, err := PathStats(context.Background(), dir, "train", nil)
	if want := d.Dir + "/train.jsonl: 2 examples, the header says 3"; err != nil || len(s.Notes) != 1 || s.Notes[0] != want {
		t.Errorf("%v, notes %q, want %q", err, s.Notes, want)
	}
}

func TestStatsAreWritten(t *testing.T) {
	for _, c := range []struct {
		task string
		want []string
	}{
		{"sp10-2-2", []string{"sp10-2-2, train split: 640 examples drawn with seed 3; fingerprint ", "targets=unique", "kind path", "100.0 %",
			"rows of a memory", "chance", "0.1 % among all\n", "ceiling"}},
		{"pai3", []string{"label: class symbols instead of image embeddings", "kind A-C", "320 examples, 50.0 %", "32\n", "50.0 % among the 2 shown\n", "ceiling           100.0 %"}},
	} {
		var out strings.Builder
		if err := (&Stats{Examples: []*ExampleStats{statsOf(t, 640, c.task)}}).WriteText(&out); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in:\n%s", want, &out)
			}
		}
	}
}

func TestStatsOfStories(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"qa1_train.txt": story + story, "qa16_train.txt": story, "qa16_test.txt": story})
	s, err := PathStats(context.Background(), dir, "", nil)
	if err != nil || len(s.Stories) != 2 || s.Stories[1].Task != 16 || len(s.Notes) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	want := StoryStats{Task: 1, Title: "Single Supporting Fact", File: filepath.Join(dir, "qa1_train.txt"), Split: "train",
		Stories: 2, Questions: 2, MemoryMean: 1, MemoryLongest: 1, Words: 7, Answers: 1, MostFrequent: 1, SupportMean: 1}
	if diff := cmp.Diff(want, s.Stories[0]); diff != "" {
		t.Error(diff)
	}
	var out strings.Builder
	if err := s.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"bAbI, train split: files\n", "16 Basic Induction", "note: no training file of tasks 2-15,17-20"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if _, err := PathStats(context.Background(), dir, "validation", nil); err == nil || !strings.Contains(err.Error(), "validation is a part of train") {
		t.Errorf("validation: %v", err)
	}
	test, err := PathStats(context.Background(), filepath.Join(dir, "qa16_test.txt"), "", nil)
	if err != nil || len(test.Stories) != 1 || test.Stories[0].Split != "test" || test.Notes != nil {
		t.Errorf("%+v, %v", test, err)
	}
}

func TestStatsOfSimulatedStoriesSaySo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	mustWrite(t, dir, plan(t, "babi", [3]int{40, 0, 8}, "tasks=15"))
	s, err := PathStats(context.Background(), dir, "", nil)
	if err != nil || len(s.Stories) != 1 || !s.Stories[0].Simulated || s.Stories[0].Questions != 40 {
		t.Fatalf("%+v, %v", s, err)
	}
	var out strings.Builder
	if err := s.WriteText(&out); err != nil || !strings.Contains(out.String(), "simulated stories, not the official files") {
		t.Errorf("%v\n%s", err, &out)
	}
}

// Of data that are not examples the error names the commands that describe them.
func TestStatsOfArraysAndShardsNameOtherCommands(t *testing.T) {
	dir := t.TempDir()
	npytest.Write(t, filepath.Join(dir, "x.npy"), "<f4", []float32{1}, 1)
	write(t, dir, map[string]string{"shards/trials-00000-of-00001": ""})
	for path, want := range map[string]string{dir: "data stats pai3-npy", filepath.Join(dir, "shards"): "data stats pai3-released"} {
		if _, err := PathStats(context.Background(), path, "", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

func TestStatsEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := filepath.Join(t.TempDir(), "d")
	p := plan(t, "pai3", [3]int{3, 2, 1}, "classes=60")
	mustWrite(t, dir, p)
	if _, err := TaskStats(ctx, p.Source, datasets.Train, 1, 1000, nil); err != context.Canceled {
		t.Errorf("task: %v", err)
	}
	if _, err := PathStats(ctx, dir, "", nil); err != context.Canceled {
		t.Errorf("files: %v", err)
	}
	if _, err := BabiStats(ctx, "simulated", "", nil); err != context.Canceled {
		t.Errorf("stories: %v", err)
	}
}
