package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/paper"
	"memobench/report/results"
)

// kindsOf are the queries of chains in the tests, the hardest last.
var kindsOf = map[string][]string{"pai3": {"A-B", "A-C"}, "pai4": {"A-B", "A-D"}, "pai5": {"A-B", "A-E"}}

// hit returns a run with the given number of right answers of 600 to the hardest query.
func hit(task, model string, right int) results.Run {
	return fakeRun(task, model, 0, kindsOf[task], 600, right)
}

// seeds returns three runs with equal results: only the binomial error remains in their
// interval.
func seeds(runs ...results.Run) []results.Run {
	var list []results.Run
	for _, r := range runs {
		for seed := range uint64(3) {
			one := *r.Record
			one.Identity.Seed = seed
			list = append(list, results.Run{Path: strings.Replace(r.Path, "/record.json", fmt.Sprintf("-%d/record.json", seed), 1), Record: &one})
		}
	}
	return list
}

// steps returns a run under a protocol with the given number of steps.
func steps(r results.Run, n int) results.Run {
	r = withProtocol(r, fmt.Sprintf("%d-steps", n))
	r.Record.Protocol.Values = map[string]any{"steps": float64(n)}
	return r
}

// finding returns the finding of a part and a claim, by their prefixes.
func finding(t *testing.T, runs []results.Run, part, claim string) Finding {
	t.Helper()
	table, list := Findings(results.Deduplicate(runs))
	must.Do(t, table.Validate())
	for _, f := range list {
		if strings.HasPrefix(f.Part, part) && strings.HasPrefix(f.Claim, claim) {
			return f
		}
	}
	t.Fatalf("no finding %q, %q", part, claim)
	return Finding{}
}

func TestVerdictsOfNumbers(t *testing.T) {
	for _, c := range []struct {
		name, part, claim string
		runs              []results.Run
		want              Verdict
		text              string
	}{
		{"within 2 points", "Hardest query of 3", "MEMO", seeds(hit("pai3", "memo", 580)), agrees, "agrees, -1.6 ± 1.7"},
		{"lower", "Hardest query of 3", "MEMO", seeds(hit("pai3", "memo", 540)), lower, "lower, -8.3 ± 2.6"},
		{"higher", "Hardest query of 5", "MEMO", seeds(hit("pai5", "memo", 600)), higher, "higher, +15.5 ± 7.1"},
		{"within the paper's deviation", "Hardest query of 5", "MEMO", seeds(hit("pai5", "memo", 540)), agrees, "agrees, +5.5 ± 7.5"},
		{"one seed", "Hardest query of 5", "UT", []results.Run{hit("pai5", "ut", 512)}, oneSeed, "one seed, +37.4"},
		{"not run", "Hardest query of 3", "MEMO", []results.Run{hit("pai5", "memo", 600)}, notRun, "not run"},
		{"beyond a fraction", "Shortest paths, 20-3-3", "MEMO, node 1", fakePaths("sp20-3-3", false), agrees, "agrees, +2.4 ± 2.9"},
	} {
		f := finding(t, c.runs, c.part, c.claim)
		if f.Verdict != c.want || f.text() != c.text {
			t.Errorf("%s: %s (%s), want %s", c.name, f.Verdict, f.text(), c.text)
		}
		if f.Verdict == notRun && (f.Here.State != Missing || f.Here.Fill != "memobench train --model memo --task pai3" || f.Difference != nil) {
			t.Errorf("%s: %+v", c.name, f.Here)
		}
	}
	// The deviation of the seeds counts, too, but too large a deviation decides nothing.
	for _, c := range []struct {
		others int
		want   string
	}{{590, "agrees, +0.6 ± 2.7"}, {534, "undecided, -5.6 ± 15.9"}} {
		spread := seeds(hit("pai3", "memo", c.others))
		spread[0] = hit("pai3", "memo", 600)
		if f := finding(t, spread, "Hardest query of 3", "MEMO"); f.text() != c.want {
			t.Errorf("600 and twice %d right: %s, want %s", c.others, f.text(), c.want)
		}
	}
}

// 95 of 100 intervals contain the true accuracy.
func TestIntervalsCover(t *testing.T) {
	const questions, rounds = 600, 2000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 3, 5} {
		held := 0
		for range rounds {
			hard := rng.NormFloat64() * 100 * math.Sqrt(0.8*0.2/questions) // of the questions, which seeds share
			var values []float64
			for range n {
				values = append(values, 80+hard+3*rng.NormFloat64())
			}
			c := Mean(values, 1)
			c.Full, c.Questions = 100, questions
			if h, known := c.HalfWidth(); known && math.Abs(c.Mean-80) <= h {
				held++
			}
		}
		if share := float64(held) / rounds; share < 0.94 || share > 0.985 {
			t.Errorf("%d seeds: %.3f of the intervals", n, share)
		}
	}
}

// Findings that agree with settings that the paper does not name say so.
func TestOtherSettingsAreInTheVerdict(t *testing.T) {
	run := hit("pai3", "memo", 590)
	run.Record.Model.Training = map[string]any{"learning_rate": 5e-4}
	run.Record.Model.Config = map[string]any{"halting": "reinforce", "hops": 3.0, "heads": 1.0}
	for heads, want := range map[float64]string{1: "agrees, +0.1 ± 1.4", 8: "agrees*, +0.1 ± 1.4"} {
		run.Record.Model.Config["heads"] = heads
		f := finding(t, seeds(run), "Hardest query of 3", "MEMO")
		if f.text() != want || strings.Contains(strings.Join(f.Notes, " "), "MEMO H, heads 8 (paper: 1).") != (heads == 8) {
			t.Errorf("%g heads: %q, %q; want %q", heads, f.text(), f.Notes, want)
		}
	}
}

// One run above chance shows that a system infers; an order needs several seeds.
func TestOneSeedShowsThatASystemInfers(t *testing.T) {
	runs := seeds(hit("pai4", "memo", 590), hit("pai4", "emn", 300))
	for right, want := range map[int]string{300: "agrees, 2 of 4", 400: "agrees, 2 of 4", 560: "differs, 2 of 4"} {
		f := finding(t, append(slices.Clone(runs), hit("pai4", "ut", right)), "Hardest query of 4", "MEMO alone")
		if f.text() != want || slices.Contains(f.Notes, "Not near chance, with one seed: UT has 93.3.") != (f.Verdict == differs) {
			t.Errorf("%d right: %s, %q; want %s", right, f.text(), f.Notes, want)
		}
	}
	// Its settings count where its run does.
	for right, want := range map[int]string{300: "agrees, 2 of 4", 560: "differs*, 2 of 4"} {
		ut := hit("pai4", "ut", right)
		ut.Record.Model.Config = map[string]any{"position": false}
		if f := finding(t, append(slices.Clone(runs), ut), "Hardest query of 4", "MEMO alone"); f.text() != want {
			t.Errorf("%d right: %s, want %s", right, f.text(), want)
		}
	}
}

// Errors are compared in proportion, and their interval has the test questions of all tasks.
func TestVerdictsOfErrors(t *testing.T) {
	for wrong, want := range map[int]string{2: "agrees, -0.01 ± 0.06", 4: "higher, +0.19 ± 0.09", 20: "higher, +1.79 ± 0.19"} {
		var kinds []string
		var right []int
		for k := range 20 {
			kinds, right = append(kinds, fmt.Sprint(k+1)), append(right, 1000-wrong)
		}
		run := fakeRun("babi", "memo", 0, kinds, right...)
		for k := range run.Record.Evaluation.Kinds {
			run.Record.Evaluation.Kinds[k].Total = 1000
		}
		f := finding(t, seeds(run), "bAbI", "MEMO")
		if f.text() != want {
			t.Errorf("%d wrong of 1000: %s, want %s", wrong, f.text(), want)
		}
		if tally := Tally([]Finding{f}); strings.Contains(tally, "worse: 1") != (f.Verdict == higher) {
			t.Error(tally)
		}
	}
}

// Numbers of smaller data are shown without a verdict.
func TestSmallerDataGiveNoVerdict(t *testing.T) {
	small := func(model string, right int) results.Run {
		r := hit("pai3", model, right)
		r.Record.Dataset.Caveats = append(r.Record.Dataset.Caveats, record.Caveat{Kind: record.ReducedSize, Text: "reduced: 100 classes, 8 sequences", Brief: "reduced"})
		return withProtocol(r, "small")
	}
	runs := seeds(small("memo", 590), small("emn", 300))
	for claim, want := range map[string]string{"MEMO": "98.3", "EMN": "50.0", "order": "MEMO>EMN"} {
		f := finding(t, runs, "Hardest query of 3", claim)
		have := f.Here.Words
		if f.Here.State == Number {
			have = fmt.Sprintf("%.1f", f.Here.Mean)
		}
		if f.Verdict != noVerdict || f.Difference != nil || have != want {
			t.Errorf("%s: %s, %q, difference %v; want %s and no verdict", claim, have, f.Verdict, f.Difference, want)
		}
	}
}

// Without runs every claim has the command that would give its number, and no verdict.
func TestNothingIsFoundWithoutRuns(t *testing.T) {
	table, list := Findings(nil)
	if err := table.Validate(); err != nil || len(list) < 40 {
		t.Fatalf("%d findings, %v", len(list), err)
	}
	for _, f := range list {
		if f.Verdict != notRun || f.Difference != nil || f.Here.State == Number || f.Here.State == Missing && !strings.HasPrefix(f.Here.Fill, "memobench train --model ") {
			t.Errorf("%s, %s: %+v", f.Part, f.Claim, f)
		}
	}
}

// Counts are of 600, for MEMO, DNC, UT and EMN; 0 is a system without runs.
func TestVerdictsOfOrders(t *testing.T) {
	for _, c := range []struct {
		name, task string
		right      [4]int
		want       Verdict
		here       string
	}{
		{"as in the paper", "pai3", [4]int{598, 570, 500, 360}, agrees, "MEMO>DNC>UT>EMN"},
		{"the same as it nearly is there", "pai3", [4]int{595, 590, 500, 360}, agrees, "MEMO≈DNC>UT>EMN"},
		{"farther apart than there", "pai3", [4]int{595, 540, 500, 360}, agrees, "MEMO>DNC>UT>EMN"},
		{"another is best", "pai3", [4]int{540, 598, 500, 360}, differs, "DNC>MEMO>UT>EMN"},
		{"two fail that lie apart there", "pai3", [4]int{595, 575, 305, 300}, differs, "MEMO≈DNC>UT≈EMN"},
		{"swapped", "pai3", [4]int{595, 575, 320, 400}, differs, "MEMO≈DNC>EMN>UT"},
		{"one missing", "pai3", [4]int{595, 0, 500, 360}, agrees, "MEMO>UT>EMN"},
		{"MEMO missing", "pai3", [4]int{0, 590, 500, 360}, notRun, "DNC>UT>EMN"},
		{"MEMO by itself", "pai3", [4]int{595, 0, 0, 0}, notRun, "–"},
		{"all others guess", "pai4", [4]int{590, 310, 290, 300}, agrees, "MEMO>DNC≈EMN≈UT"},
		{"one does not", "pai4", [4]int{590, 480, 290, 300}, differs, "MEMO>DNC>EMN≈UT"},
		{"MEMO guesses", "pai4", [4]int{330, 300, 290, 300}, differs, "MEMO≈DNC≈EMN≈UT"},
	} {
		var runs []results.Run
		for i, model := range []string{"memo", "dnc", "ut", "emn"} {
			if c.right[i] > 0 {
				runs = append(runs, seeds(hit(c.task, model, c.right[i]))...)
			}
		}
		claim := map[string]string{"pai3": "order", "pai4": "MEMO alone"}[c.task]
		f := finding(t, runs, "Hardest query of "+c.task[3:], claim)
		if f.Verdict != c.want || f.Here.String() != c.here || f.Systems != len(runs)/3 || f.Of != 4 {
			t.Errorf("%s: %s of %d, %q; want %s, %q", c.name, f.Verdict, f.Systems, f.Here.String(), c.want, c.here)
		}
	}
	f := finding(t, append(seeds(hit("pai3", "memo", 595), hit("pai3", "ut", 500)), hit("pai3", "emn", 300)), "Hardest query of 3", "order")
	if f.text() != "agrees, 2 of 4" || !slices.Contains(f.Notes, "Not run in this protocol: DNC.") || !slices.Contains(f.Notes, "One seed decides no order: EMN.") {
		t.Errorf("%s, %q", f.text(), f.Notes)
	}
}

// A system that only has runs with another protocol has its number with a label, and is
// not in the order; if another protocol has more systems, it has a separate order.
func TestProtocolsAreNotMixedInAFinding(t *testing.T) {
	long := seeds(steps(hit("pai3", "memo", 595), 9000), steps(hit("pai3", "emn", 300), 9000))
	short := steps(hit("pai3", "dnc", 598), 500)
	runs := append(slices.Clone(long), seeds(short)...)
	f := finding(t, runs, "Hardest query of 3", "DNC")
	if f.Claim != "DNC: 500 steps" || f.Protocol != "500-steps" || f.Verdict != higher && f.Verdict != lower && f.Verdict != agrees ||
		!strings.Contains(strings.Join(f.Notes, " "), "500 steps (paper: not stated)") {
		t.Errorf("%+v", f)
	}
	if f := finding(t, runs, "Hardest query of 3", "order"); f.Here.String() != "MEMO>EMN" || f.Verdict != agrees || f.Protocol != "9000-steps" || f.Systems != 2 {
		t.Errorf("%+v", f)
	}
	for model, right := range map[string]int{"memo": 400, "ut": 500, "emn": 360} {
		runs = append(runs, seeds(steps(hit("pai3", model, right), 500))...)
	}
	if f := finding(t, runs, "Hardest query of 3", "MEMO"); f.Claim != "MEMO" || f.Protocol != "9000-steps" {
		t.Errorf("not of the most steps: %+v", f)
	}
	f = finding(t, runs, "Hardest query of 3", "order: 500 steps")
	if f.Here.String() != "DNC>UT>MEMO≈EMN" || f.Verdict != differs || f.Systems != 4 {
		t.Errorf("%s: %q", f.Verdict, f.Here.String())
	}
}

// Data of the paper's sizes come before reduced ones with more steps, and an unchanged
// preset before a changed one.
func TestTheNearestToThePaperDecides(t *testing.T) {
	small := steps(hit("pai3", "memo", 300), 90_000)
	small.Record.Dataset.Caveats = append(small.Record.Dataset.Caveats, record.Caveat{Kind: record.ReducedSize, Text: "reduced: 100 classes, 8 sequences", Brief: "reduced"})
	small.Record.Dataset.Hash = "small"
	changed := steps(hit("pai3", "memo", 400), 50_000)
	changed.Record.Identity.Overrides = []string{"protocol.steps=50000"}
	plain := steps(hit("pai3", "memo", 590), 12_000)
	for _, c := range []struct {
		runs []results.Run
		want string
	}{{[]results.Run{small, changed, plain}, "12000-steps"}, {[]results.Run{small, changed}, "50000-steps"}, {[]results.Run{small}, "90000-steps"}} {
		f := finding(t, c.runs, "Hardest query of 3", "MEMO")
		table := specTable(t, 1, c.runs)
		first := at(t, table, "3 items", "A-C", "MEMO", paper.Measured)
		if f.Protocol != c.want {
			t.Errorf("%d runs: decided by %s, want %s", len(c.runs), f.Protocol, c.want)
		}
		if f.Here.Mean != first.Mean {
			t.Errorf("%d runs: %v, and Table 1 begins with %v", len(c.runs), f.Here.Mean, first.Mean)
		}
	}
}

// Of two variants of a system that with the lower loss is used, whatever its accuracy.
func TestVariantsAreChosenByLoss(t *testing.T) {
	four, ten := curved(hit("pai3", "emn", 300), 0.2), curved(hit("pai3", "emn", 500), 0.4)
	four.Record.Identity.Label, ten.Record.Identity.Label = "emn4", "emn10"
	ten.Path = "runs/ten/record.json"
	if f := finding(t, []results.Run{four, ten}, "Hardest query of 3", "EMN"); f.Here.Mean != 50 || f.Here.N != 1 || !slices.Contains(f.Notes, "EMN: runs of emn10 are not counted here.") {
		t.Errorf("%+v", f)
	}
	// The system's own label comes before any loss.
	own, learned := curved(hit("pai3", "memo", 590), 0.4), curved(hit("pai3", "memo", 300), 0.2)
	learned.Record.Identity.Label, learned.Path = "memo-reinforce", "runs/learned/record.json"
	if f := finding(t, []results.Run{learned, own}, "Hardest query of 3", "MEMO"); f.Here.Mean != 100*590.0/600 || f.Here.N != 1 {
		t.Errorf("%+v", f)
	}
}

func TestVerdictsOfShortestPaths(t *testing.T) {
	path := func(model string, one, two int) results.Run {
		return fakePath("sp20-5-3", model, 0, false, one, two, min(one, two), two)
	}
	for _, c := range []struct {
		runs []results.Run
		want Verdict
		here string
	}{
		{[]results.Run{path("memo", 560, 560), path("emn", 120, 100), path("dnc", 180, 170), path("ut", 170, 300)}, agrees, "MEMO>DNC≈UT>EMN"},
		{[]results.Run{path("memo", 300, 560), path("emn", 400, 100)}, differs, "EMN>MEMO"},
		{[]results.Run{path("memo", 300, 300), path("ut", 295, 300)}, differs, "MEMO≈UT"},
		{[]results.Run{path("ut", 300, 300), path("dnc", 295, 300)}, notRun, "UT≈DNC"},
	} {
		f := finding(t, seeds(c.runs...), "Shortest paths, 20-5-3", "MEMO above the others, node 1")
		if f.Verdict != c.want || f.Here.String() != c.here {
			t.Errorf("%s, %q; want %s, %q", f.Verdict, f.Here.String(), c.want, c.here)
		}
	}
	// The paper's second node of EMN is a different question.
	f := finding(t, []results.Run{path("emn", 120, 100)}, "Shortest paths, 20-5-3", "EMN, node 2")
	if f.Verdict != noVerdict || f.Difference != nil || f.Here.State != Number {
		t.Errorf("%+v", f)
	}
}

func TestVerdictsOfAblations(t *testing.T) {
	without := func(label, memory string, recurrent bool, right int) results.Run {
		r := hit("pai3", "memo", right)
		r.Record.Identity.Label, r.Path = label, "runs/"+label+"/record.json"
		r.Record.Model.Config = map[string]any{"memory": memory, "recurrent": recurrent, "layer_norm": "head", "halting": "fixed"}
		return r
	}
	whole := without("memo", "separate", true, 595)
	for _, c := range []struct {
		other       results.Run
		claim, here string
		want        Verdict
	}{
		{without("memo-posenc", "summed", true, 310), "separate words", "99.2 > 51.7", agrees},
		{without("memo-posenc", "summed", true, 590), "separate words", "99.2 ≈ 98.3", differs},
		{without("memo-norec", "separate", false, 540), "recurrent attention", "99.2 > 90.0", agrees},
		{without("memo-norec", "separate", false, 540), "separate words", "–", notRun},
		{steps(without("memo-posenc", "summed", true, 310), 70), "separate words", "–", notRun},
	} {
		f := finding(t, seeds(whole, c.other), "MEMO without", c.claim+" ")
		if strings.HasSuffix(f.Claim, "attention") { // a row with a number, not a claim
			f = finding(t, seeds(whole, c.other), "MEMO without", c.claim+map[string]string{"separate words": " are", "recurrent attention": " is"}[c.claim])
		}
		if f.Verdict != c.want || f.Here.String() != c.here {
			t.Errorf("%s: %s, %q; want %s, %q", c.claim, f.Verdict, f.Here.String(), c.want, c.here)
		}
		feedsBack := strings.Contains(strings.Join(f.Notes, " "), "still feeds back what it read")
		if want := strings.HasPrefix(f.Claim, "recurrent attention is needed"); feedsBack != want {
			t.Errorf("%s: notes %q", f.Claim, f.Notes)
		}
	}
}

// Deviations of shortest paths are printed as fractions, and used as points.
func TestFractionsArePoints(t *testing.T) {
	run := fakePath("sp20-3-3", "memo", 0, false, 600, 540, 540, 540)
	f := finding(t, seeds(run), "Shortest paths, 20-3-3", "MEMO, node 2")
	if h, known := f.Paper.HalfWidth(); !known || math.Abs(h-2.776*3/math.Sqrt(5)) > 0.01 || f.Paper.SD != 0.03 || f.text() != "agrees, -3.0 ± 4.4" {
		t.Errorf("%s, half width %g of %+v", f.text(), h, f.Paper)
	}
}

// A number of a finding is in the table that it names.
func TestFindingsAreNumbersOfTheirTables(t *testing.T) {
	runs := slices.Concat(fakePAI(), fakePaths("sp20-3-3", false), fakePaths("sp20-5-3", false),
		[]results.Run{halts("pai3", "reinforce", 590, 2), halts("pai4", "act", 590, 3), steps(hit("pai3", "ut", 500), 77), hit("pai4", "dnc", 310)})
	cells := map[string][]Cell{}
	for _, s := range slices.Concat(paper.Specs(), paper.OwnSpecs()) {
		table := Fill(&s, results.Deduplicate(runs))
		for _, c := range table.Cells() {
			cells[table.ID] = append(cells[table.ID], c)
		}
	}
	_, list := Findings(results.Deduplicate(runs))
	n := 0
	for _, f := range list {
		for _, c := range []Cell{f.Here, f.Paper} {
			if c.State != Number || f.Table == "table-b" && c.N == 0 { // of Table 1
				continue
			}
			n++
			if !slices.ContainsFunc(cells[f.Table], func(o Cell) bool {
				return o.State == Number && math.Abs(o.Mean-c.Mean) < 1e-12 && o.N == c.N && o.SD == c.SD
			}) {
				t.Errorf("%s, %s: %s is not in %s", f.Part, f.Claim, c, f.Table)
			}
		}
	}
	if n < 40 {
		t.Errorf("%d numbers", n)
	}
}

// halts returns a run with a learned number of hops.
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
		{"rise", []results.Run{three, halts("pai4", "reinforce", 580, 2.9), halts("pai5", "reinforce", 520, 4.1)}, agrees, "2.00, 2.90, 4.10"},
		{"two lengths", []results.Run{three, halts("pai5", "reinforce", 520, 4.1)}, agrees, "2.00, 4.10"},
		{"fall between", []results.Run{three, halts("pai4", "reinforce", 580, 1.9), halts("pai5", "reinforce", 520, 4.1)}, differs, "2.00, 1.90, 4.10"},
		{"stay", []results.Run{three, halts("pai4", "reinforce", 580, 2), halts("pai5", "reinforce", 520, 2.05)}, differs, "2.00, 2.00, 2.05"},
		{"rise without answers", []results.Run{three, halts("pai4", "reinforce", 300, 3), halts("pai5", "reinforce", 300, 4)}, differs, "2.00, (3.00), (4.00)"},
		{"other sizes", []results.Run{three, reduced}, differs, "2.00, (3.00)"},
		{"one without answers", []results.Run{three, halts("pai4", "reinforce", 580, 2.9), halts("pai5", "reinforce", 300, 1.8)}, agrees, "2.00, 2.90, (1.80)"},
		{"one length", []results.Run{three}, notRun, "–"},
		{"another way", []results.Run{halts("pai3", "act", 590, 2), halts("pai5", "act", 590, 4)}, notRun, "–"},
	} {
		if f := finding(t, seeds(c.runs...), "Halting by REINFORCE", "hops adapt"); f.Verdict != c.want || f.Here.String() != c.here {
			t.Errorf("%s: %s, %q; want %s, %q", c.name, f.Verdict, f.Here.String(), c.want, c.here)
		}
	}
	// Of several settings those with the lowest loss are used, as in the paper.
	low, high := curved(halts("pai3", "reinforce", 300, 1), 0.1), curved(halts("pai3", "reinforce", 590, 2), 0.2)
	low.Record.Model.Config["beta"] = 0.1
	low.Record.Identity.Overrides, high.Record.Identity.Overrides = []string{"model.beta=0.1"}, []string{"model.beta=0.001"}
	if f := finding(t, seeds(high, low), "Halting by REINFORCE", "3 items, hops"); f.Here.Mean != 1 {
		t.Errorf("of the lowest loss: %+v", f.Here)
	}
	curved(low, 0.3)
	if f := finding(t, seeds(high, low), "Halting by REINFORCE", "3 items, hops"); f.Here.Mean != 2 || f.Verdict != noVerdict {
		t.Errorf("of the lowest loss: %+v", f.Here)
	}
	if f := finding(t, seeds(high, low), "Halting by REINFORCE", "3 items, A-C"); f.Verdict != agrees {
		t.Errorf("accuracy: %+v", f)
	}
	// What settings nearer to the paper's have is in a note.
	high.Record.Model.Config["gamma"], low.Record.Model.Config["gamma"] = 1.0, 0.9
	low.Record.Identity.Overrides = append(low.Record.Identity.Overrides, "model.gamma=0.9")
	table, _ := Findings(results.Deduplicate(seeds(high, low)))
	want := "Nearer to the paper's settings, at a higher loss: beta=0.1 gamma=0.9 has 50.0 ± 0.0 (3)."
	if !strings.Contains(strings.Join(table.Notes, "\n"), want) {
		t.Errorf("no note %q in %q", want, table.Notes)
	}
	high.Record.Model.Config["gamma"] = 0.9
	if table, _ := Findings(results.Deduplicate(seeds(high, low))); strings.Contains(strings.Join(table.Notes, ""), "Nearer") {
		t.Errorf("none is nearer: %q", table.Notes)
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
		{"more", seeds(of(590, 1200, 1800)), agrees, "2.00, 3.00"},
		{"one seed", []results.Run{of(590, 1200, 1800)}, oneSeed, "2.00, 3.00"},
		{"hardly more", seeds(of(590, 1200, 1230)), differs, "2.00, 2.05"},
		{"fewer", seeds(of(590, 1800, 1200)), differs, "3.00, 2.00"},
		{"seeds farther apart than the queries of each", []results.Run{of(590, 1200, 1500), of(590, 1800, 2100)}, agrees, "2.50, 3.00"},
		{"seeds that differ", []results.Run{of(590, 1200, 1500), of(590, 1800, 1900)}, undecided, "2.50, 2.83"},
		{"hardest not answered", []results.Run{of(300, 1200, 1800)}, noVerdict, "2.00, 3.00"},
		{"not told", []results.Run{halts("pai4", "reinforce", 590, 3)}, noVerdict, "–"},
		{"direct ones not told", []results.Run{half}, noVerdict, "–"},
		{"not run", []results.Run{halts("pai5", "reinforce", 590, 3)}, notRun, "–"},
	} {
		f := finding(t, c.runs, "Halting by REINFORCE", "4 items, hops adapt to the query")
		if f.Verdict != c.want || f.Here.String() != c.here {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, f.Verdict, f.Here.String(), c.want, c.here)
		}
		if want := "Direct: 2.50 ± 0.71 (2); A-D: 3.00 ± 0.71 (2)."; (c.here == "2.50, 3.00") != slices.Contains(f.Notes, want) {
			t.Errorf("%s: notes %q", c.name, f.Notes)
		}
	}
}
