package files

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/babi/format"
)

func TestStoriesAreReadAsStories(t *testing.T) {
	p := plan(t, "babi", [3]int{60, 0, 20}, "tasks=1,15-16")
	d := mustWrite(t, filepath.Join(t.TempDir(), "d"), p)
	src, err := babi.Open(*p.Babi, datasets.Options{DataPath: d.Dir})
	if err != nil {
		t.Fatal(err)
	}
	h := d.Header
	if h.Fingerprint != src.Spec().Hash || h.Form != FormStories || !slices.Equal(h.Kinds, []string{"1", "15", "16"}) || len(h.Files) != 8 ||
		!slices.Contains(h.Labels, "simulated stories, not the official bAbI files") {
		t.Errorf("header %+v", h)
	}
	for i := range h.Files {
		f := &h.Files[i]
		if f.Content != ContentStories {
			continue
		}
		data, err := os.ReadFile(d.Path(f))
		if err != nil {
			t.Fatal(err)
		}
		stories, err := format.Read(f.Name, data)
		if err != nil {
			t.Fatal(err)
		}
		questions := 0
		for _, s := range stories {
			for _, l := range s {
				if l.IsQuestion() {
					questions++
				}
			}
		}
		if want := map[string]int{"train": 60, "test": 20}[f.Split]; questions != want || f.Count != want {
			t.Errorf("%s: %d questions, the header says %d, want %d", f.Name, questions, f.Count, want)
		}
	}
}
