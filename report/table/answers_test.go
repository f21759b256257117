package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/results"
)

// fakePath returns a run on paths of two or three edges, with made-up counts of 600: first
// and second node, whole path, second node given the first. 12 more are right if any path
// is accepted.
func fakePath(task, model string, seed uint64, random bool, counts ...int) results.Run {
	r := fakeRun(task, model, seed, []string{"path"}, counts[len(counts)/2])
	var n, d, l string
	if _, err := fmt.Sscanf(strings.ReplaceAll(strings.TrimPrefix(task, "sp"), "-", " "), "%s %s %s", &n, &d, &l); err != nil {
		panic(err)
	}
	r.Record.Dataset.Caveats = nil
	r.Record.Dataset.Settings = map[string]string{"nodes": n, "degree": d, "length": l, "edges": "fixed", "labels": "ids", "targets": "unique", "vocabulary": "1000"}
	k := &r.Record.Evaluation.Kinds[0]
	more := func(n int) *int { return nil }
	if random {
		r.Record.Dataset.Settings["targets"] = "random"
		more = func(n int) *int { n += 12; return &n }
	}
	k.Accepted = more(k.Correct)
	if len(counts) > 1 {
		k.Answers = []record.Answer{
			{Name: "node 1", Correct: counts[0], Accepted: more(counts[0])},
			{Name: "node 2", Correct: counts[1], CorrectGiven: &counts[3], Accepted: more(counts[1])},
		}
	}
	r.Record.Caveats = record.Caveats{{Kind: record.OtherSteps, Text: "12,000 steps (paper: 2,000,000)"}}
	present(r.Record)
	return r
}

// fakePaths returns three seeds of MEMO and of an ablation, and one of each other model.
func fakePaths(task string, random bool) []results.Run {
	var runs []results.Run
	for seed := range uint64(3) {
		n := int(seed)
		runs = append(runs, fakePath(task, "memo", seed, random, 580+n, 574+n, 570+n, 585+n))
		noln := fakePath(task, "memo", seed, random, 310+n, 300+n, 290+n, 500+n)
		noln.Record.Identity.Label, noln.Record.Identity.Title = "memo-noln", "MEMO, no LayerNorm"
		runs = append(runs, noln)
	}
	return append(runs, fakePath(task, "emn", 0, random, 190, 160, 150, 396), fakePath(task, "dnc", 0, random, 400, 380, 370, 420),
		fakePath(task, "ut", 0, random, 230, 240, 200, 500))
}

// ofOtherSizes returns a run on graphs that the paper does not have.
func ofOtherSizes() []results.Run {
	own := fakePath("sp8-2-3", "memo", 0, false, 550, 540, 530, 545)
	own.Record.Identity.Task = "sp"
	own.Record.Dataset.Settings["edges"], own.Record.Dataset.Settings["labels"] = "uniform", "random"
	present(own.Record)
	own.Record.Dataset.Caveats = record.Caveats{{Kind: "other-size", Text: "sizes 8-2-3 are not in the paper"}}
	return []results.Run{own}
}

// The cells of a path's table are the counts of the records, node by node.
func TestPathTableHoldsTheCounts(t *testing.T) {
	table := must.Get(TaskTable(fakePaths("sp20-5-3", true)))(t)
	got := map[string]float64{}
	for _, r := range rows(table) {
		got[r.Label] = r.Cells[2*3].Mean * 6 // MEMO is the fourth of five
	}
	want := map[string]float64{
		"node 1": 581, "node 2": 575, "whole path": 571, "node 2 given node 1": 586,
		"node 1, any": 593, "node 2, any": 587, "whole path, any": 583,
	}
	for label, n := range want {
		if math.Abs(got[label]-n) > 1e-9 {
			t.Errorf("%s: %v of 600, want %v", label, got[label], n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("rows %v, want those of %v", got, want)
	}
}

// Next to each node is the paper's number under the same conditions.
func TestPublishedNodes(t *testing.T) {
	for _, c := range []struct {
		task string
		want map[string][]string // EMN, DNC, UT, MEMO; an ablation has none
	}{
		{"sp20-3-3", map[string][]string{
			"node 1":              {"31.99", "97.00", "39.00", "94.40"},
			"node 2":              {"26.00*", "98.00*", "84.80*", "93.00*"},
			"node 2 given node 1": {"65.13", "", "", "96.80"},
		}},
		{"sp20-5-3", map[string][]string{
			"node 1":              {"23.99", "30.00", "28.00", "69.20"},
			"node 2":              {"22.30*", "40.99*", "61.51*", "68.80"},
			"node 2 given node 1": {"43.00", "", "", "85.38"},
		}},
	} {
		table := must.Get(TaskTable(fakePaths(c.task, false)))(t)
		for _, r := range rows(table) {
			if r.Label == "whole path" {
				continue
			}
			var got []string
			for i := 1; i < 8; i += 2 {
				text := ""
				if r.Cells[i].State == Number {
					text = fmt.Sprintf("%.2f", r.Cells[i].Mean)
				}
				if len(r.Cells[i].Marks) > 0 {
					text += "*"
				}
				got = append(got, text)
			}
			if d := cmp.Diff(c.want[r.Label], got); d != "" {
				t.Errorf("%s, %s (-want +got):\n%s", c.task, r.Label, d)
			}
		}
	}
}

// Tasks of any size share a name; each size has its table.
func TestATableForEachSize(t *testing.T) {
	var runs []results.Run
	for _, task := range []string{"sp8-2-3", "sp9-2-3"} {
		r := fakePath(task, "memo", 0, false, 550, 540, 530, 545)
		r.Record.Identity.Task = "sp"
		r.Record.Protocol.Hash, r.Record.Dataset.Hash = task, task
		runs = append(runs, r)
	}
	tables, err := Tables(runs)
	if err != nil || len(tables) != 2 {
		t.Fatalf("%d tables, error %v", len(tables), err)
	}
	for i, name := range []string{"(sp8-2-3)", "(sp9-2-3)"} {
		if !strings.Contains(tables[i].Title, name) {
			t.Errorf("title %q, want %s in it", tables[i].Title, name)
		}
	}
}

// A task that is no path but asks for several answers has rows for them, too.
func TestAnyTaskMayHaveAnswers(t *testing.T) {
	r := fakePath("sp9-2-3", "memo", 0, false, 550, 540, 530, 545)
	r.Record.Identity.Task, r.Record.Dataset.Task, r.Record.Dataset.Settings = "riddles", "riddles", nil
	present(r.Record)
	k := &r.Record.Evaluation.Kinds[0]
	k.Name, k.Answers[0].Name, k.Answers[1].Name = "easy", "who", "where"
	other := *k
	other.Name = "hard"
	r.Record.Evaluation.Kinds = append(r.Record.Evaluation.Kinds, other)
	table := must.Get(TaskTable([]results.Run{r}))(t)
	var labels []string
	for _, r := range rows(table) {
		labels = append(labels, r.Label)
	}
	want := []string{"easy, who", "easy, where", "easy, all answers", "easy, where given who",
		"hard, who", "hard, where", "hard, all answers", "hard, where given who"}
	if d := cmp.Diff(want, labels); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
}

// The remark on the query of the second node is for models that answer node after node,
// and not for those that give all nodes after one query.
func TestTheQueryOfTheSecondNodeIsThatOfSomeModels(t *testing.T) {
	memo, dnc := fakePath("sp20-3-3", "memo", 0, false, 580, 574, 570, 585), fakePath("sp20-3-3", "dnc", 0, false, 400, 380, 370, 420)
	dnc.Record.Evaluation.Kinds[0].Answers[1].CorrectGiven = nil
	const chained, once = "node 2 is queried with the model's own node 1 (free running); given node 1: with the true one (teacher forcing).", "DNC: all answers are given to one query."
	for _, c := range []struct {
		runs []results.Run
		want string
	}{{[]results.Run{memo}, chained}, {[]results.Run{dnc}, once}, {[]results.Run{memo, dnc}, "MEMO: " + chained + " " + once}} {
		table, err := TaskTable(c.runs)
		if err != nil || !slices.Contains(table.Remarks, c.want) {
			t.Errorf("%v, %q, want %q", err, table.Remarks, c.want)
		}
	}
}
