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
	"memobench/datasets/must"
	"memobench/datasets/npy/npytest"
)

// statsOf describes n training examples of a task.
func statsOf(t *testing.T, n int, p Plan) *Stats {
	t.Helper()
	return must.Get(Describe(t.Context(), p.source, datasets.Train, p.Seed, n, nil))(t)
}

func TestStatsOfPairs(t *testing.T) {
	s := statsOf(t, 6000, plan(t, "pai3", [3]int{}, "classes=60", "sequences=4"))
	if s.Examples != 6000 || s.Split != "train" || s.Vocabulary != 60 || s.Shown != 2 {
		t.Errorf("%+v", s)
	}
	for i, want := range []float64{.25, .25, .5} {
		k := s.Kinds[i]
		if got := float64(k.Examples) / 6000; math.Abs(got-want) > .03 {
			t.Errorf("kind %s: %v, want %v", k.Kind, got, want)
		}
		if k.MeanRows != 8 || k.MostRows != 8 || k.Answers != 60 || k.MostFrequent > .04 || k.MostFrequent < 1./60 {
			t.Errorf("%+v", k)
		}
	}
}

// The statistics of written examples are those of the generator's examples.
func TestStatsOfFilesAreThoseOfTheGenerator(t *testing.T) {
	for task, set := range map[string][]string{"sp20-3-3": {"targets=random", "edges=uniform"}, "pai3-embeddings": smallEmbeddings} {
		dir := filepath.Join(t.TempDir(), task)
		p := plan(t, task, [3]int{batchSize, 20, 64}, set...) // a batch as Describe draws it
		p.steps = 2
		mustWrite(t, dir, p)
		got, err := DescribePath(t.Context(), dir, "", nil)
		if err != nil || len(got) != 3 {
			t.Fatalf("%s: %+v, %v", task, got, err)
		}
		if diff := cmp.Diff(statsOf(t, 2*batchSize, p), got[0], cmpopts.IgnoreUnexported(KindStats{}), cmpopts.IgnoreFields(Stats{}, "From")); diff != "" {
			t.Errorf("%s: -generator +file\n%s", task, diff)
		}
		for path, split := range map[string]string{filepath.Join(dir, "test.jsonl"): "", dir: "test"} {
			one, err := DescribePath(t.Context(), path, split, nil)
			if err != nil || len(one) != 1 || one[0].Examples != 64*len(one[0].Kinds) {
				t.Errorf("%s: %s %s: %+v, %v", task, path, split, one, err)
			}
		}
		must.Do(t, os.Truncate(filepath.Join(dir, "test.jsonl"), 50))
		if _, err := DescribePath(t.Context(), dir, "test", nil); err == nil || !strings.Contains(err.Error(), "test.jsonl:1: ") {
			t.Errorf("%s: a broken file: %v", task, err)
		}
	}
}

func TestStatsAreWritten(t *testing.T) {
	for task, wants := range map[string][]string{
		"sp10-2-2": {"sp10-2-2, train split: 640 examples (seed 5); fingerprint ", "targets=unique", "\npath  640 ", "chance: 0.1 % among all 1000 answers\n"},
		"pai3":     {"label: class symbols instead of image embeddings", "\nA-C   320 ", " 32.00 ", ", 50.0 % among the 2 shown\n"},
	} {
		var out strings.Builder
		must.Do(t, statsOf(t, 640, plan(t, task, [3]int{})).WriteText(&out))
		for _, want := range wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in:\n%s", want, &out)
			}
		}
	}
}

// All questions are counted, for the tasks with files.
func TestStatsOfStories(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"qa1_test.txt": story + story, "qa16_train.txt": story, "qa16_test.txt": story})
	list, err := DescribePath(t.Context(), dir, "", nil)
	if err != nil || len(list) != 1 || len(list[0].Labels) == 0 || list[0].From != dir || list[0].Split != "test" || list[0].Examples != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	want := []KindStats{{Kind: "1 Single Supporting Fact", Examples: 2, MeanRows: 1, MostRows: 1, Answers: 1, MostFrequent: 1},
		{Kind: "16 Basic Induction", Examples: 1, MeanRows: 1, MostRows: 1, Answers: 1, MostFrequent: 1}}
	if diff := cmp.Diff(want, list[0].Kinds, cmpopts.IgnoreUnexported(KindStats{})); diff != "" {
		t.Error(diff)
	}
	if one, err := DescribePath(t.Context(), filepath.Join(dir, "qa16_test.txt"), "", nil); err != nil || one[0].Examples != 1 {
		t.Errorf("%+v, %v", one, err)
	}
	generated := generate(t, "babi", "tasks=15")
	list, err = DescribePath(t.Context(), generated, "train", nil)
	if err != nil || !strings.Contains(strings.Join(list[0].Labels, "\n"), "simulated stories") || list[0].Examples > 30 {
		t.Errorf("%+v, %v", list, err)
	}
}

// For data that are not examples the error names the commands that read them.
func TestStatsOfArraysAndShardsNameOtherCommands(t *testing.T) {
	dir := t.TempDir()
	npytest.Write(t, filepath.Join(dir, "x.npy"), "<f4", []float32{1}, 1)
	if _, err := DescribePath(t.Context(), dir, "", nil); err == nil || !strings.Contains(err.Error(), "data stats TASK --data PATH") {
		t.Error(err)
	}
}

func TestStatsEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := plan(t, "pai3", [3]int{3, 2, 1}, "classes=60")
	if _, err := Describe(ctx, p.source, datasets.Train, 1, 1000, nil); err != context.Canceled {
		t.Errorf("task: %v", err)
	}
	for _, task := range []string{"pai3", "babi"} {
		if _, err := DescribePath(ctx, generate(t, task, small[task]...), "", nil); err != context.Canceled {
			t.Errorf("files of %s: %v", task, err)
		}
	}
}
