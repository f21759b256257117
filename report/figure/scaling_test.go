package figure

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const scalingLine = "BenchmarkScaling/model=memo/mode=infer/I=64-2 100 11000 cpu-ns/op 1000 B/op 64000 flop/op\n"

func TestScalingIsRead(t *testing.T) {
	points, err := parseScaling("a.txt", []byte("goos: linux\nBenchmarkOther-2 1 5 ns/op\n"+scalingLine))
	if err != nil || len(points) != 1 {
		t.Fatalf("%+v, %v", points, err)
	}
	p := points[0]
	if p.Model != "memo" || p.Mode != "infer" || p.Rows != 64 || p.Values["cpu-ns/op"] != 11000 || p.Values["B/op"] != 1000 || p.Values["flop/op"] != 64000 {
		t.Errorf("%+v", p)
	}
}

func TestBadScalingIsRefusedWithItsLine(t *testing.T) {
	for line, want := range map[string]string{
		"BenchmarkScaling/model=memo/mode=infer/I=64 1 NaN cpu-ns/op": "NaN cpu-ns/op, want a finite number",
		"BenchmarkScaling/model=memo/mode=infer/I=64 1 +Inf B/op":     "want a finite number",
		"BenchmarkScaling/model=memo/mode=infer/I=64 1 -3 flop/op":    "want a finite number",
		"BenchmarkScaling/model=memo/mode=infer/I=64 1 5 ns/op":       "none of the units",
		"BenchmarkScaling/model=memo/mode=infer/I=many 1 5 cpu-ns/op": "I=many, want a whole number",
		"BenchmarkScaling/model=memo/mode=infer/I=0 1 5 cpu-ns/op":    "I=0, want a whole number",
		"BenchmarkScaling/model=memo/I=64 1 5 cpu-ns/op":              "want Scaling/model=.../mode=.../I=...",
	} {
		path := filepath.Join(t.TempDir(), "scaling.txt")
		if err := os.WriteFile(path, []byte(scalingLine+line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := ReadScaling(path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path+":2") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// A unit that no line has takes no panel, and the caption says so.
func TestAMissingUnitIsNamed(t *testing.T) {
	points, err := parseScaling("a.txt", []byte("BenchmarkScaling/model=memo/mode=train/I=64 1 5 cpu-ns/op\nBenchmarkScaling/model=memo/mode=train/I=128 1 9 cpu-ns/op\n"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := Scaling(points)
	if err != nil || len(list) != 1 || len(list[0].panels) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	caption := strings.Join(list[0].Caption, " ")
	if !strings.Contains(caption, "No lines with held-B/op or B/op") || !strings.Contains(caption, "No lines with FLOP/op or flop/op") {
		t.Errorf("%s", caption)
	}
}

func FuzzParseScaling(f *testing.F) {
	f.Add([]byte(scalingLine))
	f.Add([]byte("BenchmarkScaling/model=memo/mode=infer/I=64 1 NaN cpu-ns/op\n"))
	f.Add([]byte("BenchmarkScaling/ 1 1e999 B/op"))
	f.Fuzz(func(t *testing.T, data []byte) {
		points, err := parseScaling("x", data)
		if err != nil {
			return
		}
		for _, p := range points {
			if p.Model == "" || p.Mode == "" || p.Rows < 1 || len(p.Values) == 0 {
				t.Fatalf("%+v", p)
			}
			for unit, v := range p.Values {
				if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
					t.Fatalf("%v %s", v, unit)
				}
			}
		}
	})
}
