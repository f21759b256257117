package gate

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"memobench/benchmarks/record"
)

// values returns a number of some runs, negated where lower is better.
func values(runs []*run, n number) (list []float64) {
	for _, r := range runs {
		list = append(list, n.orient(r.values[n]))
	}
	return list
}

// test compares a number of some runs: of single runs by their answers if both kept them, of
// samples by the test for which they are large enough at the given level, and where there is
// no spread between seeds by the counts of one run.
func test(n number, a, b []*run, level float64) (testResult, error) {
	if len(a) == 1 && len(b) == 1 {
		kinds, err := discordantAnswers(n, a[0], b[0])
		if err != nil || kinds != nil {
			return testAnswers(kinds), err
		}
	}
	t := testSamples(values(a, n), values(b, n), level)
	if ofA, ofB := a[0].counts(n), b[0].counts(n); t.se == 0 && len(ofA) > 0 && len(ofA) == len(ofB) {
		t = testCounts(ofA, ofB)
	}
	return t, nil
}

// counts returns the right answers and questions behind an accuracy by kind; nil for other
// numbers.
func (r *run) counts(n number) (list []count) {
	i := slices.IndexFunc(record.Metrics, func(m record.Metric) bool { return m.Name == n.Metric })
	if r.Record == nil || i < 0 {
		return nil
	}
	m, e := record.Metrics[i], &r.Record.Evaluation
	answer := slices.Index(e.AnswerNames(), n.Answer)
	for i := range e.Kinds {
		k := &e.Kinds[i]
		if k.Total == 0 || n.Kind != allKinds && n.Kind != k.Name {
			continue
		}
		if right := m.Count(k, answer); right != nil && (n.Answer == "") == (answer < 0) {
			list = append(list, count{*right, k.Total})
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

// discordantAnswers counts, for each kind of a number, the questions on which two runs differ; nil
// where answers were not kept or do not tell. It fails if kept answers do not fit their
// record, or are to different questions.
func discordantAnswers(n number, a, b *run) ([]discordant, error) {
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
	kinds := make([]discordant, len(x.Head.Kinds))
	for i := range x.Answers {
		p, q := &x.Answers[i], &y.Answers[i]
		if n.Kind != allKinds && n.Kind != x.Head.Kinds[p.Kind] {
			continue
		}
		d := &kinds[p.Kind]
		d.questions++
		switch ofA, ofB := right(p), right(q); {
		case ofA && !ofB:
			d.lost++
		case ofB && !ofA:
			d.won++
		}
	}
	return slices.DeleteFunc(kinds, func(d discordant) bool { return d.questions == 0 }), nil
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

// changeOf converts a drop to the difference B - A in the metric's unit.
func changeOf(n number, t testResult) change {
	c := change{Value: n.orient(-t.drop), Method: t.method, Why: t.why}
	if low, high, ok := t.interval(0.95); ok {
		low, high = n.orient(-low), n.orient(-high)
		c.Low, c.High = new(min(low, high)), new(max(low, high))
	}
	return c
}

func summaryOf(n number, runs []*run) summary {
	list := values(runs, n)
	s := summary{N: len(list), Mean: n.orient(stat.Mean(list, nil))}
	if len(list) > 1 {
		s.SD = new(stat.StdDev(list, nil))
	}
	return s
}
