package table

import (
	"fmt"
	"testing"

	"memobench/benchmarks/record"
	"memobench/report/results"
)

// halts is a run with a learned number of hops.
func halts(task, way string, right int, mean float64) results.Run {
	r := hit(task, "memo", right)
	r.Record.Identity.Label, r.Record.Identity.Title = "memo-"+way, "MEMO, "+way
	r.Record.Model.Config = map[string]any{"halting": way, "hops": 5.0, "beta": 0.001}
	r.Record.Evaluation.Hops = &mean
	r.Path = fmt.Sprintf("runs/%s-%s-%g/record.json", task, way, mean)
	return r
}

func TestVerdictsOfHalting(t *testing.T) {
	three := halts("pai3", "reinforce", 590, 2)
	reduced := halts("pai4", "reinforce", 590, 3)
	reduced.Record.Dataset.Caveats = record.Caveats{{Kind: record.ReducedSize, Text: "reduced: 100 classes", Brief: "reduced"}}
	for _, c := range []struct {
		name string
		runs []results.Run
		want Verdict
		here string
	}{
		{"rise", []results.Run{three, halts("pai4", "reinforce", 580, 2.9), halts("pai5", "reinforce", 520, 4.1)}, Agrees, "2.00, 2.90, 4.10"},
		{"two lengths", []results.Run{three, halts("pai5", "reinforce", 520, 4.1)}, Agrees, "2.00, 4.10"},
		{"fall between", []results.Run{three, halts("pai4", "reinforce", 580, 1.9), halts("pai5", "reinforce", 520, 4.1)}, Differs, "2.00, 1.90, 4.10"},
		{"stay", []results.Run{three, halts("pai4", "reinforce", 580, 2), halts("pai5", "reinforce", 520, 2.05)}, Differs, "2.00, 2.00, 2.05"},
		{"rise without answers", []results.Run{three, halts("pai4", "reinforce", 300, 3), halts("pai5", "reinforce", 300, 4)}, Differs, "2.00, (3.00), (4.00)"},
		{"other sizes", []results.Run{three, reduced}, Differs, "2.00, (3.00)"},
		{"one without answers", []results.Run{three, halts("pai4", "reinforce", 580, 2.9), halts("pai5", "reinforce", 300, 1.8)}, Agrees, "2.00, 2.90, (1.80)"},
		{"one length", []results.Run{three}, NotRun, "–"},
		{"another way", []results.Run{halts("pai3", "act", 590, 2), halts("pai5", "act", 590, 4)}, NotRun, "–"},
	} {
		if f := finding(t, c.runs, "Halting by REINFORCE", "hops adapt"); f.Verdict != c.want || f.Here.String() != c.here {
			t.Errorf("%s: %s, %q; want %s, %q", c.name, f.Verdict, f.Here.String(), c.want, c.here)
		}
	}
	// Of several settings those of the lowest loss count, as in the paper.
	low, high := curved(halts("pai3", "reinforce", 300, 1), 0.1), curved(halts("pai3", "reinforce", 590, 2), 0.2)
	low.Record.Model.Config["beta"] = 0.1
	low.Record.Identity.Overrides, high.Record.Identity.Overrides = []string{"model.beta=0.1"}, []string{"model.beta=0.001"}
	if f := finding(t, []results.Run{high, low}, "Halting by REINFORCE", "3 items, hops"); f.Here.Mean != 1 {
		t.Errorf("of the lowest loss: %+v", f.Here)
	}
	curved(low, 0.3)
	if f := finding(t, []results.Run{high, low}, "Halting by REINFORCE", "3 items, hops"); f.Here.Mean != 2 || f.Verdict != NoVerdict {
		t.Errorf("of the lowest loss: %+v", f.Here)
	}
	if f := finding(t, []results.Run{high, low}, "Halting by REINFORCE", "3 items, A-C"); f.Verdict != Agrees {
		t.Errorf("accuracy: %+v", f)
	}
}

func TestVerdictsOfHopsByQuery(t *testing.T) {
	// Hops are for all questions of a kind, 600 of each.
	of := func(right, direct, hardest int) results.Run {
		r := halts("pai4", "reinforce", right, 3)
		r.Path = fmt.Sprintf("runs/%d-%d/record.json", direct, hardest)
		r.Record.Identity.Seed = uint64(direct)
		for i, n := range []int{direct, hardest} {
			r.Record.Evaluation.Kinds[i].Hops = &n
		}
		return r
	}
	half := of(590, 0, 1800)
	half.Record.Evaluation.Kinds[0].Hops = nil
	for _, c := range []struct {
		name string
		runs []results.Run
		want Verdict
		here string
	}{
		{"more", []results.Run{of(590, 1200, 1800)}, Agrees, "direct 2.00 (1), A-D 3.00 (1)"},
		{"hardly more", []results.Run{of(590, 1200, 1230)}, Differs, "direct 2.00 (1), A-D 2.05 (1)"},
		{"fewer", []results.Run{of(590, 1800, 1200)}, Differs, "direct 3.00 (1), A-D 2.00 (1)"},
		{"seeds farther apart than queries", []results.Run{of(590, 1200, 1500), of(590, 1800, 2100)}, Differs, "direct 2.50 ± 0.71 (2), A-D 3.00 ± 0.71 (2)"},
		{"hardest not answered", []results.Run{of(300, 1200, 1800)}, NoVerdict, "direct 2.00 (1), A-D 3.00 (1)"},
		{"not told", []results.Run{halts("pai4", "reinforce", 590, 3)}, NoVerdict, "–"},
		{"direct ones not told", []results.Run{half}, NoVerdict, "–"},
		{"not run", []results.Run{halts("pai5", "reinforce", 590, 3)}, NotRun, "–"},
	} {
		f := finding(t, c.runs, "Halting by REINFORCE", "4 items, hops adapt to the query")
		if f.Verdict != c.want || f.Here.String() != c.here {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, f.Verdict, f.Here.String(), c.want, c.here)
		}
	}
}
