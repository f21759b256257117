package results

import (
	"math"
	"testing"
)

// FuzzRead: any file gives a set or an error. The numbers of a set are numbers,
// its cells are distinct, no cell is empty, and it matches itself.
func FuzzRead(f *testing.F) {
	f.Add([]byte(benchText(f, sample(0, 600, 540))))
	f.Add([]byte(benchText(f, sample(0, 600, 540)) + benchText(f, sample(1, 500, 400))))
	f.Add([]byte(marshal(f, sample(0, 600, 540))))
	f.Add([]byte("[" + marshal(f, sample(0, 600, 540)) + "]"))
	for _, seed := range []string{
		"", "{", "[", "[]", "BenchmarkX 1 NaN accuracy\n", "BenchmarkX/seed=1-8 1 98 accuracy 5 ns/op\n", "Unit x better=lower\nBenchmarkX 1 1e400 x\n",
		"protocol: a\nBenchmark 1 1 x\nprotocol:\nBenchmark 1 2 x\n", "--- FAIL: BenchmarkX-8\n", "FAIL\tx\n", "BenchmarkX/kind=a/answer=b/=/ 1 -0 accuracy/a\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &Results{Paths: []*pathResults{{}}}
		if err := r.parse(r.Paths[0], "results", data); err != nil {
			return
		}
		s, err := r.Set()
		if err != nil {
			return
		}
		keys := map[Key]bool{}
		for _, c := range s.Cells {
			if keys[c.Key] || len(c.Samples) == 0 {
				t.Fatalf("%+v", c)
			}
			keys[c.Key] = true
			for _, v := range c.Values() {
				if math.IsNaN(v) || math.IsInf(v, 0) || IsAccuracy(c.Unit) && (v < 0 || v > 100) {
					t.Fatalf("%s is %v", c.Label(), v)
				}
			}
		}
		if len(s.Cells) == 0 {
			return
		}
		if pairs, onlyA, onlyB, err := Match(s, s); err != nil || len(pairs) != len(s.Cells) || onlyA != nil || onlyB != nil {
			t.Fatalf("a set does not match itself: %v", err)
		}
	})
}
