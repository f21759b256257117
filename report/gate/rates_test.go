package gate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"memobench/report/compare/hypothesis"
	"memobench/report/compare/results"
)

// seedPool is 40 seeds of MEMO and EMN on quick's PAI.
const seedPool = "../../benchmarks/recorded/seeds/pai3.txt"

// injection is a drop of some cells.
type injection struct {
	what   string
	margin string                        // other than the default
	drops  func(c *results.Cell) float64 // points
}

// dropped returns an injection into the accuracies of one model: of the given
// kinds of question, and of their mean.
func dropped(what, model string, points float64, kinds ...string) injection {
	return injection{what: what, drops: func(c *results.Cell) float64 {
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
	{what: "none: A against A", drops: func(*results.Cell) float64 { return 0 }},
	{what: "none, and no margin: any drop counts", drops: func(*results.Cell) float64 { return 0 }, margin: "0"},
	dropped("2 points of MEMO, A-C alone", "memo", 2, "A-C"),
	dropped("2 points of MEMO, all kinds", "memo", 2, "A-B", "B-C", "A-C"),
	dropped("2 points of EMN, A-C alone", "emn4", 2, "A-C"),
	dropped("2 points of EMN, all kinds", "emn4", 2, "A-B", "B-C", "A-C"),
	dropped("4 points of EMN, A-C alone", "emn4", 4, "A-C"),
}

// poolRounds is how many comparisons each rate is of.
const poolRounds = 300

// poolRates draws two sets of n seeds, no seed in both, as often as poolRounds says,
// injects a drop into the second and returns the shares of verdicts.
func poolRates(t *testing.T, pool *results.Set, n int, in injection) map[Verdict]float64 {
	t.Helper()
	rng := rand.New(rand.NewPCG(2020, uint64(n)))
	share := map[Verdict]float64{}
	o := Defaults()
	if in.margin != "" {
		for unit := range o.Margins {
			if err := o.SetMargin(unit + "=" + in.margin); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range poolRounds {
		order := rng.Perm(pool.Groups[0].Runs)
		a, b := pool.Draw(order[:n]), pool.Draw(order[n:2*n])
		for _, c := range b.Cells {
			drop := in.drops(c)
			for i := range c.Samples {
				s := &c.Samples[i]
				s.Value -= drop
				for k := range s.Counts {
					s.Counts[k].Right -= int(math.Round(drop / 100 * float64(s.Counts[k].Total)))
				}
			}
		}
		r, err := Check(a, b, o)
		if err != nil {
			t.Fatal(err)
		}
		share[r.Verdict] += 1.0 / poolRounds
	}
	return share
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

// The rates that README.md states: false alarms on sets drawn from the same seeds,
// and how often a drop is found.
func TestRates(t *testing.T) {
	pool, err := results.Read(seedPool)
	if err != nil {
		t.Fatal(err)
	}
	addCounts(pool)
	sizes := []int{1, 3, 5, 10}
	var rows []string
	for i, in := range injections {
		row := "| " + in.what
		for _, n := range sizes {
			share := poolRates(t, pool, n, in)
			row += fmt.Sprintf(" | %.1f / %.1f", 100*share[Fail], 100*share[Inconclusive])
			if i == 0 && share[Fail] >= 0.05 {
				t.Errorf("%d seeds: false alarms in a share of %v", n, share[Fail])
			}
			if i > 1 && n == 10 && share[Fail] < 0.75 {
				t.Errorf("%d seeds: %s is found in a share of %v", n, in.what, share[Fail])
			}
		}
		rows = append(rows, row+" |")
		t.Log(rows[i])
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if table := strings.Join(rows, "\n"); !strings.Contains(string(readme), table) {
		t.Errorf("README.md does not have these rates:\n%s", table)
	}
}
