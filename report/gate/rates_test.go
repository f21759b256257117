package gate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/results"
)

// drawn returns runs of the pool, with the accuracy of MEMO on A-C lower by some points.
func drawn(t *testing.T, pool [][]recorded, seeds []int, drop float64) *Set {
	t.Helper()
	var list []recorded
	for _, runs := range pool {
		for _, seed := range seeds {
			r := *runs[seed].Record
			r.Evaluation.Kinds = slices.Clone(r.Evaluation.Kinds)
			if k := &r.Evaluation.Kinds[2]; r.Identity.Name == "memo" {
				lost := int(math.Round(drop / 100 * float64(k.Total)))
				k.Correct, k.ChoiceCorrect = k.Correct-lost, new(*k.ChoiceCorrect-lost)
			}
			list = append(list, recorded{Record: &r, Predictions: runs[seed].Predictions})
		}
	}
	return recordSet(t, list)
}

// seedPool returns 40 seeds of MEMO and EMN on PAI with the sizes of the study quick, as
// records with 1000 questions of each kind.
func seedPool(t *testing.T) (pool [][]recorded) {
	t.Helper()
	for _, g := range must.Get(Read("../../benchmarks/recorded/seeds/pai3.txt"))(t).groups {
		var runs []recorded
		for seed, of := range g.runs {
			run := runOf(uint64(seed), 0)
			r := run.Record
			r.Identity.Name, r.Evaluation.Kinds = g.name, nil
			for _, kind := range []string{"A-B", "B-C", "A-C"} {
				count := func(m record.Metric) int { return int(math.Round(10 * of.values[number{kind, "", m.Name, m.Better}])) }
				r.Evaluation.Kinds = append(r.Evaluation.Kinds, record.Kind{Name: kind, Total: 1000, Correct: count(record.Accuracy), ChoiceCorrect: new(count(record.ChoiceAccuracy))})
			}
			runs = append(runs, run)
		}
		pool = append(pool, runs)
	}
	return pool
}

// Cells of the table in docs/gate.md, of two sets of seeds without a common one: A against A
// fails in fewer than five cases in a hundred, and an injected drop of two points never passes.
func TestRates(t *testing.T) {
	pool := seedPool(t)
	guide := string(must.Get(os.ReadFile("../../docs/gate.md"))(t))
	column := map[int]int{3: 3, 5: 4} // by number of seeds
	for _, injected := range []struct {
		what   string
		drop   float64
		rounds int
	}{{"none: A against A", 0, 1000}, {"2 points of MEMO, A-C alone", 2, 300}} {
		row := regexp.MustCompile(`(?m)^\| ` + injected.what + ` .*$`).FindString(guide)
		for n := range column {
			rng := rand.New(rand.NewPCG(2020, uint64(n)))
			count := map[Verdict]int{}
			for range injected.rounds {
				order := rng.Perm(40)
				r := must.Get(Check(Defaults(), drawn(t, pool, order[:n], 0), drawn(t, pool, order[n:2*n], injected.drop)))(t)
				count[r.Verdict]++
			}
			perCent := 100 / float64(injected.rounds)
			text := fmt.Sprintf(" %.1f / %.1f ", perCent*float64(count[Fail]), perCent*float64(count[Inconclusive]))
			if cells := strings.Split(row, "|"); len(cells) < 6 || cells[column[n]] != text {
				t.Errorf("%d seeds: %q is not %s in docs/gate.md: %s", n, injected.what, text, row)
			}
			if injected.drop == 0 && count[Fail] > injected.rounds/20 || injected.drop > 0 && count[Pass] > 0 {
				t.Errorf("%d seeds, %s: %v", n, injected.what, count)
			}
		}
	}
}

// The sentence in docs/gate.md about sets of ten seeds of the study gate, without a change of the
// code: each of the ten recorded sets is compared with the next and with the third after it.
func TestGateStudyWithoutAChange(t *testing.T) {
	sets := map[int][]recorded{}
	for _, r := range must.Get(results.Read("../../benchmarks/recorded/gate"))(t).Runs {
		if seed := r.Record.Identity.Seed; seed >= 100 { // the first ten are the study's own
			n := int(seed-100) / 10
			sets[n] = append(sets[n], recorded{Record: r.Record})
		}
	}
	count := map[Verdict]int{}
	for n := range 10 {
		for _, later := range []int{1, 3} {
			r := must.Get(Check(Defaults(), recordSet(t, sets[n]), recordSet(t, sets[(n+later)%10])))(t)
			count[r.Verdict]++
		}
	}
	if count[Fail] != 0 || count[Pass]+count[Inconclusive] != 20 {
		t.Errorf("verdicts %v", count)
	}
	guide := strings.Join(strings.Fields(string(must.Get(os.ReadFile("../../docs/gate.md"))(t))), " ")
	want := fmt.Sprintf("none of 20 comparisons failed; %d passed, and %d were inconclusive.", count[Pass], count[Inconclusive])
	if !strings.Contains(guide, want) {
		t.Errorf("docs/gate.md does not say %q", want)
	}
}
