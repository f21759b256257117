package record

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Records and twins that earlier versions wrote are read, and this version
// writes the same of them: of a twin the same lines and values, since some are
// older than the labels in its head.
func TestRecordedRunsStayAsTheyAre(t *testing.T) {
	files, err := filepath.Glob("../recorded/*/*/" + FileName)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d recorded runs, error %v", len(files), err)
	}
	for _, file := range files {
		written, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		again, err := r.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(written), string(again)); d != "" {
			t.Errorf("%s (-written +now):\n%s", file, d)
		}
		twin, err := os.ReadFile(filepath.Join(filepath.Dir(file), BenchName))
		if err != nil {
			t.Fatal(err)
		}
		now, err := r.Bench()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(benchLines(t, twin), benchLines(t, now)); d != "" {
			t.Errorf("twin of %s (-written +now):\n%s", file, d)
		}
	}
}

// benchLines returns the values of each line by its name.
func benchLines(t *testing.T, data []byte) map[string]map[string]float64 {
	lines := map[string]map[string]float64{}
	results, _ := parse(t, data)
	for _, r := range results {
		line := map[string]float64{}
		for _, v := range r.Values {
			line[v.Unit] = v.Value
		}
		lines[r.Name.String()] = line
	}
	return lines
}
