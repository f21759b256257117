package babi

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/babi/simulate"
	"memobench/datasets/must"
)

// realData returns the path of the official files and settings for all tasks, with the substitute
// for task 3 if needed.
func realData(t testing.TB) (string, Settings) {
	t.Helper()
	var lib *library
	err := ErrNoData
	for _, path := range []string{os.Getenv(envPath), "../../data/babi", "../../../shared/data/babi"} {
		if path == "" || err == nil {
			continue
		}
		lib, err = locate(path)
		for n := 1; n <= numTasks && err == nil; n++ {
			if lib.file(n, datasets.Test) == nil || lib.file(n, datasets.Train) == nil && (n != 3 || lib.substitute == nil) {
				err = ErrNoData
			}
		}
	}
	if err != nil {
		t.Skipf("the real bAbI files are not tested: set %s to the directory that holds en-10k, or put it into data/babi", envPath)
	}
	s := *Defaults()
	s.SubstituteTask3 = lib.files[datasets.Train][3] == nil
	return lib.where, s
}

// Counts are those of the data's own documentation: 20 x 1,000 test questions,
// 20 x 10,000 for training, 176 words and answers.
func TestRealFilesHaveTheKnownCounts(t *testing.T) {
	path, s := realData(t)
	src := mustOpen(t, s, datasets.Options{DataPath: path})
	want := datasets.Shape{Vocabulary: 177, MaxRows: 320, RowWidth: 11, QueryWidth: 11, Answers: 1, Temporal: true}
	if src.Shape() != want {
		t.Errorf("shape %+v, want %+v", src.Shape(), want)
	}
	var sums [3]int
	for split := range sums {
		n := must.Get(src.Questions(datasets.Split(split)))(t)
		for _, m := range n {
			sums[split] += m
		}
	}
	if sums[datasets.Test] != 20_000 || sums[datasets.Train]+sums[datasets.Validation] != 200_000 {
		t.Errorf("%v questions for train, validation, test", sums)
	}
	if v := sums[datasets.Validation]; v < 19_800 || v > 20_200 {
		t.Errorf("%d questions for validation, want a tenth of 200,000", v)
	}
	if !slices.Contains(src.Vocabulary(), "apple,football,milk") {
		t.Error("an answer that is a list is not one label")
	}
	substitute := slices.Contains(src.Spec().Caveats.Texts(), "task 3: substitute training data (385 of 2,000 stories official)")
	if substitute != s.SubstituteTask3 || len(src.Spec().Caveats.Texts()) > 1 {
		t.Errorf("labels %q, substitute needed: %v", src.Spec().Caveats.Texts(), s.SubstituteTask3)
	}

	total, rows := 0, 0
	var previous int32
	for b, err := range src.Examine(datasets.Test, 0, 0, 128) {
		if err != nil {
			t.Fatal(err)
		}
		must.Do(t, b.Validate(src.Shape()))
		for i, k := range b.Kinds {
			if k < previous {
				t.Fatal("kinds are not in order")
			}
			previous = k
			rows = max(rows, b.Offsets[i+1]-b.Offsets[i])
		}
		if slices.Contains(b.Rows, 0) || slices.Contains(b.Queries, 0) || slices.Contains(b.Targets, 0) {
			t.Fatal("the padding id occurs")
		}
		total += b.Size()
	}
	if total != 20_000 || rows != 228 {
		t.Errorf("%d test questions about at most %d statements, want 20000 and 228", total, rows)
	}
}

func BenchmarkBatch(b *testing.B) {
	path, s := realData(b)
	src := mustOpen(b, s, datasets.Options{DataPath: path})
	b.Run("task=babi", func(b *testing.B) {
		var batch datasets.Batch
		b.ReportAllocs()
		for step := range b.N {
			must.Do(b, src.Batch(&batch, datasets.Train, 1, step, 128))
		}
	})
}

// The table of what the files leave out is the output of its program. UPDATE=1 writes it.
func TestTableOfWhatTheFilesLeaveOut(t *testing.T) {
	path, _ := realData(t)
	python, err := exec.LookPath("python3")
	if err != nil || testing.Short() {
		t.Skip("python3 is not there, or the test is short")
	}
	s, all, document := with("all"), t.TempDir(), "../../docs/findings-babi-files.md"
	s.Patterns, s.FactAge = textOf(allPatterns), 1000
	must.Do(t, writeSimulated(all, &s, 3, simulate.TrainQuestions))
	var message bytes.Buffer
	program := exec.Command(python, "../../tools/python/babi_patterns.py", path, all)
	program.Stderr = &message
	table, err := program.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &message)
	}
	text := string(must.Get(os.ReadFile(document))(t))
	const begin, end = "<!-- babi-patterns -->\n", "<!-- /babi-patterns -->"
	before, rest, _ := strings.Cut(text, begin)
	have, after, found := strings.Cut(rest, end)
	switch {
	case found && have == string(table):
	case found && os.Getenv("UPDATE") != "":
		must.Do(t, os.WriteFile(document, []byte(before+begin+string(table)+end+after), 0o666))
	default:
		t.Errorf("%s: its table is not the output of the program, which is\n%s", document, table)
	}
}

// A letter that differs from the official files is said.
func TestAChangedOfficialFileHasACaveat(t *testing.T) {
	path, _ := realData(t)
	dir := t.TempDir()
	for _, name := range []string{"qa1_single-supporting-fact_train.txt", "qa1_single-supporting-fact_test.txt"} {
		data, err := os.ReadFile(filepath.Join(path, name))
		if err != nil {
			t.Skip(err) // an archive
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	texts := func() string {
		return strings.Join(mustOpen(t, with("1"), datasets.Options{DataPath: dir}).Spec().Caveats.Texts(), "; ")
	}
	if got := texts(); strings.Contains(got, "changed") {
		t.Errorf("the official files: %s", got)
	}
	file := filepath.Join(dir, "qa1_single-supporting-fact_test.txt")
	data := must.Get(os.ReadFile(file))(t)
	must.Do(t, os.WriteFile(file, bytes.Replace(data, []byte("Mary"), []byte("John"), 1), 0o600))
	if got := texts(); !strings.Contains(got, "not the en-10k files: the test file of task 1 was changed") {
		t.Errorf("a changed file: %s", got)
	}
}
