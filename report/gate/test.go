package gate

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"memobench/benchmarks/record"
	"memobench/report/stats"
)

// values returns a number of some runs, negated where lower is better.
func values(runs []*run, n Number) (list []float64) {
	for _, r := range runs {
		list = append(list, n.orient(r.values[n]))
	}
	return list
}

// test compares a number of some runs: of single runs by their answers if both kept them, of
// samples by the test for which they are large enough at the given level, and where there is
// no spread between seeds by the counts of one run.
func test(n Number, a, b []*run, level float64) (stats.Test, error) {
	if len(a) == 1 && len(b) == 1 {
		kinds, err := discordant(n, a[0], b[0])
		if err != nil || kinds != nil {
			return stats.Answers(kinds), err
		}
	}
	t := stats.Samples(values(a, n), values(b, n), level)
	if ofA, ofB := a[0].counts(n), b[0].counts(n); t.SE == 0 && len(ofA) > 0 && len(ofA) == len(ofB) {
		t = stats.Proportions(ofA, ofB)
	}
	return t, nil
}

// counts returns the right answers and questions behind an accuracy by kind; nil for other
// numbers.
func (r *run) counts(n Number) (list []stats.Count) {
	if r.Record == nil || n.Answer != "" {
		return nil
	}
	for _, m := range record.Metrics {
		for i := range r.Record.Evaluation.Kinds {
			k := &r.Record.Evaluation.Kinds[i]
			if m.Name == n.Metric && m.Count != nil && m.Count(k) != nil && k.Total > 0 && (n.Kind == k.Name || n.Kind == allKinds) {
				list = append(list, stats.Count{Right: *m.Count(k), Total: k.Total})
			}
		}
	}
	return list
}

// sameSeeds returns the runs of the seeds that both samples have.
func sameSeeds(a, b []*run) (x, y []*run) {
	for _, p := range a {
		for _, q := range b {
			if p.seed != nil && q.seed != nil && *p.seed == *q.seed {
				x, y = append(x, p), append(y, q)
			}
		}
	}
	return x, y
}

// isRight tells for each metric whether a kept answer counts.
var isRight = map[string]func(p *record.Prediction) bool{
	record.Accuracy.Name:         (*record.Prediction).Right,
	record.ChoiceAccuracy.Name:   func(p *record.Prediction) bool { return p.Choice != nil && *p.Choice == p.Target[0] },
	record.TolerantAccuracy.Name: func(p *record.Prediction) bool { return p.Accepted != nil && *p.Accepted },
}

// discordant counts, for each kind of a number, the questions on which two runs differ; nil
// where answers were not kept or do not tell. It fails if kept answers do not fit their
// record, or are to different questions.
func discordant(n Number, a, b *run) ([]stats.Discordant, error) {
	right := isRight[n.Metric]
	if right == nil || n.Answer != "" {
		return nil, nil
	}
	x, err := a.answers()
	if err != nil || x == nil {
		return nil, err
	}
	y, err := b.answers()
	if err != nil || y == nil {
		return nil, err
	}
	if x.Head.Questions != y.Head.Questions || len(x.Answers) != len(y.Answers) {
		return nil, fmt.Errorf("the answers kept with %s and %s are to different questions", a.Source, b.Source)
	}
	kinds := make([]stats.Discordant, len(x.Head.Kinds))
	for i := range x.Answers {
		p, q := &x.Answers[i], &y.Answers[i]
		if n.Kind != allKinds && n.Kind != x.Head.Kinds[p.Kind] {
			continue
		}
		d := &kinds[p.Kind]
		d.Questions++
		switch ofA, ofB := right(p), right(q); {
		case ofA && !ofB:
			d.Lost++
		case ofB && !ofA:
			d.Won++
		}
	}
	return slices.DeleteFunc(kinds, func(d stats.Discordant) bool { return d.Questions == 0 }), nil
}

// answers returns the kept answers; nil if there are none.
func (r *run) answers() (*record.Predictions, error) {
	if r.kept != nil || r.Record == nil {
		return r.kept, nil
	}
	p, err := r.Predictions()
	if err == nil && p != nil {
		err = p.Fits(&r.Record.Evaluation)
	}
	if err != nil {
		return nil, fmt.Errorf("answers kept with %s: %w", r.Source, err)
	}
	r.kept = p
	return p, nil
}

// change converts a drop to the difference B - A in the metric's unit.
func change(n Number, t stats.Test) Change {
	c := Change{Value: n.orient(-t.Drop), Method: t.Method, Why: t.Why}
	if low, high, ok := t.Interval(0.95); ok {
		low, high = n.orient(-low), n.orient(-high)
		c.Low, c.High = new(min(low, high)), new(max(low, high))
	}
	return c
}

func summary(n Number, runs []*run) Summary {
	list := values(runs, n)
	s := Summary{N: len(list), Mean: n.orient(stat.Mean(list, nil))}
	if len(list) > 1 {
		s.SD = new(stat.StdDev(list, nil))
	}
	return s
}
