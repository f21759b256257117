//go:build !race

// Ten times slower under the race detector, and without goroutines.

package gate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/report/compare/hypothesis"
	"memobench/report/results"
)

// seedPool is 40 seeds of MEMO and EMN on quick's PAI.
const seedPool = "../../benchmarks/recorded/seeds/pai3.txt"

// injection is a drop of some cells, nil for none.
type injection struct {
	what   string
	drops  func(c *results.Cell) float64 // points
	margin string                        // other than the default
	only   string                        // label of the one cell that is evaluated, empty for all
	learns [2]float64                    // probability that a seed of A and of B learns, 0 for 1; one that does not ends at half its accuracy
}

// dropped returns an injection into the accuracies of one model: of the given
// kinds of question, and of their mean.
func dropped(what, model string, points float64, kinds ...string) injection {
	return injection{what: fmt.Sprintf("%g point%s of %s", points, map[bool]string{false: "s"}[points == 1], what), drops: func(c *results.Cell) float64 {
		if c.Part("model") != model || !results.IsAccuracy(c.Unit) {
			return 0
		}
		for _, k := range kinds {
			if c.Part("kind") == k {
				return points
			}
		}
		if c.Part("kind") == "all" {
			return points * float64(len(kinds)) / 3
		}
		return 0
	}}
}

var injections = []injection{
	{what: "none: A against A"},
	{what: "none, and no margin: any drop counts", margin: "0"},
	{what: "none: seeds learn with probability 0.8", learns: [2]float64{0.8, 0.8}},
	{what: "none: seeds learn with probability 0.8, one cell checked", learns: [2]float64{0.8, 0.8}, only: "pai3 memo A-C accuracy"},
	dropped("MEMO, A-C alone", "memo", 0.5, "A-C"),
	dropped("MEMO, all kinds", "memo", 0.5, "A-B", "B-C", "A-C"),
	dropped("MEMO, A-C alone", "memo", 1, "A-C"),
	dropped("MEMO, all kinds", "memo", 1, "A-B", "B-C", "A-C"),
	dropped("EMN, A-C alone", "emn4", 1, "A-C"),
	dropped("EMN, all kinds", "emn4", 1, "A-B", "B-C", "A-C"),
	dropped("MEMO, A-C alone", "memo", 2, "A-C"),
	dropped("MEMO, all kinds", "memo", 2, "A-B", "B-C", "A-C"),
	dropped("EMN, A-C alone", "emn4", 2, "A-C"),
	dropped("EMN, all kinds", "emn4", 2, "A-B", "B-C", "A-C"),
	dropped("EMN, A-C alone", "emn4", 4, "A-C"),
	{what: "seeds learn with probability 0.4, no longer 0.8", learns: [2]float64{0.8, 0.4}},
	{what: "seeds learn with probability 0, no longer 0.8", learns: [2]float64{0.8, 1e-9}},
}

// rounds is the number of comparisons per rate: false alarms are rare.
func (in *injection) rounds() int {
	switch {
	case in.only != "":
		return 10000
	case in.null():
		return 1000
	}
	return 300
}

// null reports whether a fail is a false alarm.
func (in *injection) null() bool { return in.drops == nil && in.learns[0] == in.learns[1] }

// apply changes a set that was drawn, whose runs learn with the given probability.
func (in *injection) apply(s *results.Set, learns float64, rng *rand.Rand) {
	learned := map[string][]bool{} // by model
	for _, c := range s.Cells {
		model := c.Part("model")
		for i := range c.Samples {
			if len(learned[model]) == i {
				learned[model] = append(learned[model], learns == 0 || rng.Float64() < learns)
			}
			sample, drop := &c.Samples[i], 0.0
			if in.drops != nil {
				drop = in.drops(c)
			}
			if !learned[model][i] && results.IsAccuracy(c.Unit) {
				drop = sample.Value / 2
			}
			sample.Value -= drop
			for k := range sample.Counts {
				sample.Counts[k].Right -= int(math.Round(drop / 100 * float64(sample.Counts[k].Total)))
			}
		}
	}
}

// poolRates draws two sets of n seeds, no seed in both, injects a drop into the
// second and returns the shares of verdicts.
func poolRates(t *testing.T, pool *results.Set, n int, in *injection) map[Verdict]float64 {
	t.Helper()
	rng := rand.New(rand.NewPCG(2020, uint64(n)))
	share := map[Verdict]float64{}
	o := Defaults()
	if in.margin != "" {
		for unit := range o.Margins {
			must.Do(t, o.SetMargin(unit+"="+in.margin))
		}
	}
	for _, c := range pool.Cells {
		if c.Label() == in.only {
			pool = pool.Only(c.Key)
			break
		}
	}
	none := injection{}
	for range in.rounds() {
		order := rng.Perm(pool.Groups[0].Runs)
		a, b := drawn(pool, order[:n]), drawn(pool, order[n:2*n])
		none.apply(a, in.learns[0], rng)
		in.apply(b, in.learns[1], rng)
		r := must.Get(Check(a, b, o))(t)
		share[r.Verdict] += 1 / float64(in.rounds())
	}
	return share
}

// drawn returns a copy with the runs of the given indices, without cells that lack them.
func drawn(pool *results.Set, runs []int) *results.Set {
	to := pool.Copy()
	for _, c := range to.Cells {
		var samples []results.Sample
		for _, i := range runs {
			if i < len(c.Samples) {
				samples = append(samples, c.Samples[i])
			}
		}
		c.Samples = samples
	}
	to.Cells = slices.DeleteFunc(to.Cells, func(c *results.Cell) bool { return len(c.Samples) == 0 })
	for _, g := range to.Groups {
		g.Runs = len(runs)
	}
	return to
}

// addCounts gives the pool's samples the counts that records have, so that single
// runs can be compared: 1000 questions of each kind.
func addCounts(pool *results.Set) {
	const questions = 1000
	byKind := map[string][][]hypothesis.Count{} // model and unit -> kinds -> runs
	key := func(c *results.Cell) string { return c.Part("model") + " " + c.Unit }
	for _, c := range pool.Cells {
		if !results.IsAccuracy(c.Unit) || c.Part("kind") == "all" {
			continue
		}
		var runs []hypothesis.Count
		for i := range c.Samples {
			n := hypothesis.Count{Right: int(math.Round(c.Samples[i].Value / 100 * questions)), Total: questions}
			c.Samples[i].Counts = []hypothesis.Count{n}
			runs = append(runs, n)
		}
		byKind[key(c)] = append(byKind[key(c)], runs)
	}
	for _, c := range pool.Cells {
		if c.Part("kind") != "all" {
			continue
		}
		for _, runs := range byKind[key(c)] {
			for i := range c.Samples {
				c.Samples[i].Counts = append(c.Samples[i].Counts, runs[i])
			}
		}
	}
}

// The rates that docs/gate.md states: false alarms on sets drawn from the same seeds,
// and how often a drop is found.
func TestRates(t *testing.T) {
	pool := must.Get(results.Read(seedPool))(t)
	addCounts(pool)
	sizes := []int{1, 3, 5, 10}
	var rows []string
	for i, in := range injections {
		row := "| " + in.what
		for _, n := range sizes {
			share := poolRates(t, pool, n, &in)
			row += fmt.Sprintf(" | %.1f / %.1f", 100*share[Fail], 100*share[Inconclusive])
			if in.null() && share[Fail] >= 0.05 && (n > 1 || in.learns[0] == 0) {
				t.Errorf("%d seeds, %s: false alarms in a share of %v", n, in.what, share[Fail])
			}
			if (strings.HasPrefix(in.what, "2 ") || strings.HasPrefix(in.what, "4 ")) && n == 10 && share[Fail] < 0.75 {
				t.Errorf("%d seeds: %s is found in a share of %v", n, in.what, share[Fail])
			}
		}
		rows = append(rows, row+" |")
		t.Log(rows[i])
	}
	guide := must.Get(os.ReadFile("../../docs/gate.md"))(t)
	if table := strings.Join(rows, "\n"); !strings.Contains(string(guide), table) {
		t.Errorf("docs/gate.md does not have these rates:\n%s", table)
	}
}
