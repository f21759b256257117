package gate

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/table"
)

// bench returns lines of one benchmark in the Go benchmark format.
func bench(kind, unit string, values ...float64) string {
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "BenchmarkEval/task=pai3/model=memo/kind=%s 1 %v %s\n", kind, v, unit)
	}
	return b.String()
}

func benchSet(t testing.TB, text string) *Set {
	t.Helper()
	s := &Set{Name: "results"}
	must.Do(t, s.addBench("results", []byte(text)))
	return s
}

// runOf returns a run with right answers of 1000 to one kind.
func runOf(seed uint64, right int) recorded {
	r := &record.Record{
		Schema: record.Version, Origin: record.Trained, Status: record.Complete, Dataset: record.Dataset{Task: "pai3", Hash: "ab12"},
		Identity:   record.Identity{Study: "quick", Task: "pai3", Name: "memo", Model: "memo", Seed: seed},
		Model:      record.Model{Config: map[string]any{"hops": 3.0}},
		Training:   record.Training{Steps: 100, SelectedStep: 100},
		Evaluation: record.Evaluation{Split: "test", Loss: new(1 - float64(right)/1000 + float64(seed)/1e6), Kinds: []record.Kind{{Name: "A-C", Total: 1000, Correct: right}}},
	}
	protocol(r, "steps", 100.0)
	return recorded{r, fmt.Sprintf("seed %d", seed), func() (*record.Predictions, error) { return nil, nil }}
}

// protocol changes a value of the protocol.
func protocol(r *record.Record, key string, value any) {
	if r.Protocol.Values == nil {
		r.Protocol.Values = map[string]any{"task": "pai3", "test_per_kind": 1000.0}
	}
	r.Protocol.Values[key] = value
	r.Protocol.Hash = record.HashOf(r.Protocol.Values)
}

// runs returns runs of the seeds 0, 1, ...
func runs(right ...int) (list []recorded) {
	for seed, n := range right {
		list = append(list, runOf(uint64(seed), n))
	}
	return list
}

func recordSet(t testing.TB, runs []recorded) *Set {
	t.Helper()
	return must.Get(newSet("runs", runs))(t)
}

// checked checks b and the report's invariants.
func checked(t testing.TB, o Options, a, b *Set) *Report {
	t.Helper()
	r := must.Get(Check(o, a, b))(t)
	must.Get(json.Marshal(r))(t)
	var text, annotations strings.Builder
	must.Do(t, r.Text(&text, table.Style{}))
	must.Do(t, r.GitHub(&annotations))
	for _, d := range r.Differences {
		if (d.Verdict == Pass) != (len(d.Reasons) == 0) || !(d.P >= 0 && d.P <= 1) || d.Adjusted < d.P {
			t.Errorf("%+v", d.Finding)
		}
	}
	if problems := append(r.problems(Fail), r.problems(Inconclusive)...); (r.Verdict == Pass) != (len(problems) == 0) {
		t.Errorf("verdict %s with problems %q", r.Verdict, problems)
	}
	return r
}

// withLimits returns the default options with margins, and floors after "floor ".
func withLimits(t testing.TB, limits ...string) Options {
	t.Helper()
	o := Defaults()
	for _, text := range limits {
		if floor, ok := strings.CutPrefix(text, "floor "); ok {
			must.Do(t, o.SetFloor(floor))
		} else {
			must.Do(t, o.SetMargin(text))
		}
	}
	return o
}

var (
	high  = []float64{99.1, 98.9, 99.3, 98.7, 99.0}
	low   = []float64{96.1, 95.7, 96.3, 95.9, 96.0} // 3 points less
	noisy = []float64{99, 90, 97, 84, 95}
)

func TestVerdicts(t *testing.T) {
	acc := func(values ...float64) string { return bench("A-C", "accuracy", values...) }
	nats := func(values ...float64) string { return bench("all", "nats", values...) }
	diverged := func(values ...float64) string { return bench("all", "diverged", values...) }
	for name, c := range map[string]struct {
		a, b   string
		limits []string
		want   Verdict
		say    string
	}{
		"the same":                      {acc(noisy...), acc(noisy...), nil, Pass, ""},
		"the same of one run":           {acc(98) + nats(0.123), acc(98) + nats(0.123), nil, Pass, ""},
		"a drop of three points":        {acc(high...), acc(low...), nil, Fail, "drop of 3.00 beyond the margin of 1.00"},
		"within the margin":             {acc(high...), acc(low...), []string{"accuracy=4"}, Pass, ""},
		"significant, but small":        {acc(high...), acc(98.45, 98.25, 98.65, 98.05, 98.35), nil, Pass, ""},
		"large, but of two noisy seeds": {acc(98, 91), acc(92, 84), nil, Inconclusive, "chance is not excluded"},
		"too noisy to see the margin":   {acc(noisy...), acc(90, 99, 84, 95, 96), nil, Inconclusive, "could not be seen; detectable is"},
		"one run against a baseline":    {acc(high...), acc(90), []string{"floor accuracy=off"}, Fail, "t of one run"},
		"no spread and no counts":       {acc(99, 99, 99), acc(97, 97, 97), nil, Inconclusive, "no spread between runs"},
		"a collapsed run":               {acc(high...), acc(99, 99, 99, 99, 50), nil, Inconclusive, "a run of 50.00 is beyond the floor of 88.70; drop of 9.80 beyond the margin of 1.00, but p is 0.341"},
		"four collapsed runs":           {acc(high...), acc(99, 50, 51, 49, 50), nil, Fail, "drop of 39.20 beyond the margin"},
		"an absolute floor":             {acc(high...), acc(high...), []string{"floor accuracy=98.8"}, Fail, "beyond the floor of 98.80"},
		"a missing number":              {acc(high...) + bench("A-B", "accuracy", high...), acc(high...), nil, Fail, "A-B accuracy: missing"},
		"a new number":                  {acc(high...), acc(high...) + bench("A-B", "accuracy", high...), nil, Pass, ""},
		"more loss":                     {nats(0.50, 0.51, 0.49), nats(0.70, 0.71, 0.69), []string{"nats=10%"}, Fail, "beyond the margin of 0.05"},
		"one more diverged":             {acc(high...) + diverged(0, 0, 0), acc(high...) + diverged(0, 1, 0), nil, Fail, "1 of 5 runs failed, 0 of 5 in the baseline"},
		"fewer runs":                    {acc(high...), acc(high[:3]...), nil, Fail, "pai3 memo: 2 of 5 runs are missing"},
	} {
		t.Run(name, func(t *testing.T) {
			r := checked(t, withLimits(t, c.limits...), benchSet(t, c.a), benchSet(t, c.b))
			if text := strings.Join(r.lines(), "\n"); r.Verdict != c.want || !strings.Contains(text, c.say) {
				t.Errorf("%s, want %s with %q:\n%s", r.Verdict, c.want, c.say, text)
			}
		})
	}
}

func TestWhatCannotBeCheckedIsAnError(t *testing.T) {
	acc := bench("A-C", "accuracy", high...)
	for want, c := range map[string]struct {
		a, b  string
		limit string
	}{
		"file:1: NaN accuracy":              {"BenchmarkX 1 NaN accuracy\n", acc, "accuracy=1"},
		"from 0 to 100":                     {"BenchmarkX 1 101 accuracy\n", acc, "accuracy=1"},
		"neither a record nor results":      {"PASS\n", acc, "accuracy=1"},
		"nothing to compare":                {bench("all", "nats", 1), bench("all", "nats", 1), "accuracy=1"},
		"x has a margin, but the results":   {bench("all", "x", 1), bench("all", "x", 1), "x=1"},
		"protocol.hash 1 against 2":         {"protocol: 1\n" + acc, "protocol: 2\n" + acc, "accuracy=1"},
		"protocol.hash 1 against none":      {"protocol: 1\n" + acc, acc, "accuracy=1"},
		"file has for example pai3 memo":    {acc, strings.ReplaceAll(acc, "memo", "emn"), "accuracy=1"},
		"no result has the metric acuracy,": {acc, acc, "acuracy=1"},
	} {
		a := &Set{Name: "file"}
		err := a.addBench("file", []byte(c.a))
		if err == nil {
			_, err = Check(withLimits(t, c.limit), a, benchSet(t, c.b))
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// A p that fails a number alone does not fail it among twenty.
func TestManyNumbersAreAdjusted(t *testing.T) {
	a, b := bench("A-C", "accuracy", 99.0, 98.0, 97.5, 98.5, 97.0), bench("A-C", "accuracy", 96.9, 96.0, 97.1, 95.5, 97.2)
	alone := checked(t, Defaults(), benchSet(t, a), benchSet(t, b)).Differences[0]
	for i := range 19 {
		a += bench(fmt.Sprint("k", i), "accuracy", high...)
		b += bench(fmt.Sprint("k", i), "accuracy", high...)
	}
	among := checked(t, Defaults(), benchSet(t, a), benchSet(t, b)).Differences[0]
	if alone.Verdict != Fail || among.Verdict == Fail || among.Adjusted <= alone.Adjusted || *among.Detectable <= *alone.Detectable {
		t.Errorf("alone %+v\namong twenty %+v", alone.Finding, among.Finding)
	}
	// The test follows the sizes: five runs are enough for the U test of one number.
	if alone.Finding.Method != rankSum || among.Finding.Method != welchT {
		t.Errorf("%s alone, %s among twenty", alone.Finding.Method, among.Finding.Method)
	}
}

// If all seeds answer as before except for the last bits of the loss, none is worse: the
// paired test shows that even with a large spread.
func TestEqualSeedsPass(t *testing.T) {
	a, b := runs(990, 900, 970, 840, 950), runs(990, 900, 970, 840, 950)
	for i := range b {
		*b[i].Record.Evaluation.Loss += 1e-9
	}
	if r := checked(t, Defaults(), recordSet(t, a), recordSet(t, b)); r.Verdict != Pass || r.Differences[0].Same {
		t.Errorf("%+v", r.Differences[0].Finding)
	}
	if r := checked(t, Defaults(), recordSet(t, a[1:2]), recordSet(t, b[1:2])); r.Verdict != Inconclusive {
		t.Errorf("one seed: %+v", r.Differences[0].Finding)
	}
}

func TestRunsOfRecords(t *testing.T) {
	baseline := func() []recorded { return runs(990, 989, 993, 987, 991) }
	change := func(f func(r *record.Record)) []recorded {
		list := baseline()
		f(list[1].Record)
		return list
	}
	diverge := func(r *record.Record) {
		r.Status, r.Evaluation.Loss, r.Evaluation.Kinds[0].Correct = record.Diverged, nil, 0
	}
	for name, c := range map[string]struct {
		a, b    []recorded
		say     string
		allowed Verdict // with --allow-missing
	}{
		"the same":              {baseline(), baseline(), "PASS", Pass},
		"a run is missing":      {baseline(), baseline()[:4], "FAIL pai3 memo: 1 of 5 runs are missing (--allow-missing", Pass},
		"one diverged":          {baseline(), change(diverge), "FAIL pai3 memo: 1 of 5 runs failed, 0 of 5 in the baseline: seed 1: diverged at step 100 (seed 1)", Fail},
		"one diverged before":   {change(diverge), change(diverge), "PASS", Pass},
		"a kind of one lacking": {baseline(), change(func(r *record.Record) { r.Evaluation.Kinds[0].Name = "A-B" }), "FAIL pai3 memo A-C accuracy: 1 of 5 runs lack it", Pass},
	} {
		o := Defaults()
		if r := checked(t, o, recordSet(t, c.a), recordSet(t, c.b)); !strings.Contains(strings.Join(r.lines(), "\n"), c.say) {
			t.Errorf("%s: no %q in %q", name, c.say, r.lines())
		}
		o.AllowMissing = true
		if r := checked(t, o, recordSet(t, c.a), recordSet(t, c.b)); r.Verdict != c.allowed {
			t.Errorf("%s, allowed: %q", name, r.lines())
		}
	}
}

// Runs that need more steps are reported. They do not fail, unless steps have a margin.
func TestTrainingStepsAreCompared(t *testing.T) {
	a, b := runs(990, 989, 993), runs(990, 989, 993)
	for i := range b {
		a[i].Record.Training.Steps, b[i].Record.Training.Steps = 1000+10*i, 1500+10*i
	}
	r := checked(t, Defaults(), recordSet(t, a), recordSet(t, b))
	if r.Verdict != Pass || len(r.Slower) != 1 || !strings.Contains(r.Slower[0], "pai3 memo: 1010 ± 10 (3) training steps, now 1510 ± 10 (3)") {
		t.Errorf("%s, %q", r.Verdict, r.Slower)
	}
	if r := checked(t, Defaults(), recordSet(t, b), recordSet(t, a)); len(r.Slower) != 0 {
		t.Errorf("faster: %q", r.Slower)
	}
	if r := checked(t, withLimits(t, "steps=10%"), recordSet(t, a), recordSet(t, b)); r.Verdict != Fail {
		t.Errorf("with a margin: %s", r.Verdict)
	}
}

// One run a side is evaluated by its counts, or, if both kept their answers, question by
// question, which sees far smaller drops.
func TestOneRunASide(t *testing.T) {
	a := strings.Repeat("1", 900) + strings.Repeat("0", 100)
	b := strings.Repeat("1", 878) + strings.Repeat("0", 122) // the same and 22 more are wrong
	for _, c := range []struct {
		keep   bool
		method method
		want   Verdict
	}{{false, twoProportions, Inconclusive}, {true, mcNemar, Fail}} {
		r := checked(t, Defaults(), recordSet(t, []recorded{answered(0, a, c.keep)}), recordSet(t, []recorded{answered(0, b, c.keep)}))
		f := r.Differences[0].Finding
		if f.Method != c.method || f.Verdict != c.want || math.Abs(f.Drop-2.2) > 1e-9 {
			t.Errorf("kept %v: %+v", c.keep, f)
		}
		if text := strings.Join(r.lines(), "\n"); !strings.Contains(text, "what another seed would give is not in") {
			t.Errorf("the text does not say what was used:\n%s", text)
		}
	}
}

// answered returns a run with answers that are wrong where the pattern has a 0, kept or not.
func answered(seed uint64, pattern string, keep bool) recorded {
	run := runOf(seed, strings.Count(pattern, "1"))
	p := &record.Predictions{Head: record.PredictionsHead{Schema: record.PredictionsVersion, Split: "test", Questions: "q", Kinds: []string{"A-C"}}}
	for _, c := range pattern {
		p.Answers = append(p.Answers, record.Prediction{Target: []int32{1}, Answer: []int32{c - '0'}})
	}
	if keep {
		run.Predictions = func() (*record.Predictions, error) { return p, nil }
	}
	return run
}

func TestAnnotations(t *testing.T) {
	a := bench("A-C", "accuracy", high...) + bench("A-B", "accuracy", noisy...)
	b := bench("A-C", "accuracy", low...) + bench("A-B", "accuracy", 90, 99, 84, 95, 96)
	var out strings.Builder
	must.Do(t, checked(t, Defaults(), benchSet(t, a), benchSet(t, b)).GitHub(&out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || lines[0] != "::notice title=memobench%3A regression gate::FAIL: 2 numbers checked, 1 problems, 1 inconclusive" ||
		!strings.HasPrefix(lines[1], "::error title=memobench%3A accuracy regressed::pai3 memo A-C accuracy: drop of 3.00") ||
		!strings.HasPrefix(lines[2], "::warning title=memobench%3A too few runs to tell::pai3 memo A-B accuracy: ") {
		t.Errorf("%s", out.String())
	}
}

func TestOptions(t *testing.T) {
	o := Defaults()
	for _, bad := range []string{"accuracy", "=1", "accuracy=", "accuracy=-1", "accuracy=NaN", "accuracy=x", "accuracy=1%%"} {
		if o.SetMargin(bad) == nil {
			t.Errorf("margin %q is taken", bad)
		}
	}
	for _, bad := range []string{"accuracy", "accuracy=worst", "accuracy=worst--1", "accuracy=Inf"} {
		if o.SetFloor(bad) == nil {
			t.Errorf("floor %q is taken", bad)
		}
	}
	for metric := range o.Margins {
		must.Do(t, o.SetMargin(metric+"=off"))
	}
	if o.Validate() == nil {
		t.Error("a gate that checks nothing is taken")
	}
	for _, bad := range []Options{{Alpha: math.NaN(), Power: 0.8}, {Alpha: 0.05, Power: 1}} {
		bad.Margins = Defaults().Margins
		if bad.Validate() == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

// No text makes the gate panic or pass with a problem.
func FuzzCheck(f *testing.F) {
	acc := bench("A-C", "accuracy", high...)
	f.Add(acc, bench("A-C", "accuracy", low...))
	f.Add("protocol: 1\nUnit x better=lower\n"+bench("all", "x", 1, 2), "Unit x better=higher\n"+bench("all", "x", 1e99, -1e99))
	f.Add("BenchmarkX-8 1 2 ns/op\nBenchmarkX/seed=3/kind=all/answer=all 1 0 nats 1e-300 accuracy\n", acc)
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := &Set{}, &Set{}
		if x.addBench("a", []byte(a)) != nil || y.addBench("b", []byte(b)) != nil {
			return
		}
		if _, err := Check(Defaults(), x, y); err == nil {
			checked(t, Defaults(), x, y)
		}
		if r, err := Compare(x, y, nil, true); err == nil {
			must.Get(json.Marshal(r))(t)
		}
	})
}

// Go benchmark results of a record have its numbers.
func TestARecordAndItsBenchmarkResultsAreTheSame(t *testing.T) {
	var text []byte
	list := runs(990, 970, 980)
	for _, run := range list {
		text = append(text, must.Get(run.Record.Bench())(t)...)
	}
	r := checked(t, withLimits(t, "nats=1%", "steps=1%"), benchSet(t, string(text)), recordSet(t, list))
	var names []string
	for _, d := range r.Differences {
		names = append(names, d.label())
		if d.Change.Value != 0 || d.A.N != 3 || d.B.N != 3 {
			t.Errorf("%+v", d)
		}
	}
	if want := []string{"pai3 memo all accuracy", "pai3 memo all nats", "pai3 memo all steps", "pai3 memo A-C accuracy"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// The time of a check grows with the number of kinds, not with its square.
func TestManyKindsAreCheckedInLinearTime(t *testing.T) {
	list := runs(900, 910, 920)
	for _, r := range list {
		for i := range 8000 {
			r.Record.Evaluation.Kinds = append(r.Record.Evaluation.Kinds, record.Kind{Name: fmt.Sprint("k", i), Total: 1000, Correct: 900 + i%50})
		}
	}
	began := time.Now()
	set := recordSet(t, list)
	if r := must.Get(Check(withLimits(t), set, set))(t); r.Verdict != Pass {
		t.Errorf("verdict %s", r.Verdict)
	}
	if d := time.Since(began); d > time.Minute { // a minute with squares alone
		t.Errorf("it took %v", d)
	}
}
