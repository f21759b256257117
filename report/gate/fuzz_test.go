package gate

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"memobench/datasets/must"
	"memobench/report/results"
)

// FuzzCheck: any two texts in the Go benchmark format give an error or a valid report, and
// a text against itself never fails except for a missing direction.
func FuzzCheck(f *testing.F) {
	// By default each input of interest is minimized for a minute, and nothing else
	// is run.
	must.Do(f, flag.Set("test.fuzzminimizetime", "20x"))
	f.Add(bench("A-C", "accuracy", high...), bench("A-C", "accuracy", low...))
	f.Add(bench("A-C", "accuracy", 99), bench("A-C", "accuracy", 98))
	f.Add(bench("all", "nats", 1e308, -1e308, 1e300), bench("all", "nats", 1e-300, 0))
	f.Add(bench("all", "nats", 1e154, 1e153)+bench("all", "parameters", 1), bench("all", "nats", 1)+bench("all", "parameters", 2, 3))
	f.Add(bench("all", "diverged", 1)+bench("all", "accuracy", 0), "--- FAIL: BenchmarkX\n"+bench("all", "accuracy", 0, 0.1))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, a, b string) {
		read := func(name, text string) *results.Set {
			path := filepath.Join(dir, name)
			must.Do(t, os.WriteFile(path, []byte(text), 0o644))
			s, err := results.Read(path)
			if err != nil {
				t.Skip()
			}
			return s
		}
		x, y := read("a", a), read("b", b)
		o := Defaults()
		for _, m := range []string{"nats=10%", "parameters=0"} {
			must.Do(t, o.SetMargin(m))
		}
		o.Floors = nil
		if r, err := Check(x, y, o); err == nil {
			sound(t, r)
		}
		if r, err := Check(x, x, o); err == nil {
			if sound(t, r); r.Verdict == Fail {
				t.Fatalf("a set fails against itself: %q", r.problems())
			}
		}
	})
}
