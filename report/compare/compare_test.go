package compare

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/compare/hypothesis"
	"memobench/report/results"
	"memobench/report/table"
)

// runOf returns a record of a seed, with right answers of 1000 to one kind.
func runOf(seed uint64, right int) *record.Record {
	return &record.Record{
		Schema: record.Version, Origin: record.Trained, Status: record.Complete, Protocol: record.Protocol{Hash: "5f1c09"}, Dataset: record.Dataset{Task: "pai3", Hash: "ab12"},
		Identity:   record.Identity{Task: "pai3", Label: "memo", Model: "memo", Seed: seed},
		Evaluation: record.Evaluation{Split: "test", Loss: new(1 - float64(right)/1000), Kinds: []record.Kind{{Name: "A-C", Total: 1000, Correct: right}}},
		Times:      record.Times{WallSeconds: float64(seed) + 1},
	}
}

// set writes the records of the seeds 0, 1, ... and reads them.
func set(t *testing.T, right ...int) *results.Set {
	t.Helper()
	var list []*record.Record
	for seed, n := range right {
		list = append(list, runOf(uint64(seed), n))
	}
	data := must.Get(json.Marshal(list))(t)
	path := filepath.Join(t.TempDir(), "runs.json")
	must.Do(t, os.WriteFile(path, data, 0o644))
	return must.Get(results.Read(path))(t)
}

func compared(t *testing.T, a, b *results.Set) (*Comparison, map[string]Difference, string) {
	t.Helper()
	c := must.Get(Compare(a, b, nil, false))(t)
	var out strings.Builder
	must.Do(t, c.Print(&out, table.Style{Width: 200}))
	byLabel := map[string]Difference{}
	for _, d := range c.Differences {
		byLabel[d.Label] = d
	}
	must.Get(json.Marshal(c))(t)
	return c, byLabel, out.String()
}

// Seeds that lie far apart, each a point lower: only the paired interval sees it.
func TestPairingBySeed(t *testing.T) {
	_, d, text := compared(t, set(t, 900, 950, 980), set(t, 890, 939, 971))
	got := d["pai3 memo A-C accuracy"]
	if math.Abs(got.Change.Value+1) > 1e-9 || *got.Change.Low > -5 || *got.Change.High < 5 {
		t.Errorf("unpaired: %+v", got.Change)
	}
	// Differences 1.0, 1.1, 0.9: sd 0.1, t quantile of 2 degrees 4.303.
	half := 4.302653 * 0.1 / math.Sqrt(3)
	if p := got.Paired; p.N != 3 || p.Method != hypothesis.PairedT || math.Abs(p.Value+1) > 1e-9 || math.Abs(*p.Low+1+half) > 1e-5 || math.Abs(*p.High+1-half) > 1e-5 {
		t.Errorf("paired: %+v", p)
	}
	for _, want := range []string{"94.33 ± 4.04 (3)", "-1.00 [-1.25, -0.75] (3) -"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	// Less loss is better: the same drop is a gain of loss.
	if l := d["pai3 memo all nats"].Paired; *l.Low < 0 {
		t.Errorf("loss: %+v", l)
	}
}

func TestOneRunEach(t *testing.T) {
	_, d, text := compared(t, set(t, 900), set(t, 850))
	got := d["pai3 memo A-C accuracy"]
	if got.Change.Method != "two proportions" || *got.Change.Low > -5 || *got.Change.High < -5 || *got.Change.High > 0 || got.Paired != nil || got.A.SD != nil {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"interval by two proportions: of these two networks", "no interval: one run on each side"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Notes on the runs are footnotes, as in tables.
func TestCaveatsOfTheRunsAreFootnotes(t *testing.T) {
	recorded := func(label string) *results.Set {
		r, err := results.Open(filepath.Join("..", "..", "benchmarks", "recorded", "quick"))
		if err == nil {
			err = r.Choose(label)
		}
		if err != nil {
			t.Fatal(err)
		}
		return must.Get(r.Set())(t)
	}
	filter := must.Get(results.ParseFilter("/task:pai3"))(t)
	c := must.Get(Compare(recorded("emn4"), recorded("memo"), filter, false))(t)
	want := []string{"A and B: class symbols instead of image embeddings; reduced: 100 classes, 8 sequences.",
		"A: 1 of 3 runs ended by the preset's early-stop rule (seed 2 at step 5750).",
		"B: 3 of 3 runs ended by the preset's early-stop rule (seed 0 at step 1500, seed 1 at step 1250, seed 2 at step 1500)."}
	if len(c.Runs) != 1 || !slices.Equal(c.Runs[0].Notes, want) {
		t.Errorf("%+v, want %q", c.Runs, want)
	}
	var out strings.Builder
	must.Do(t, c.Print(&out, table.Style{Width: 200}))
	printed := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"d471e26ab53a¹", "¹ " + strings.Join(want, " ")} {
		if !strings.Contains(printed, want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// McNemar's test of each seed, from answers that were kept.
func TestAnswersBySeed(t *testing.T) {
	at := func(wrong func(i int) bool) *results.Set {
		dir := t.TempDir()
		p := record.Predictions{Head: record.PredictionsHead{Schema: record.PredictionsVersion, Protocol: "5f1c09", Dataset: "ab12", Split: "test", Questions: "q", Kinds: []string{"A-C"}}}
		right := 1000
		for i := range 1000 {
			one := record.Prediction{Target: []int32{1}, Answer: []int32{1}}
			if wrong(i) {
				one.Answer[0] = 2
				right--
			}
			p.Answers = append(p.Answers, one)
		}
		data := must.Get(runOf(4, right).Marshal())(t)
		var out strings.Builder
		must.Do(t, p.Write(&out))
		for name, text := range map[string]string{record.FileName: string(data), record.PredictionsName: out.String()} {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		return must.Get(results.Read(dir))(t)
	}
	_, d, text := compared(t, at(func(i int) bool { return i == 0 }), at(func(i int) bool { return i > 0 && i < 10 }))
	got := d["pai3 memo A-C accuracy"]
	if len(got.Answers) != 1 || got.Change.Method != "McNemar" || math.Abs(got.Answers[0].P-22.0/1024) > 1e-12 {
		t.Fatalf("%+v", got)
	}
	if one := got.Answers[0]; one.Seed != 4 || one.Questions != 1000 || one.Lost != 9 || one.Won != 1 {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(text, "4: 9:1 (0.021)") {
		t.Errorf("printed\n%s", text)
	}
}

// Equal runs are marked as the same; cells of only one side are listed.
func TestSameRunsAndMissingCells(t *testing.T) {
	a := set(t, 900, 910)
	_, d, text := compared(t, a, a)
	if !d["pai3 memo A-C accuracy"].SameRuns || !strings.Contains(text, "same") {
		t.Errorf("printed\n%s", text)
	}
	b := set(t, 900, 910)
	b.Cells = b.Cells[:len(b.Cells)-1]
	c, _, text := compared(t, a, b)
	if len(c.OnlyA) != 1 || !strings.Contains(text, "In A alone: "+c.OnlyA[0]) {
		t.Errorf("%v\n%s", c.OnlyA, text)
	}
}

func TestAFilterThatLeavesNothingIsAnError(t *testing.T) {
	filter := must.Get(results.ParseFilter("/model:dnc"))(t)
	if _, err := Compare(set(t, 900), set(t, 890), filter, false); err == nil || !strings.Contains(err.Error(), "the filter lets no cell of") {
		t.Errorf("%v", err)
	}
}
