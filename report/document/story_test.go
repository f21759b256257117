package document

import (
	"strings"
	"testing"

	_ "memobench/datasets/babi" // tasks of the runs, which are of schema version 1
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	"memobench/internal/must"
	"memobench/report/table"
)

func TestTheStoryIsOfTheTables(t *testing.T) {
	in := must.Get(Read("../testdata/runs"))(t)
	d := must.Get(New(in))(t)
	list := d.Story()
	if len(list) != 2 || !strings.Contains(list[0], "20-3-3, node 1): MEMO has 100.0 % (one seed), the best of the others not run.") || !strings.HasPrefix(list[1], "Of ") {
		t.Errorf("%q", list)
	}
	if !strings.HasPrefix(d.Newest(), "2026-11-") {
		t.Errorf("newest %q", d.Newest())
	}
	got := table.Tally([]table.Finding{{Verdict: "agrees"}, {Verdict: "agrees", Outside: []string{"x"}}, {Verdict: "lower"}, {Verdict: "one seed"}, {Verdict: ""}})
	if want := "Of 4 claims of the paper 2 agree (1 with settings that it does not name); higher: 0; lower: 1; differs: 0; undecided: 0; one seed: 1; not run: 0."; got != want {
		t.Errorf("%s", got)
	}
}
