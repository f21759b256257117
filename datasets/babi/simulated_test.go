package babi

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/datasettest"
	"memobench/datasets/must"
)

func textOf(text string) *string { return &text }

// simulated returns the settings for simulated stories of the given tasks.
func simulated(tasks string) Settings {
	s := with(tasks)
	s.Source = textOf(simulatedSource)
	return s
}

func TestSimulatedStoriesTakeThePlaceOfMissingFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(envPath, "")
	byDefault := mustOpen(t, with("1,18"), datasets.Options{}).Spec()
	if !slices.Contains(byDefault.Caveats.Texts(), simulatedText) || byDefault.Settings["source"] != simulatedSource {
		t.Errorf("no data: labels %q, settings %v", byDefault.Caveats.Texts(), byDefault.Settings)
	}
	for name, opened := range map[string]*Source{
		"setting": mustOpen(t, simulated("1,18"), datasets.Options{}),
		"path":    mustOpen(t, with("1,18"), datasets.Options{DataPath: simulatedSource}),
	} {
		if got := opened.Spec(); got.Hash != byDefault.Hash || !slices.Equal(got.Caveats.Texts(), byDefault.Caveats.Texts()) {
			t.Errorf("by %s: %+v, want %+v", name, got, byDefault)
		}
	}
}

func TestFilesGoBeforeSimulatedStories(t *testing.T) {
	small := must.Get(filepath.Abs(smallDir))(t)
	t.Setenv(envPath, small)
	read := mustOpen(t, with("1"), datasets.Options{})
	if l := strings.Join(read.Spec().Caveats.Texts(), ""); strings.Contains(l, "simulated") || read.Spec().Settings["source"] != "" {
		t.Errorf("files: labels %q, settings %v", l, read.Spec().Settings)
	}
	if l := mustOpen(t, simulated("1"), datasets.Options{}).Spec().Caveats.Texts(); !slices.Contains(l, simulatedText) {
		t.Errorf("source = simulated beside $%s: labels %q", envPath, l)
	}

	files := with("1")
	files.Source = textOf(fromFiles)
	for path, s := range map[string]Settings{smallDir: simulated("1"), simulatedSource: files} {
		if _, err := Open(s, datasets.Options{DataPath: path}); err == nil || !strings.Contains(err.Error(), "data path") {
			t.Errorf("source %s with the path %s: %v", *s.Source, path, err)
		}
	}
}

func TestSimulatedStoriesHaveTheSizesOfTheFiles(t *testing.T) {
	src := mustOpen(t, simulated("all"), datasets.Options{})
	want := datasets.Shape{Vocabulary: 177, MaxRows: 320, RowWidth: 11, QueryWidth: 11, Answers: 1, Temporal: true}
	if src.Shape() != want {
		t.Errorf("shape %+v, want %+v", src.Shape(), want)
	}
	for split, want := range map[datasets.Split]int{datasets.Train: 9000, datasets.Validation: 1000, datasets.Test: 1000} {
		n, err := src.Questions(split)
		if err != nil || !slices.Equal(n, slices.Repeat([]int{want}, numTasks)) {
			t.Errorf("%v: %v questions, want %d of each task (%v)", split, n, want, err)
		}
	}
	unlimited := simulated("all")
	unlimited.MaxRows = 0
	if got := mustOpen(t, unlimited, datasets.Options{}).Shape().MaxRows; got != 320 {
		t.Errorf("without a limit memories are of at most %d statements, want 320", got)
	}
	if got := mustOpen(t, simulated("6"), datasets.Options{}).Shape().MaxRows; got != 26 {
		t.Errorf("task 6: %d rows, want 26 as of the official files", got)
	}
	one := mustOpen(t, simulated("19"), datasets.Options{})
	if s := one.Shape(); s.Vocabulary != 177 || s.MaxRows != 5 || s.RowWidth != 11 || s.QueryWidth != 11 || !slices.Equal(one.Vocabulary(), src.Vocabulary()) {
		t.Errorf("task 19 alone: shape %+v", s)
	}
	none := simulated("1")
	none.Validation = 0
	src = mustOpen(t, none, datasets.Options{})
	if n, err := src.Questions(datasets.Train); err != nil || n[0] != 10_000 {
		t.Errorf("validation = 0: %v training questions (%v)", n, err)
	}
	if _, err := src.Questions(datasets.Validation); err == nil {
		t.Error("validation = 0: there are validation questions")
	}
}

func TestSimulatedContract(t *testing.T) {
	// In these tasks all questions follow all statements.
	src := mustOpen(t, simulated("4,17"), datasets.Options{})
	datasettest.Run(t, datasettest.Suite{
		New:     func() (datasets.Source, error) { return Open(simulated("4,17"), datasets.Options{}) },
		Finite:  true,
		PerKind: 30,
		Shares:  sharesOf(t, src),
		Items: func(b *datasets.Batch) []string {
			var keys []string
			for i, k := range b.Kinds {
				keys = append(keys, fmt.Sprint(k, b.Rows[b.Offsets[i]*b.RowWidth:b.Offsets[i+1]*b.RowWidth]))
			}
			return keys
		},
	})
}

// Simulated stories that are read from files keep their caveat.
func TestWrittenSimulatedStoriesKeepTheirLabel(t *testing.T) {
	s, from := with("1,2"), t.TempDir()
	must.Do(t, writeSimulated(from, &s, 7, 200))
	written := map[string]string{}
	for _, e := range must.Get(os.ReadDir(from))(t) {
		written["en-10k/"+e.Name()] = string(must.Get(os.ReadFile(filepath.Join(from, e.Name())))(t))
	}
	if len(written) != 5 {
		t.Fatalf("%d files, want 4 and a marker", len(written))
	}
	dir := writeFiles(t, written)
	packed := filepath.Join(writeFiles(t, map[string]string{"a.tar.gz": archive(t, written)}), "a.tar.gz")
	for name, path := range map[string]string{
		"directory": dir, "archive": packed,
	} {
		src := mustOpen(t, with("1,2"), datasets.Options{DataPath: path, Splits: []datasets.Split{datasets.Test}})
		if l := src.Spec().Caveats.Texts(); !slices.Contains(l, simulatedText) {
			t.Errorf("%s: labels %q", name, l)
		}
		if n, err := src.Questions(datasets.Test); err != nil || n[0] != 20 {
			t.Errorf("%s: %v test questions (%v)", name, n, err)
		}
	}
	changed := filepath.Join(dir, "en-10k", officialName(2, "train"))
	must.Do(t, os.WriteFile(changed, []byte(strings.Replace(written["en-10k/"+officialName(2, "train")], "Mary", "John", 1)), 0o600))
	if _, err := Open(with("1,2"), datasets.Options{DataPath: dir}); err == nil || !strings.Contains(err.Error(), changed+": its SHA-256 is not that in "+marker) {
		t.Errorf("a changed file: %v", err)
	}
	must.Do(t, os.Remove(filepath.Join(dir, "en-10k", marker)))
	if l := mustOpen(t, with("1,2"), datasets.Options{DataPath: dir}).Spec().Caveats.Texts(); slices.Contains(l, simulatedText) {
		t.Errorf("without a marker: labels %q", l)
	}
}
