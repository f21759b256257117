package gate

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/table"
)

// compared compares two sets and returns the difference of the accuracy on A-C, and the text.
func compared(t *testing.T, a, b []recorded) (Difference, string) {
	t.Helper()
	r := must.Get(Compare(recordSet(t, a), recordSet(t, b), nil, false))(t)
	var out strings.Builder
	must.Do(t, r.Text(&out, table.Style{}))
	for _, d := range r.Differences {
		if d.Kind == "A-C" && d.Metric == "accuracy" {
			return d, out.String()
		}
	}
	t.Fatalf("no accuracy on A-C in\n%s", out.String())
	return Difference{}, ""
}

// changed applies a change to all runs.
func changed(list []recorded, change func(r *record.Record)) []recorded {
	for _, run := range list {
		change(run.Record)
	}
	return list
}

// Seeds that lie far apart, each a point lower: only the paired interval sees it.
func TestPairingBySeed(t *testing.T) {
	d, text := compared(t, runs(900, 950, 980), runs(890, 939, 971))
	if math.Abs(d.Change.Value+1) > 1e-9 || *d.Change.Low > -5 || *d.Change.High < 5 {
		t.Errorf("unpaired: %+v", d.Change)
	}
	// Differences 1.0, 1.1, 0.9: sd 0.1, t quantile of 2 degrees 4.303.
	half := 4.302653 * 0.1 / math.Sqrt(3)
	if p := d.Paired; p.Method != pairedT || math.Abs(p.Value+1) > 1e-9 || math.Abs(*p.Low+1+half) > 1e-5 || math.Abs(*p.High+1-half) > 1e-5 {
		t.Errorf("paired: %+v", p)
	}
	for _, want := range []string{"94.33 ± 4.04 (3)", "-1.00 [-1.25, -0.75] worse"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Where the seeds of each side agree, the interval is that of the counts of one run: of 1000
// and 990 of 1000, (Agresti and Caffo 2000).
func TestCountsWhereSeedsAgree(t *testing.T) {
	pa, pb := 1001./1002, 991./1002
	half := 1.959964 * 100 * math.Sqrt(pa*(1-pa)/1002+pb*(1-pb)/1002)
	for name, c := range map[string]struct{ a, b []recorded }{
		"one run each":        {runs(1000), runs(990)},
		"one against three":   {runs(1000, 1000, 1000), runs(990)},
		"three against three": {runs(1000, 1000, 1000), runs(990, 990, 990)},
	} {
		d, text := compared(t, c.a, c.b)
		if d.Change.Method != twoProportions || math.Abs(*d.Change.Low+1+half) > 1e-5 || math.Abs(*d.Change.High+1-half) > 1e-5 {
			t.Errorf("%s: %+v", name, d.Change)
		}
		if !strings.Contains(text, "* By the questions of the trained networks at hand") {
			t.Errorf("%s: no note in\n%s", name, text)
		}
	}
}

// Studies may differ. Another training on the same questions is named, and compared by
// Compare alone; other questions are not compared, and the key is named.
func TestConditions(t *testing.T) {
	set := func(key string, value any) func(r *record.Record) {
		return func(r *record.Record) { protocol(r, key, value) }
	}
	for name, c := range map[string]struct {
		change       func(r *record.Record)
		note         string // of both
		check, other string // errors of Check and Compare; other is a note if it has no error
	}{
		"another study":   {func(r *record.Record) { r.Identity.Study = "other" }, "", "", ""},
		"another setting": {func(r *record.Record) { r.Model.Config["hops"] = 5.0 }, "pai3 memo: model.hops 3 against 5", "", ""},
		"another model":   {func(r *record.Record) { r.Identity.Model = "emn" }, "pai3: different models: A is memo, B is memo", "", ""},
		"another name":    {func(r *record.Record) { r.Identity.Name = "emn" }, "", "nothing to compare: runs has for example pai3 memo, runs has pai3 emn", "pai3: A is memo, B is emn"},
		"other steps":     {set("steps", 200.0), "", "pai3 memo is not comparable: protocol.steps 100 against 200", "protocol.steps 100 against 200"},
		"a rule to stop":  {set("early_stop", map[string]any{"evaluations": 2.0}), "", "protocol.early_stop.evaluations none against 2", "protocol.early_stop.evaluations none against 2"},
		"other questions": {set("test_seed", 7.0), "", "protocol.test_seed none against 7", "pai3 memo is not comparable: protocol.test_seed none against 7"},
		"another size":    {set("settings", map[string]any{"classes": 9.0}), "", "protocol.settings.classes none against 9", "is not comparable: protocol.settings.classes none against 9"},
		"other data":      {func(r *record.Record) { r.Dataset.Hash = "cd34" }, "", "dataset.hash ab12 against cd34", "is not comparable: dataset.hash ab12 against cd34"},
		"another split":   {func(r *record.Record) { r.Evaluation.Split = "validation" }, "", "evaluation.split test against validation", "is not comparable: evaluation.split test against validation"},
		"only hashes":     {func(r *record.Record) { r.Protocol = record.Protocol{Hash: "other"} }, "", "protocol.hash", "is not comparable: protocol.hash"},
	} {
		a, b := recordSet(t, runs(990, 980, 970)), recordSet(t, changed(runs(990, 980, 970), c.change))
		said := func(r *Report, err error) string {
			if err != nil {
				return err.Error()
			}
			return strings.Join(r.Notes, "\n")
		}
		r, err := Check(Defaults(), a, b)
		if text := said(r, err); (err != nil) != (c.check != "") || !strings.Contains(text, c.note+c.check) {
			t.Errorf("%s, check: %q, want %q", name, text, c.note+c.check)
		}
		r, err = Compare(a, b, nil, false)
		if text := said(r, err); (err != nil) != strings.Contains(c.other, "not comparable") || !strings.Contains(text, c.note+c.other) {
			t.Errorf("%s, compare: %q, want %q", name, text, c.note+c.other)
		}
	}
}

// Compare leaves out a pair that is not comparable, and says so; Check fails.
func TestPairsThatAreNotComparable(t *testing.T) {
	both := func(data string) *Set {
		other := changed(runs(900, 910), func(r *record.Record) { r.Identity.Task, r.Dataset.Hash = "pai4", data })
		return recordSet(t, append(runs(990, 980), other...))
	}
	r := must.Get(Compare(both("1"), both("2"), regexp.MustCompile("all accuracy"), false))(t)
	if len(r.Differences) != 1 || r.Differences[0].Task != "pai3" || r.Notes[0] != "pai4 memo is not comparable: dataset.hash 1 against 2" {
		t.Errorf("%+v, %q", r.Differences, r.Notes)
	}
	if _, err := Check(Defaults(), both("1"), both("2")); err == nil {
		t.Error("checked")
	}
}

func TestRunsThatAreNotOneSample(t *testing.T) {
	list := runs(990, 980)
	list[1].Record.Identity.Seed = 0
	if _, err := newSet("runs", list); err == nil || !strings.Contains(err.Error(), "seed 0 is also in seed 0") {
		t.Errorf("one seed twice: %v", err)
	}
	list = runs(990, 980)
	protocol(list[1].Record, "steps", 200.0)
	if _, err := newSet("runs", list); err == nil || !strings.Contains(err.Error(), "other runs of pai3 memo have protocol.steps 100 against 200") {
		t.Errorf("two protocols: %v", err)
	}
}

// Of several studies with the same names, each is compared with itself.
func TestStudies(t *testing.T) {
	two := append(runs(990, 980), changed(runs(900, 890), func(r *record.Record) { r.Identity.Study = "other" })...)
	r := must.Get(Compare(recordSet(t, two), recordSet(t, two), regexp.MustCompile("pai3 memo A-C"), true))(t)
	if len(r.Differences) != 2 || !r.Differences[0].Same || !r.Differences[1].Same {
		t.Errorf("%+v", r.Differences)
	}
	third := changed(runs(1000), func(r *record.Record) { r.Identity.Study = "third" })
	for _, sides := range [][2][]recorded{{third, two}, {two, third}} {
		if _, err := Compare(recordSet(t, sides[0]), recordSet(t, sides[1]), nil, false); err == nil || !strings.Contains(err.Error(), "name the directory of one study") {
			t.Errorf("%v", err)
		}
	}
}

// McNemar's test of each seed, from answers that were kept.
func TestAnswersBySeed(t *testing.T) {
	a := "0" + strings.Repeat("1", 999)
	b := "1" + strings.Repeat("0", 9) + strings.Repeat("1", 990)
	d, text := compared(t, []recorded{answered(4, a, true)}, []recorded{answered(4, b, true)})
	if want := (answers{Seed: 4, Lost: 9, Won: 1, P: 22. / 1024}); len(d.Answers) != 1 || fmt.Sprintf("%.6v", d.Answers[0]) != fmt.Sprintf("%.6v", want) || d.Change.Method != mcNemar {
		t.Errorf("%+v", d)
	}
	if !strings.Contains(text, "4: 9:1 (0.021)") {
		t.Errorf("printed\n%s", text)
	}
	c := strings.Repeat("0", 200) + strings.Repeat("1", 800)
	if d, text := compared(t, []recorded{answered(4, a, true)}, []recorded{answered(4, c, true)}); !strings.Contains(text, "4: 199:0 (<0.0005)") {
		t.Errorf("%+v\n%s", d.Answers, text)
	}
	wrong := answered(4, b, true)
	wrong.Record.Evaluation.Kinds[0].Correct++
	if _, err := Compare(recordSet(t, []recorded{answered(4, a, true)}), recordSet(t, []recorded{wrong}), nil, false); err == nil || !strings.Contains(err.Error(), "the record counts") {
		t.Errorf("answers of another run: %v", err)
	}
}

// Single answers have counts, too.
func TestCountsOfSingleAnswers(t *testing.T) {
	of := func(right int) []recorded {
		return changed(runs(900, 900), func(r *record.Record) {
			r.Evaluation.Kinds[0].Answers = []record.Answer{{Name: "node 1", Correct: right}, {Name: "node 2", Correct: 900}}
		})
	}
	r := must.Get(Compare(recordSet(t, of(1000)), recordSet(t, of(990)), regexp.MustCompile("A-C node 1 accuracy"), false))(t)
	if len(r.Differences) != 1 || r.Differences[0].Change.Method != twoProportions || r.Differences[0].Change.Low == nil {
		t.Errorf("%+v", r.Differences)
	}
}

// A comparison of two models has both names, and fits a terminal of 80 columns.
func TestTextFitsTheTerminal(t *testing.T) {
	gru := changed(runs(900, 950, 980), func(r *record.Record) { r.Identity.Name, r.Identity.Model = "gru", "gru" })
	r := must.Get(Compare(recordSet(t, gru), recordSet(t, runs(890, 939, 971)), nil, false))(t)
	var out strings.Builder
	must.Do(t, r.Text(&out, table.Style{Width: 80}))
	if !strings.Contains(out.String(), "pai3 gru against memo") {
		t.Errorf("not titled by both names:\n%s", &out)
	}
	for line := range strings.Lines(out.String()) {
		if n := len([]rune(strings.TrimSpace(line))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
