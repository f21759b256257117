package gate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/report/compare/hypothesis"
	"memobench/report/results"
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

func set(t testing.TB, text string) *results.Set {
	t.Helper()
	return readFiles(t, "results", map[string]string{"results": text})
}

// readFiles writes files below a new directory and reads a path in it.
func readFiles(t testing.TB, path string, files map[string]string) *results.Set {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return must.Get(results.Read(filepath.Join(dir, path)))(t)
}

// check evaluates two texts and checks the report's invariants.
func check(t testing.TB, a, b string, o Options) *Report {
	t.Helper()
	r := must.Get(Check(set(t, a), set(t, b), o))(t)
	sound(t, r)
	return r
}

func sound(t testing.TB, r *Report) {
	t.Helper()
	must.Get(json.Marshal(r))(t)
	var text, annotations strings.Builder
	must.Do(t, r.Print(&text, table.Style{}))
	must.Do(t, r.GitHub(&annotations))
	for _, f := range r.Findings {
		if (f.Verdict == Pass) != (len(f.Reasons) == 0) || f.P < 0 || f.P > 1 || f.Adjusted < f.P {
			t.Errorf("%+v", f)
		}
	}
	if (r.Verdict == Pass) != (len(r.problems()) == 0) {
		t.Errorf("verdict %s with problems %q", r.Verdict, r.problems())
	}
}

var (
	high  = []float64{99.1, 98.9, 99.3, 98.7, 99.0}
	low   = []float64{96.1, 95.7, 96.3, 95.9, 96.0} // 3 points less
	noisy = []float64{99, 90, 97, 84, 95}
)

func TestVerdicts(t *testing.T) {
	with := func(settings ...string) Options {
		o := Defaults()
		for _, s := range settings {
			kind, text, _ := strings.Cut(s, " ")
			set := o.SetMargin
			if kind == "floor" {
				set = o.SetFloor
			}
			must.Do(t, set(text))
		}
		return o
	}
	acc := func(values ...float64) string { return bench("A-C", "accuracy", values...) }
	less := func(by float64) []float64 {
		list := slices.Clone(high)
		for i := range list {
			list[i] -= by
		}
		return list
	}
	for name, c := range map[string]struct {
		a, b string
		o    Options
		want Verdict
		say  string
	}{
		"the same":                          {acc(noisy...), acc(noisy...), with(), Pass, ""},
		"the same of one run":               {acc(98) + bench("all", "nats", 0.123), acc(98) + bench("all", "nats", 0.123), with(), Pass, ""},
		"one run as accurate":               {acc(98), acc(98), with(), Inconclusive, "one run on each side"},
		"another protocol beside it":        {"protocol: 1\n" + acc(high...) + "protocol: 2\n" + acc(high...), "protocol: 1\n" + acc(high...) + "protocol: 2\n" + acc(low...), with(), Fail, "pai3 memo A-C accuracy, protocol 2: drop of 3.00"},
		"a drop of three points":            {acc(high...), acc(low...), with(), Fail, "drop of 3.00 beyond the margin of 1.00"},
		"within the margin":                 {acc(high...), acc(low...), with("margin accuracy=4"), Pass, ""},
		"significant, but small":            {acc(high...), acc(less(0.65)...), with(), Pass, ""},
		"better":                            {acc(low...), acc(high...), with(), Pass, ""},
		"large, but of two noisy seeds":     {acc(98, 91), acc(92, 84), with(), Inconclusive, "chance is not excluded"},
		"too noisy to see the margin":       {acc(noisy...), acc(90, 99, 84, 95, 96), with(), Inconclusive, "could not be seen: detectable is"},
		"one run a side":                    {acc(98), acc(97), with(), Inconclusive, "one run on each side"},
		"one run against a baseline":        {acc(high...), acc(90), with("floor accuracy=off"), Fail, "t of one run"},
		"the same seed again and again":     {acc(99, 99, 99), acc(97, 97, 97), with(), Inconclusive, "a fixed value, or the same seed again?"},
		"a collapsed run":                   {acc(high...), acc(99, 99, 99, 99, 50), with(), Inconclusive, "1 of 5 runs beyond the floor of 88.70, the worst 50.00; drop of 9.80 beyond the margin of 1.00, but p is 0.3413"},
		"a collapsed run within the margin": {acc(high...), acc(99, 99, 99, 99, 50), with("margin accuracy=60"), Inconclusive, "1 of 5 runs beyond the floor of 88.70, the worst 50.00"},
		"four collapsed runs":               {acc(high...), acc(99, 50, 51, 49, 50), with(), Fail, "drop of 39.20 beyond the margin"},
		"a collapsed run of a baseline too": {acc(99.1, 98.9, 99.3, 98.7, 50), acc(99, 98.8, 99.2, 50, 51), with(), Inconclusive, "detectable"},
		"a collapsed run without a floor":   {acc(high...), acc(99, 99, 99, 99, 50), with("floor accuracy=off"), Inconclusive, "detectable"},
		"an absolute floor":                 {acc(high...), acc(high...), with("floor accuracy=98.8"), Fail, "beyond the floor of 98.80"},
		"a kind in the unit":                {bench("all", "A-C-accuracy", high...), bench("all", "A-C-accuracy", low...), with(), Fail, "drop of 3.00"},
		"a missing cell":                    {acc(high...) + bench("A-B", "accuracy", high...), acc(high...), with(), Fail, "A-B accuracy: missing"},
		"a new cell":                        {acc(high...), acc(high...) + bench("A-B", "accuracy", high...), with(), Pass, ""},
		"more loss":                         {bench("all", "nats", 0.50, 0.51, 0.49), bench("all", "nats", 0.70, 0.71, 0.69), with("margin nats=10%"), Fail, "beyond the margin of 0.05"},
		"less loss":                         {bench("all", "nats", 0.70, 0.71, 0.69), bench("all", "nats", 0.50, 0.51, 0.49), with("margin nats=10%"), Pass, ""},
		"loss without a margin":             {acc(98) + bench("all", "nats", 0.1), acc(98) + bench("all", "nats", 9), with(), Inconclusive, "one run on each side"},
		"exact numbers":                     {bench("all", "parameters", 100, 100), bench("all", "parameters", 101, 101), with("margin parameters=0"), Fail, "(exact)"},
		"exact numbers within 5 %":          {bench("all", "parameters", 100, 100), bench("all", "parameters", 101, 101), with("margin parameters=5%"), Pass, ""},
		"one more diverged":                 {acc(high...) + bench("all", "diverged", 0, 0, 0), acc(high...) + bench("all", "diverged", 0, 1, 0), with(), Fail, "1 of 5 runs failed, 0 of 5 in the baseline"},
		"as many diverged":                  {acc(high...) + bench("all", "diverged", 0, 1, 0), acc(high...) + bench("all", "diverged", 1, 0, 0), with(), Pass, ""},
		"fewer diverged":                    {acc(high...) + bench("all", "diverged", 0, 1, 1), acc(high...) + bench("all", "diverged", 1, 0, 0), with(), Pass, ""},
		"go test says that one failed":      {acc(high...), acc(high...) + "--- FAIL: BenchmarkEval/task=pai3/model=memo/kind=A-C\nFAIL\n", with(), Fail, "the benchmark failed"},
	} {
		t.Run(name, func(t *testing.T) {
			r := check(t, c.a, c.b, c.o)
			if text := strings.Join(r.problems(), "\n"); r.Verdict != c.want || !strings.Contains(text, c.say) {
				t.Errorf("%s, want %s with %q:\n%s\n%+v", r.Verdict, c.want, c.say, text, r.Findings)
			}
		})
	}
}

func TestWhatCannotBeCheckedIsAnError(t *testing.T) {
	o := Defaults()
	must.Do(t, o.SetMargin("x=1"))
	acc := bench("A-C", "accuracy", high...)
	for want, sides := range map[string][2]string{
		"nothing to check":                   {bench("all", "nats", 1), bench("all", "nats", 1)},
		"unit x has a margin, but nobody":    {bench("all", "x", 1), bench("all", "x", 1)},
		`protocol "1" against "2"`:           {"protocol: 1\n" + acc, "protocol: 2\n" + acc},
		`protocol "1" against ""`:            {"protocol: 1\n" + acc, acc},
		"no benchmark in common":             {acc, strings.ReplaceAll(acc, "memo", "emn")},
		"better=higher against better=lower": {"Unit x better=higher\n" + bench("all", "x", 1), "Unit x better=lower\n" + bench("all", "x", 1)},
	} {
		if r, err := Check(set(t, sides[0]), set(t, sides[1]), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, %v; want %q", r, err, want)
		}
	}
}

// A p that fails a cell alone does not fail it among twenty.
func TestManyCellsAreAdjusted(t *testing.T) {
	a, b := bench("A-C", "accuracy", 99.0, 98.0, 97.5, 98.5, 97.0), bench("A-C", "accuracy", 96.9, 96.0, 97.1, 95.5, 97.2)
	alone := check(t, a, b, Defaults())
	for i := range 19 {
		kind := fmt.Sprint("k", i)
		a += bench(kind, "accuracy", high...)
		b += bench(kind, "accuracy", high...) + "# other\n"
	}
	b += bench("last", "nats", 1) // so that the runs are not the same
	a += bench("last", "nats", 2)
	among := check(t, a, b, Defaults())
	x, y := alone.Findings[0], among.Findings[0]
	if x.Verdict != Fail || y.Verdict == Fail || y.Adjusted <= x.Adjusted || *y.Detectable <= *x.Detectable {
		t.Errorf("alone %+v\namong twenty %+v", x, y)
	}
	// The test follows the sizes: five runs are enough for the U test of one cell.
	if x.Method != hypothesis.RankSum || y.Method != hypothesis.WelchT {
		t.Errorf("%s alone, %s among twenty", x.Method, y.Method)
	}
}

// If several seeds answer as before except for the last bits of the loss, none is worse:
// paired tests show that even with a large spread.
func TestEqualSeedsPass(t *testing.T) {
	lines := func(loss float64) string {
		text := ""
		for seed, v := range noisy {
			text += fmt.Sprintf("BenchmarkEval/task=pai3/model=memo/kind=A-C/seed=%d 1 %v accuracy %v nats\n", seed, v, loss+float64(seed))
		}
		return text
	}
	if r := check(t, lines(0.5), lines(0.5000001), Defaults()); r.Verdict != Pass || r.Findings[0].Method == hypothesis.Identical {
		t.Errorf("%+v", r.Findings)
	}
}

func TestSettings(t *testing.T) {
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
	for unit := range o.Margins {
		must.Do(t, o.SetMargin(unit+"=off"))
	}
	if err := o.Validate(); err == nil {
		t.Error("a gate that checks nothing is taken")
	}
	for _, change := range []func(o *Options){func(o *Options) { o.Alpha = 0 }, func(o *Options) { o.Alpha = 0.7 }, func(o *Options) { o.Power = 1 }} {
		o := Defaults()
		change(&o)
		if o.Validate() == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

func TestAMarginOfAUnitThatNoResultHasIsRefused(t *testing.T) {
	a := set(t, bench("A-C", "accuracy", 90, 91, 92))
	for _, c := range []struct {
		set  func(o *Options, text string) error
		text string
		bad  bool
	}{
		{(*Options).SetMargin, "acuracy=1", true},
		{(*Options).SetFloor, "acuracy=80", true},
		{(*Options).SetMargin, "acuracy=off", true},
		{(*Options).SetMargin, "accuracy=2", false},
		{(*Options).SetMargin, "nats=10%", false}, // a unit of records, if not of these
	} {
		o := Defaults()
		must.Do(t, c.set(&o, c.text))
		if _, err := Check(a, a, o); (err != nil) != c.bad {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}
