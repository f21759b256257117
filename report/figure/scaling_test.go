package figure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/report/results"
)

const scalingLine = "BenchmarkScaling/model=memo/mode=infer/I=64-2 100 11000 cpu-ns/op 1000 B/op 64000 flop/op\n"

// scalingSet is a set read from a file of that text.
func scalingSet(t *testing.T, text string) []*results.Set {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scaling.txt")
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	set := must.Get(results.Read(path))(t)
	return []*results.Set{set}
}

func TestBadScalingIsRefusedWithItsLine(t *testing.T) {
	if points, err := scalingPoints(scalingSet(t, "goos: linux\nBenchmarkOther-2 1 5 ns/op\n"+scalingLine)); err != nil || len(points) != 3 {
		t.Errorf("%+v, %v", points, err)
	}
	for line, want := range map[string]string{
		"BenchmarkScaling/model=memo/mode=infer/I=65 1 -3 flop/op":    "want a number not below 0",
		"BenchmarkScaling/model=memo/mode=infer/I=65 1 5 ns/op":       "none of the units",
		"BenchmarkScaling/model=memo/mode=infer/I=many 1 5 cpu-ns/op": "I a whole number",
		"BenchmarkScaling/model=memo/mode=infer/I=0 1 5 cpu-ns/op":    "I a whole number",
		"BenchmarkScaling/model=memo/I=64 1 5 cpu-ns/op":              "want Scaling/model=.../mode=.../I=...",
	} {
		_, err := Scaling(scalingSet(t, scalingLine+line+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "scaling.txt:2") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// A unit that no line has takes no panel, and the caption says so.
func TestAMissingUnitIsNamed(t *testing.T) {
	list, err := Scaling(scalingSet(t, "BenchmarkScaling/model=memo/mode=train/I=64 1 5 cpu-ns/op\n"+
		"BenchmarkScaling/model=memo/mode=train/I=128 1 9 cpu-ns/op\n"))
	if err != nil || len(list) != 1 || len(list[0].panels) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	caption := strings.Join(list[0].Caption, " ")
	if !strings.Contains(caption, "No lines with held-B/op or B/op") || !strings.Contains(caption, "No lines with FLOP/op or flop/op") {
		t.Errorf("%s", caption)
	}
}
