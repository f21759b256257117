package survey

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memobench/benchmarks"
	"memobench/cmd/memobench/data/files"
	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/npy/npytest"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	"memobench/datasets/tfrecord/tfrecordtest"
)

func source(t *testing.T, task string, set ...string) datasets.Source {
	t.Helper()
	e, ok := datasets.Lookup(task)
	if !ok {
		t.Fatalf("no task %s", task)
	}
	settings := e.Defaults()
	for _, s := range set {
		if err := benchmarks.SetTask(settings, s); err != nil {
			t.Fatal(err)
		}
	}
	src, err := e.New(settings, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func mustTask(t *testing.T, src datasets.Source, o Options) *Examples {
	t.Helper()
	s, err := Task(context.Background(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	return s.Examples[0]
}

func TestPairsAreDescribed(t *testing.T) {
	e := mustTask(t, source(t, "pai3", "classes=60", "sequences=4"), Options{Examples: 6000, Seed: 3})
	if e.Examples != 6000 || e.Rows != (Range{8, 8, 8}) || e.Words != 60 || e.Split != "train" {
		t.Errorf("%+v", e)
	}
	for i, want := range []float64{.25, .25, .5} {
		if got := ratio(e.Kinds[i].Examples, 6000); math.Abs(got-want) > .03 {
			t.Errorf("kind %s: %v, want %v", e.Kinds[i].Kind, got, want)
		}
	}
	a := e.Answers
	if a.Of != 60 || a.Distinct != 60 || a.Chance != 1./60 || a.Shown != 2 || math.Abs(a.First-.5) > .03 || a.Ceiling != 1 || a.MostFrequent > .03 || a.MostFrequent < 1./60 {
		t.Errorf("answers %+v", a)
	}
	if e.Items != nil || e.Paths != nil {
		t.Errorf("symbols have items %v or paths %v", e.Items, e.Paths)
	}
}

func TestItemsAreDescribed(t *testing.T) {
	e := mustTask(t, source(t, "pai3-embeddings", "classes=60", "features=64"), Options{Examples: 128, Split: "test"})
	if e.Items == nil || e.Items.Features != 64 || math.Abs(e.Items.Length-1) > .05 || e.Items.PerBatch < 3000 || e.Items.PerBatch > 64*48 || e.Words != 0 || e.Answers.Ceiling != 1 {
		t.Errorf("%+v %+v", e.Items, e)
	}
}

// The ceilings are those that package shortestpath states.
func TestPathsAreDescribed(t *testing.T) {
	e := mustTask(t, source(t, "sp20-3-3", "targets=random"), Options{Examples: 6000})
	p := e.Paths
	if p == nil || p.Lengths[3] != 6000 || p.Shortest[1] == 0 || p.Shortest[2] == 0 || e.Rows != (Range{60, 60, 60}) || e.Words != 20 {
		t.Fatalf("%+v %+v", e, p)
	}
	for i, want := range []float64{.898, .912} {
		if math.Abs(p.Nodes[i]-want) > .012 {
			t.Errorf("node %d: ceiling %v, stated is %v", i+1, p.Nodes[i], want)
		}
	}
	if c := e.Answers.Ceiling; c > min(p.Nodes[0], p.Nodes[1]) || c < .7 {
		t.Errorf("ceiling of the whole path %v, of its nodes %v", c, p.Nodes)
	}
	unique := mustTask(t, source(t, "sp10-2-2"), Options{Examples: 200})
	if unique.Answers.Ceiling != 1 || unique.Paths.Nodes[0] != 1 || unique.Paths.Shortest[1] != 200 {
		t.Errorf("%+v %+v", unique.Answers, unique.Paths)
	}
}

// Files of generated examples have the numbers of the examples that the
// generator draws.
func TestFilesAreAsTheirGenerator(t *testing.T) {
	for task, set := range map[string][]string{
		"pai4": {"classes=90"}, "sp20-3-3": {"targets=random", "edges=uniform"},
		"pai3-embeddings": {"classes=60", "features=16", "train_items=900", "validation_items=100", "test_items=100"},
	} {
		src := source(t, task, set...)
		dir := filepath.Join(t.TempDir(), task)
		if _, err := files.Write(context.Background(), dir, files.Plan{Task: task, Source: src, Seed: 7, Counts: [3]int{150, 20, 64}}, nil); err != nil {
			t.Fatal(err)
		}
		got, err := Path(context.Background(), dir, Options{})
		if err != nil || len(got.Examples) != 3 {
			t.Fatalf("%s: %+v, %v", task, got, err)
		}
		for i, n := range []int{150, 20, 64} {
			want := mustTask(t, src, Options{Split: datasets.Split(i).String(), Seed: 7, Examples: n})
			if diff := cmp.Diff(want, got.Examples[i], cmpopts.IgnoreUnexported(Examples{}, Answers{}, Items{}), cmpopts.IgnoreFields(Examples{}, "Path", "Items")); diff != "" {
				t.Errorf("%s, %v: -generator +file\n%s", task, datasets.Split(i), diff)
			}
		}
		one, err := Path(context.Background(), filepath.Join(dir, "test.jsonl"), Options{})
		if err != nil || len(one.Examples) != 1 || one.Examples[0].Examples != 64 {
			t.Errorf("%s: test.jsonl: %+v, %v", task, one, err)
		}
		only, err := Path(context.Background(), dir, Options{Split: "validation"})
		if err != nil || len(only.Examples) != 1 || only.Examples[0].Examples != 20 {
			t.Errorf("%s: validation: %+v, %v", task, only, err)
		}
		var out strings.Builder
		if err := got.WriteText(&out); err != nil || strings.Count(out.String(), task[:3]) < 3 || !strings.Contains(out.String(), "of "+filepath.Join(dir, "train.jsonl")) {
			t.Errorf("%v\n%s", err, &out)
		}
		if err := os.Truncate(filepath.Join(dir, "test.jsonl"), 50); err != nil {
			t.Fatal(err)
		}
		if _, err := Path(context.Background(), dir, Options{Split: "test"}); err == nil || !strings.Contains(err.Error(), "test.jsonl:1: ") {
			t.Errorf("%s: a broken file: %v", task, err)
		}
	}
}

func TestExamplesAreWritten(t *testing.T) {
	for _, c := range []struct {
		src  datasets.Source
		want []string
	}{
		{source(t, "sp10-2-2", "targets=random"), []string{"sp10-2-2, train split: 640 examples drawn with seed 0; fingerprint ", "targets=random", "kind path", "100.0 %",
			"rows of a memory", "path lengths", "2: 100.0 %", "shortest paths", "1: ", "ceiling, node 1", "ceiling, whole path", "chance", "0.1 % among all\n"}},
		{source(t, "pai3"), []string{"label: class symbols instead of image embeddings", "kind A-C", "320 examples, 50.0 %", "32\n", "50.0 % among the 2 shown; the first one shown is right in ", "ceiling", "100.0 %"}},
		{source(t, "pai3-embeddings", "features=16"), []string{"items", "16 features, squared length "}},
	} {
		s := &Survey{Examples: []*Examples{mustTask(t, c.src, Options{Examples: 640})}}
		var out strings.Builder
		if err := s.WriteText(&out); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in:\n%s", want, &out)
			}
		}
	}
	if got, want := histogram(map[int]int{1: 5, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 9: 2, 12: 8}, 20), "1: 25.0 %, 2: 5.0 %, 3: 5.0 %, 4: 5.0 %, 5: 5.0 %, 6: 5.0 %, more: 50.0 %"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

const story = "1 Mary went to the office.\n2 Where is Mary?\toffice\t1\n"

func TestStoriesStandBesideSimulatedOnes(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"qa1_train.txt", "qa16_train.txt", "qa16_test.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(story+story), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ticks := 0
	s, err := Path(context.Background(), dir, Options{Tick: func(string, int, int) { ticks++ }})
	if err != nil {
		t.Fatal(err)
	}
	st := s.Stories
	if st.Split != "train" || len(st.Tasks) != 2 || st.Tasks[1].Task != 16 || ticks != 4 {
		t.Fatalf("%+v after %d ticks", st, ticks)
	}
	want := &Counts{Stories: 2, Questions: 2, MemoryMean: 1, MemoryLongest: 1, Words: 7, Answers: 1, MostFrequent: 1, SupportMean: 1, StatementLong: 5, QuestionLong: 3}
	if diff := cmp.Diff(want, st.Tasks[0].Files); diff != "" {
		t.Error(diff)
	}
	if c := st.Tasks[1].Simulated; c == nil || c.Questions != 10_000 || c.MemoryMean != 9 {
		t.Errorf("simulated %+v", c)
	}
	var out strings.Builder
	if err := s.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"bAbI, train split: files\n", "bAbI, train split: simulated, not the official files\n", "files beside simulated stories", "16 Basic Induction"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if _, err := Path(context.Background(), dir, Options{Split: "validation"}); err == nil || !strings.Contains(err.Error(), "validation is a part of train") {
		t.Errorf("validation: %v", err)
	}
	test, err := Path(context.Background(), filepath.Join(dir, "qa16_test.txt"), Options{})
	if err != nil || test.Stories.Split != "test" || len(test.Stories.Tasks) != 1 {
		t.Errorf("%+v, %v", test, err)
	}
}

func TestSimulatedFilesStandAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	settings := babi.Defaults()
	settings.Tasks = "15"
	if _, err := files.Write(context.Background(), dir, files.Plan{Task: "babi", Babi: settings, Counts: [3]int{40, 0, 8}}, nil); err != nil {
		t.Fatal(err)
	}
	s, err := Path(context.Background(), dir, Options{})
	if err != nil || len(s.Stories.Tasks) != 1 || s.Stories.Tasks[0].Files != nil || s.Stories.Tasks[0].Simulated.Questions != 40 {
		t.Fatalf("%+v, %v", s.Stories, err)
	}
	var out strings.Builder
	if err := s.WriteText(&out); err != nil || strings.Contains(out.String(), "split: files") || !strings.Contains(out.String(), "simulated, not the official files") {
		t.Errorf("%v\n%s", err, &out)
	}
}

func TestArraysAndShardsAreDescribed(t *testing.T) {
	dir := t.TempDir()
	npytest.Write(t, filepath.Join(dir, "a.npy"), "<f4", []float32{1, 2, -3, float32(math.NaN())}, 2, 2)
	npytest.Write(t, filepath.Join(dir, "b_classes.npy"), "<i4", []int32{4, 4, 9}, 3)
	npytest.Write(t, filepath.Join(dir, "c.npy"), "<f4", []float32{}, 0)
	s, err := Path(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Array{
		{Path: filepath.Join(dir, "a.npy"), Shape: []int{2, 2}, Type: "float32", Bytes: 144, Lowest: -3, Highest: 2, NotFinite: 1},
		{Path: filepath.Join(dir, "b_classes.npy"), Shape: []int{3}, Type: "int32", Bytes: 140, Lowest: 4, Highest: 9, Mean: 17. / 3, Classes: &Classes{2, 1, 2}},
		{Path: filepath.Join(dir, "c.npy"), Shape: []int{0}, Type: "float32", Bytes: 128},
	}
	if diff := cmp.Diff(want, s.Arrays, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Error(diff)
	}
	var out strings.Builder
	if err := s.WriteText(&out); err != nil || !strings.Contains(out.String(), "1 not finite") || !strings.Contains(out.String(), "2 classes of 1 to 2 items") || !strings.Contains(out.String(), "2 x 2") {
		t.Errorf("%v\n%s", err, &out)
	}
	if err := os.Mkdir(filepath.Join(dir, "train"), 0o755); err != nil {
		t.Fatal(err)
	}
	tfrecordtest.Write(t, filepath.Join(dir, "train", "trials-00000-of-00001"), tfrecordtest.Example(tfrecordtest.Feature("text", tfrecordtest.Bytes(strings.Repeat("x", 80)))))
	s, err = Path(context.Background(), dir, Options{})
	if err != nil || len(s.Released) != 1 || len(s.Arrays) != 3 || s.Released[0].Splits[0].Records != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	out.Reset()
	if err := s.WriteText(&out); err != nil || !strings.Contains(out.String(), "train: 1 of 1 shards, 1 records") {
		t.Errorf("%v\n%s", err, &out)
	}
}

func TestAnEndedContextStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Task(ctx, source(t, "pai3"), Options{Examples: 1 << 40}); !errors.Is(err, context.Canceled) {
		t.Errorf("task: %v", err)
	}
	dir := t.TempDir()
	npytest.Write(t, filepath.Join(dir, "a.npy"), "<f4", make([]float32, 4), 4)
	if _, err := Path(ctx, dir, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("arrays: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "qa1_test.txt"), []byte(story), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Path(ctx, filepath.Join(dir, "qa1_test.txt"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("stories: %v", err)
	}
	if _, err := Path(context.Background(), filepath.Join(dir, "none"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no path: %v", err)
	}
	if _, err := Task(context.Background(), source(t, "pai3"), Options{Split: "tset"}); err == nil {
		t.Error("a split that there is not is taken")
	}
}
