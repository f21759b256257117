package record

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"memobench/datasets"
	"memobench/datasets/must"
)

// parse reads Go benchmark format with the parser that benchstat uses.
func parse(t *testing.T, data []byte) ([]*benchfmt.Result, benchfmt.UnitMetadataMap) {
	t.Helper()
	var results []*benchfmt.Result
	r := benchfmt.NewReader(bytes.NewReader(data), BenchName)
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			results = append(results, rec.Clone())
		case *benchfmt.SyntaxError:
			t.Fatalf("syntax error: %v", rec)
		}
	}
	must.Do(t, r.Err())
	return results, r.Units()
}

func TestBenchIsReadByPerf(t *testing.T) {
	data := must.Get(sample().Bench())(t)
	results, units := parse(t, data)
	want := []string{"Eval/task=pai3/model=memo/kind=all", "Eval/task=pai3/model=memo/kind=A-B", "Eval/task=pai3/model=memo/kind=A-C"}
	if len(results) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(results), len(want), data)
	}
	for i, r := range results {
		if r.Name.String() != want[i] {
			t.Errorf("line %d is %q, want %q", i, r.Name, want[i])
		}
		if p := r.GetConfig("protocol"); p != "2cb6340db0f0" {
			t.Errorf("line %d has protocol %q", i, p)
		}
	}
	if v, ok := results[1].Value("accuracy"); !ok || math.Abs(v-98.5) > 1e-9 {
		t.Errorf("A-B accuracy %v, %v; want 98.5 (per cent)", v, ok)
	}
	for _, m := range Metrics {
		if got := units.Get(m.Name, "better"); got == nil || got.Value != m.Better {
			t.Errorf("unit %s: better is %v, want %s", m.Name, got, m.Better)
		}
		if got := units.Get(m.Name, "assume"); got == nil || (got.Value == "exact") != m.Exact {
			t.Errorf("unit %s: assume is %v, exact: %t", m.Name, got, m.Exact)
		}
	}
}

// Where a question asks for several answers, every line says of which it is.
func TestBenchHasALineForEachAnswer(t *testing.T) {
	data := must.Get(pathSample().Bench())(t)
	results, _ := parse(t, data)
	got := map[string]map[string]float64{}
	for _, r := range results {
		got[r.Name.String()] = map[string]float64{}
		for _, v := range r.Values {
			got[r.Name.String()][v.Unit] = v.Value
		}
	}
	const name = "Eval/task=sp20-3-3/model=memo/kind="
	for _, kind := range []string{"all", "path"} {
		for answer, want := range map[string]map[string]float64{
			"all":    {"accuracy": 90, "tolerant-accuracy": 95},
			"node_1": {"accuracy": 93, "tolerant-accuracy": 96.5},
			"node_2": {"accuracy": 91, "given-accuracy": 98, "tolerant-accuracy": 95.5},
		} {
			line, ok := got[name+kind+"/answer="+answer]
			if !ok {
				t.Fatalf("no line %s%s/answer=%s in\n%s", name, kind, answer, data)
			}
			for _, unit := range []string{"accuracy", "given-accuracy", "tolerant-accuracy"} {
				if v, has := line[unit]; has != (want[unit] != 0) || math.Abs(v-want[unit]) > 1e-9 {
					t.Errorf("kind %s, answer %s: %s is %v, %v; want %v", kind, answer, unit, v, has, want[unit])
				}
			}
		}
	}
	if len(got) != 6 {
		t.Errorf("%d lines, want 6:\n%s", len(got), data)
	}
	if hops := got[name+"all/answer=node_2"]["hops"]; hops != 3.5 {
		t.Errorf("node 2 takes %v hops, want 3.5", hops)
	}
}

// Seeds put one after another must be samples of the same benchmarks, so
// nothing that differs between seeds may be in the configuration.
func TestBenchOfTwoSeedsHasOneConfiguration(t *testing.T) {
	var both []byte
	for seed := range uint64(2) {
		r := sample()
		r.Identity.Seed = seed
		r.Times.WallSeconds += float64(seed)
		r.Environment.Code = strings.Repeat("a", int(seed)+1)
		data := must.Get(r.Bench())(t)
		both = append(both, data...)
	}
	results, _ := parse(t, both)
	seen := map[string]int{}
	for _, r := range results {
		key := r.Name.String()
		for _, c := range r.Config {
			key += " " + c.Key + "=" + string(c.Value)
		}
		seen[key]++
	}
	if len(seen) != 3 {
		t.Errorf("%d different benchmarks, want 3 with two samples each: %v", len(seen), seen)
	}
}

// In concatenated files a run without labels does not get those of the run before.
func TestBenchEndsTheLabelsOfTheRunBefore(t *testing.T) {
	labelled := sample()
	labelled.Caveats = append(labelled.Caveats, datasets.Caveat{Kind: datasets.OtherSteps, Text: "60 steps (paper: 500)"})
	plain := sample()
	plain.Caveats, plain.Dataset.Caveats = nil, nil
	var row []byte
	for _, r := range []*Record{labelled, plain} {
		data := must.Get(r.Bench())(t)
		row = append(row, data...)
	}
	results, _ := parse(t, row)
	if first, last := results[0], results[len(results)-1]; first.GetConfig("labels") == "" || last.GetConfig("labels") != "" || last.GetConfig("data-labels") != "" {
		t.Errorf("labels %q, then %q and %q", first.GetConfig("labels"), last.GetConfig("labels"), last.GetConfig("data-labels"))
	}
}

// Runs of a changed configuration must not be taken for samples of the preset's;
// how a run ended, which differs between seeds, must not divide them.
func TestBenchCarriesTheLabelsOfTheConfiguration(t *testing.T) {
	config := func(caveats ...datasets.Caveat) string {
		r := sample()
		r.Caveats = append(slices.Clone(r.Dataset.Caveats), caveats...)
		data := must.Get(r.Bench())(t)
		results, _ := parse(t, data)
		return results[0].GetConfig("labels")
	}
	if got := config(); got != "" {
		t.Errorf("labels %q of a run that has none but its data's", got)
	}
	changed := datasets.Caveat{Kind: datasets.ChangedSettings, Text: "changed from the preset: model.hops=5"}
	for _, ending := range []datasets.CaveatKind{datasets.EarlyStop, datasets.TimeLimit, datasets.Diverged, datasets.OtherBLAS} {
		steps := datasets.Caveat{Kind: datasets.OtherSteps, Text: "60 steps (paper: 500)"}
		if got, want := config(steps, datasets.Caveat{Kind: ending, Text: "x"}, changed), steps.Text+"; "+changed.Text; got != want {
			t.Errorf("%s: labels %q, want %q", ending, got, want)
		}
	}
}

func TestBenchOfADivergedRunHasNoNaN(t *testing.T) {
	r := sample()
	r.Status, r.Training.DivergedAt, r.Training.Loss, r.Evaluation.Loss = Diverged, 7, nil, nil
	for i := range r.Evaluation.Kinds {
		r.Evaluation.Kinds[i].Correct, r.Evaluation.Kinds[i].ChoiceCorrect = 0, new(0)
	}
	data := must.Get(r.Bench())(t)
	if strings.Contains(string(data), "NaN") {
		t.Errorf("NaN in\n%s", data)
	}
	results, _ := parse(t, data)
	if v, ok := results[0].Value("diverged"); !ok || v != 1 {
		t.Errorf("diverged = %v, %v; want 1", v, ok)
	}
	if v, ok := results[0].Value("accuracy"); !ok || v != 0 {
		t.Errorf("accuracy = %v, %v; want 0", v, ok)
	}
}

func TestBenchNames(t *testing.T) {
	for in, want := range map[string]string{"A-C": "A-C", "emn 4/10": "emn_4_10", "qa-3": "qa-3", "k=v": "k_v", "pai3": "pai3"} {
		if got := benchName(in); got != want {
			t.Errorf("benchName(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"a/kind=A-C": "a/kind=A-C", "a/kind=qa-3": "a/kind=qa_3", "sp20-3-3/kind=path": "sp20-3-3/kind=path", "-8": "_8", "88": "88", "": ""} {
		if got := procs.ReplaceAllString(in, "_$1"); got != want {
			t.Errorf("%q has become %q, want %q", in, got, want)
		}
	}
}
