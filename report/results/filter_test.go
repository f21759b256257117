package results

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A filter lets cells pass, and keeps the whole of the runs that they are of.
func TestFilter(t *testing.T) {
	s := read(t, filepath.Join(write(t, map[string]string{"a": `protocol: 1
BenchmarkEval/task=pai3/model=memo/kind=all 1 98 accuracy 0.1 nats
BenchmarkEval/task=pai3/model=memo/kind=A-C 1 97 accuracy
BenchmarkEval/task=pai3/model=emn/kind=A-C 1 50 accuracy
--- FAIL: BenchmarkEval/task=pai3/model=dnc
`}), "a"))
	for query, want := range map[string][2][]string{
		"":                               {{"pai3 memo all accuracy", "pai3 memo all nats", "pai3 memo A-C accuracy", "pai3 emn A-C accuracy"}, {"pai3 dnc", "pai3 memo", "pai3 emn"}},
		"/model:memo /kind:A-C":          {{"pai3 memo A-C accuracy"}, {"pai3 dnc", "pai3 memo"}},
		".unit:accuracy /kind:all":       {{"pai3 memo all accuracy"}, {"pai3 dnc", "pai3 memo"}},
		"protocol:1 -/model:memo":        {{"pai3 emn A-C accuracy"}, {"pai3 dnc", "pai3 emn"}},
		"protocol:2 OR /task:(x OR pai)": {nil, {"pai3 dnc"}},
	} {
		f, err := ParseFilter(query)
		if err != nil {
			t.Fatal(err)
		}
		var cells, groups []string
		r := s.Restrict(f)
		for _, c := range r.Cells {
			if f.Has(c.Key) {
				cells = append(cells, c.Label())
			}
		}
		for _, g := range r.Groups {
			groups = append(groups, g.Label())
		}
		if d := cmp.Diff(want, [2][]string{cells, groups}); d != "" {
			t.Errorf("%s:\n%s", query, d)
		}
	}
	if _, err := ParseFilter("/model:("); err == nil {
		t.Error("a broken filter is taken")
	}
}
