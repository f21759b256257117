package record

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/must"
)

// Recorded runs are in the form that this version writes, and so are their copies in the Go
// benchmark format, except for labels that some copies are too old to have.
func TestRecordedRunsStayAsTheyAre(t *testing.T) {
	files, err := filepath.Glob("../recorded/*/*/" + FileName)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d recorded runs, error %v", len(files), err)
	}
	for _, file := range files {
		written := must.Get(os.ReadFile(file))(t)
		r := must.Get(ReadFile(file))(t)
		if d := cmp.Diff(string(written), string(must.Get(r.Marshal())(t))); d != "" {
			t.Errorf("%s (-written +now):\n%s", file, d)
		}
		copied := must.Get(os.ReadFile(filepath.Join(filepath.Dir(file), BenchName)))(t)
		now := must.Get(r.Bench())(t)
		if d := cmp.Diff(benchLines(t, copied), benchLines(t, now)); d != "" {
			t.Errorf("copy of %s (-written +now):\n%s", file, d)
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
