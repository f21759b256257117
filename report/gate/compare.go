// Package gate compares two sets of results: Compare lists differences with their intervals,
// Check says whether the second side has regressed.
//
// What comes in: two Sets, of records or of results in the Go benchmark format. What goes
// out: a Report, written as text, JSON or GitHub annotations. Numbers are paired by what the
// records declare: task, name, kind, answer and metric. Runs under another protocol or on
// other data are not compared; the error names the keys that differ.
//
// Check fails if
//
//   - a mean drops by more than its margin, and p is at most alpha after Benjamini and
//     Hochberg's adjustment over all numbers; or
//   - a run is beyond an absolute floor; or
//   - more runs than in the baseline diverged, were stopped or are missing; or
//   - a number of the baseline is missing.
//
// Too little evidence is not a pass: a number passes if the runs of both sides are the same,
// or if a drop of the margin would have been detected. Otherwise it is inconclusive, and so
// is the overall verdict unless something fails.
package gate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"memobench/benchmarks/record"
)

// Report is the comparison of two sets.
type Report struct {
	A           string       `json:"baseline"` // paths
	B           string       `json:"results"`
	Verdict     Verdict      `json:"verdict,omitempty"` // of a check
	Options     *Options     `json:"options,omitempty"` // of a check
	Differences []Difference `json:"differences"`
	Failures    []string     `json:"failures,omitempty"` // of a check: missing numbers, more failed or missing runs than in the baseline
	Slower      []string     `json:"slower,omitempty"`   // of a check: runs that needed more training steps
	OnlyA       []string     `json:"only_baseline,omitempty"`
	OnlyB       []string     `json:"only_results,omitempty"`
	Notes       []string     `json:"notes,omitempty"`
}

// Difference is a number of both sets.
type Difference struct {
	Task string `json:"task"`
	Name string `json:"name"`
	number
	A summary `json:"baseline"`
	B summary `json:"results"`

	Same    bool      `json:"same_runs"`         // all numbers of these runs are the same on both sides, times aside
	Change  change    `json:"change"`            // of the means
	Paired  *change   `json:"paired,omitempty"`  // mean of the differences of equal seeds; absent without two such seeds
	Answers []answers `json:"answers,omitempty"` // absent where answers were not kept

	*Finding // of a check

	a, b []*run
}

// summary is the values of one side.
type summary struct {
	N    int      `json:"n"` // runs
	Mean float64  `json:"mean"`
	SD   *float64 `json:"sd,omitempty"` // sample standard deviation; absent for one run
}

// change is a difference, B less A, with its 95 % interval.
type change struct {
	Value  float64  `json:"value"`
	Low    *float64 `json:"low,omitempty"` // absent when unknown
	High   *float64 `json:"high,omitempty"`
	Method method   `json:"method"`
	Why    string   `json:"why,omitempty"` // there is no interval
}

// answers is McNemar's test of the answers of one seed.
type answers struct {
	Seed uint64  `json:"seed"`
	Lost int     `json:"lost"` // right only in A
	Won  int     `json:"won"`  // right only in B
	P    float64 `json:"p"`    // two-sided
}

// Compare compares the numbers whose names match the filter, all if it is nil. all includes
// times and parameters, which are not results of learning. Runs of one name that were trained
// in other ways are compared if the test questions are the same, and so are two models if
// each is the only one of its task.
func Compare(a, b *Set, filter *regexp.Regexp, all bool) (*Report, error) {
	learned := []string{record.Loss.Name, record.Hops.Name, record.Steps.Name}
	r, _, err := newReport(a, b, filter, true, func(metric string) bool {
		return all || isAccuracy(metric) || slices.Contains(learned, metric)
	})
	return r, err
}

// pair has the runs of both sides that are compared.
type pair struct{ a, b *group }

// name returns the name of both sides, or both names.
func (p pair) name() string {
	if plainName(p.a.name) == plainName(p.b.name) {
		return p.a.name
	}
	return p.a.name + " against " + p.b.name
}

// newReport compares the numbers of the given metrics whose names match the filter, and returns
// the pairs that have any. otherTraining also compares other models and runs that were trained
// in other ways, and leaves out pairs that are not comparable.
func newReport(a, b *Set, filter *regexp.Regexp, otherTraining bool, metrics func(string) bool) (*Report, []pair, error) {
	all := a
	a, b = a.selected(filter, metrics), b.selected(filter, metrics)
	if len(a.groups)+len(b.groups) == 0 && filter != nil && len(all.groups) > 0 {
		g := all.groups[0]
		return nil, nil, fmt.Errorf("no name of a number matches the filter %q; the first name is %q", filter, g.label()+" "+g.numbers[0].String())
	}
	r := &Report{A: a.Name, B: b.Name, Differences: []Difference{}}
	pairs, err := r.pairs(a, b, otherTraining)
	if err != nil {
		return nil, nil, err
	}
	var incomparable error
	for _, p := range pairs {
		if err := r.noteConditions(p, otherTraining); err != nil {
			incomparable = err
			r.Notes = append(r.Notes, err.Error())
			continue
		}
		same := p.same()
		for _, n := range p.a.numbers {
			ofA, ofB := p.a.having(n), p.b.having(n)
			if len(ofB) == 0 {
				r.OnlyA = append(r.OnlyA, p.a.label()+" "+n.String())
				continue
			}
			d := Difference{Task: p.a.task, Name: p.name(), number: n, A: summaryOf(n, ofA), B: summaryOf(n, ofB), Same: same, a: ofA, b: ofB}
			if err := d.compare(); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", d.label(), err)
			}
			r.Differences = append(r.Differences, d)
		}
	}
	if incomparable != nil && (!otherTraining || len(r.Differences) == 0) {
		return nil, nil, incomparable
	}
	return r, pairs, nil
}

// selected returns the groups with the numbers that are compared.
func (s *Set) selected(filter *regexp.Regexp, metrics func(string) bool) *Set {
	to := &Set{Name: s.Name}
	for _, g := range s.groups {
		g := *g
		g.numbers = slices.DeleteFunc(slices.Clone(g.numbers), func(n number) bool {
			return !metrics(n.Metric) || filter != nil && !filter.MatchString(g.label()+" "+n.String())
		})
		if len(g.numbers) > 0 {
			to.groups = append(to.groups, &g)
		}
	}
	return to
}

// pairs pairs the groups of two sets by task and name, and by study where several studies have
// them. With models, the only groups of a task are paired whatever their names.
func (r *Report) pairs(a, b *Set, models bool) (list []pair, err error) {
	paired := map[*group]bool{}
	for _, g := range a.groups {
		named := b.withName(g)
		if len(named) == 0 && models && len(a.ofTask(g.task)) == 1 {
			named = b.ofTask(g.task)
		}
		switch {
		case len(named) == 0:
			r.OnlyA = append(r.OnlyA, g.label())
		case len(named) > 1 || paired[named[0]]:
			return nil, fmt.Errorf("%s: %s or %s has several runs of this name; name the directory of one study", g.label(), a.Name, b.Name)
		default:
			paired[named[0]] = true
			list = append(list, pair{g, named[0]})
		}
	}
	for _, g := range b.groups {
		if !paired[g] {
			r.OnlyB = append(r.OnlyB, g.label())
		}
	}
	if len(list) == 0 {
		first := func(names []string) string { return slices.Concat(names, []string{"nothing"})[0] }
		err = fmt.Errorf("nothing to compare: %s has for example %s, %s has %s", a.Name, first(r.OnlyA), b.Name, first(r.OnlyB))
	}
	return list, err
}

// withName returns the groups with the task and the name of g, or the one of its study.
func (s *Set) withName(g *group) (list []*group) {
	for _, o := range s.ofTask(g.task) {
		if plainName(o.name) == plainName(g.name) {
			if o.study == g.study {
				return []*group{o}
			}
			list = append(list, o)
		}
	}
	return list
}

// plainName replaces what a name in the Go benchmark format cannot have.
var plainName = strings.NewReplacer(" ", "_", "/", "_", "=", "_").Replace

func (s *Set) ofTask(task string) []*group {
	return slices.DeleteFunc(slices.Clone(s.groups), func(g *group) bool { return g.task != task })
}

// same reports whether all numbers of both groups are equal, except times. Without a loss,
// five runs are needed, since a few accuracies may be equal by chance.
func (p pair) same() bool {
	loss := len(p.a.having(ofAllKinds(record.Loss))) > 0
	return (loss || len(p.a.runs) >= 5) && slices.Equal(p.a.contents(), p.b.contents())
}

// noteConditions notes in what the runs of a pair differ. It fails where they must not be
// compared.
func (r *Report) noteConditions(p pair, otherTraining bool) error {
	forbidding, others := conditionsThatDiffer(p.a.conditions, p.b.conditions, otherTraining)
	if len(forbidding) > 0 {
		return fmt.Errorf("%s is not comparable: %s", p.a.label(), strings.Join(forbidding, "; "))
	}
	names := fmt.Sprintf("A is %s, B is %s", p.a.name, p.b.name)
	switch {
	case p.a.model != p.b.model:
		r.Notes = append(r.Notes, p.a.task+": different models: "+names)
		others = slices.DeleteFunc(others, func(text string) bool { return strings.HasPrefix(text, "model.") })
	case p.a.name != p.b.name:
		r.Notes = append(r.Notes, p.a.task+": "+names)
	}
	if len(others) > 0 {
		r.Notes = append(r.Notes, p.a.label()+": "+strings.Join(others, "; "))
	}
	for _, text := range slices.Concat(p.a.failed(), p.b.failed()) {
		r.Notes = append(r.Notes, p.a.label()+": "+text)
	}
	return nil
}

func (d *Difference) compare() error {
	// Level 0 selects Welch's t for all sizes: the U test has no interval for a difference
	// of means.
	t, err := test(d.number, d.a, d.b, 0)
	if err != nil {
		return err
	}
	d.Change = changeOf(d.number, t)
	d.Change.Value = d.B.Mean - d.A.Mean
	x, y := sameSeeds(d.a, d.b)
	if len(x) > 1 {
		d.Paired = new(changeOf(d.number, testPairs(values(x, d.number), values(y, d.number))))
	}
	if len(d.a) == 1 && len(d.b) == 1 { // the seeds may differ
		x, y = d.a, d.b
	}
	for i := range x {
		kinds, err := discordantAnswers(d.number, x[i], y[i])
		if err != nil || kinds == nil {
			return err
		}
		all := sum(kinds)
		d.Answers = append(d.Answers, answers{*x[i].seed, all.lost, all.won, all.twoSided()})
	}
	return nil
}
