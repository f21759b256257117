package gate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/results"
)

// recorded is a record with the place that it was read from.
type recorded struct {
	Record      *record.Record
	Source      string
	Predictions func() (*record.Predictions, error) // the kept answers; it returns nil where there are none
}

// Set has the numbers of one side of a comparison.
type Set struct {
	Name   string // the path
	groups []*group
}

// group is one sample: the runs of one name on one task.
type group struct {
	study, task, name, model string

	conditions map[string]string // protocol, data and settings of the model by dotted key
	numbers    []number          // in the order of reading
	known      map[number]bool   // those in numbers
	runs       []*run
}

// run has the numbers of one run.
type run struct {
	values   map[number]float64
	seed     *uint64 // nil when unknown
	failed   string  // how a run ended that diverged or was stopped
	recorded         // empty for Go benchmark results
	kept     *record.Predictions
}

// number identifies a number of a run.
type number struct {
	Kind   string `json:"kind,omitempty"`   // of question, or "all"
	Answer string `json:"answer,omitempty"` // of several answers to a question
	Metric string `json:"metric"`
	Better string `json:"better,omitempty"` // absent when unknown
}

func (n number) String() string {
	return strings.Join(strings.Fields(n.Kind+" "+n.Answer+" "+n.Metric), " ")
}

// orient returns v, negated where lower is better.
func (n number) orient(v float64) float64 {
	if n.Better == record.Lower {
		return -v
	}
	return v
}

// ofAllKinds is the number of a metric over all kinds.
func ofAllKinds(m record.Metric) number { return number{allKinds, "", m.Name, m.Better} }

const allKinds = "all"

// newSet returns the numbers of runs, without those of evaluations on questions unlike those
// of training. Two runs with one name and seed, and runs of one name under other protocols or
// on other data, are errors.
func newSet(name string, runs []recorded) (*Set, error) {
	s := &Set{Name: name}
	for _, r := range runs {
		if r.Record.Shift != nil {
			continue
		}
		if err := s.add(r); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Source, err)
		}
	}
	if len(s.groups) == 0 && len(runs) > 0 {
		return nil, fmt.Errorf("%s has only evaluations on questions unlike those of training, which are not compared", name)
	}
	return s, nil
}

func (s *Set) add(of recorded) error {
	rec := of.Record
	study, name := rec.Identity.Study, rec.Identity.Name
	g, err := s.group(study, rec.Identity.Task, name, results.Conditions(rec))
	if err != nil {
		return err
	}
	r := &run{recorded: of, seed: &rec.Identity.Seed, values: map[number]float64{}}
	if rec.Status == record.Diverged || rec.Status == record.Interrupted {
		r.failed = fmt.Sprintf("seed %d: %s at step %d (%s)", *r.seed, rec.Status, rec.Training.Steps, of.Source)
	}
	for _, other := range g.runs {
		if *other.seed == *r.seed {
			return fmt.Errorf("%s, seed %d is also in %s: name one of them", g.label(), *r.seed, other.Source)
		}
	}
	g.model, g.runs = rec.Identity.Model, append(g.runs, r)
	for _, m := range record.Metrics {
		for i := record.AllKinds; i < len(rec.Evaluation.Kinds); i++ {
			n := ofAllKinds(m)
			if i != record.AllKinds {
				n.Kind = rec.Evaluation.Kinds[i].Name
			}
			if v, ok := m.Value(rec, i); ok {
				g.set(r, n, v)
			}
			for a, answer := range rec.Evaluation.AnswerNames() {
				n.Answer = answer
				if v, ok := m.OfAnswer(rec, i, a); ok {
					g.set(r, n, v)
				}
			}
		}
	}
	return nil
}

// group returns the group, which it adds if it is missing. It fails if other runs of the group
// have other conditions.
func (s *Set) group(study, task, name string, conditions map[string]string) (*group, error) {
	for _, g := range s.groups {
		if g.study == study && g.task == task && g.name == name {
			forbidding, _ := conditionsThatDiffer(g.conditions, conditions, false)
			if len(forbidding) > 0 {
				return nil, fmt.Errorf("other runs of %s have %s", g.label(), strings.Join(forbidding, "; "))
			}
			return g, nil
		}
	}
	g := &group{study: study, task: task, name: name, model: name, conditions: conditions, known: map[number]bool{}}
	s.groups = append(s.groups, g)
	return g, nil
}

func (g *group) label() string { return strings.TrimSpace(g.task + " " + g.name) }

func (g *group) set(r *run, n number, v float64) {
	r.values[n] = v
	if !g.known[n] {
		g.known[n] = true
		g.numbers = append(g.numbers, n)
	}
}

func (g *group) having(n number) (list []*run) {
	for _, r := range g.runs {
		if _, ok := r.values[n]; ok {
			list = append(list, r)
		}
	}
	return list
}

// failed describes the runs that diverged or were stopped.
func (g *group) failed() (list []string) {
	for _, r := range g.runs {
		if r.failed != "" {
			list = append(list, r.failed)
		}
	}
	return list
}

// contents returns all numbers of each run, except times, in an order that does not depend on
// that of the runs.
func (g *group) contents() (list []string) {
	for _, r := range g.runs {
		values := maps.Clone(r.values)
		maps.DeleteFunc(values, func(n number, _ float64) bool {
			return n.Metric == record.WallTime.Name || strings.HasSuffix(n.Metric, "/s") || strings.HasSuffix(n.Metric, "/op")
		})
		list = append(list, fmt.Sprint(values))
	}
	slices.Sort(list)
	return list
}

// trainingKeys begin the keys of conditions on which the test questions do not depend.
var trainingKeys = []string{"model.", "training.", "protocol.steps", "protocol.batch_size", "protocol.evaluate_every",
	"protocol.validation_", "protocol.mixture", "protocol.selection", "protocol.early_stop"}

// conditionsThatDiffer lists those that forbid a comparison, and others. Of Go benchmark
// results only hashes are known. With otherTraining only other questions forbid it.
func conditionsThatDiffer(a, b map[string]string, otherTraining bool) (forbidding, others []string) {
	keys := []string{"protocol.hash", "dataset.hash"}
	if a["protocol.task"] != "" && b["protocol.task"] != "" {
		both := maps.Clone(a)
		maps.Copy(both, b)
		delete(both, "protocol.hash")
		keys = slices.Sorted(maps.Keys(both))
	}
	allowed := trainingKeys[:2]
	if otherTraining {
		allowed = trainingKeys
	}
	for _, key := range keys {
		text := fmt.Sprintf("%s %s against %s", key, cmp.Or(a[key], "none"), cmp.Or(b[key], "none"))
		switch {
		case a[key] == b[key]:
		case slices.ContainsFunc(allowed, func(prefix string) bool { return strings.HasPrefix(key, prefix) }):
			others = append(others, text)
		default:
			forbidding = append(forbidding, text)
		}
	}
	return forbidding, others
}
