package results

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
)

// pairedByKind compares samples of one cell in two sets question by question, for each
// kind. It returns nil if a run has no kept answers or the metric cannot be computed from
// them. It fails if the answers do not fit the records, or are to different questions.
func pairedByKind(k Key, a, b Sample) ([]hypothesis.Discordant, error) {
	if a.run == nil || b.run == nil {
		return nil, nil
	}
	metric, ok := rightAnswers(k, a.run.Record.Evaluation.AnswerNames())
	if !ok {
		return nil, nil
	}
	x, err := a.run.predictions()
	if err != nil || x == nil {
		return nil, err
	}
	y, err := b.run.predictions()
	if err != nil || y == nil {
		return nil, err
	}
	if x.Head.Questions != y.Head.Questions || len(x.Answers) != len(y.Answers) {
		return nil, fmt.Errorf("%s and %s answer different questions", a.run.answers, b.run.answers)
	}
	kinds := make([]hypothesis.Discordant, len(x.Head.Kinds))
	for i := range x.Answers {
		p, q := &x.Answers[i], &y.Answers[i]
		if !ofKind(k, x.Head.Kinds[p.Kind]) {
			continue
		}
		rightA, knownA := metric.single(p)
		rightB, knownB := metric.single(q)
		if !knownA || !knownB {
			return nil, nil
		}
		d := &kinds[p.Kind]
		d.Questions++
		switch {
		case rightA && !rightB:
			d.Lost++
		case rightB && !rightA:
			d.Won++
		}
	}
	return slices.DeleteFunc(kinds, func(d hypothesis.Discordant) bool { return d.Questions == 0 }), nil
}

// Paired is the sum of pairedByKind over the kinds; nil without answers.
func Paired(k Key, a, b Sample) (*hypothesis.Discordant, error) {
	kinds, err := pairedByKind(k, a, b)
	if err != nil || len(kinds) == 0 {
		return nil, err
	}
	all := new(hypothesis.Discordant)
	for _, d := range kinds {
		all.Lost, all.Won, all.Questions = all.Lost+d.Lost, all.Won+d.Won, all.Questions+d.Questions
	}
	return all, nil
}

// predictions returns the run's answers, nil when they were not kept.
func (r *Run) predictions() (*record.Predictions, error) {
	if r.kept != nil {
		return r.kept, nil
	}
	p, err := record.ReadPredictions(r.answers)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e := &r.Record.Evaluation
	err = p.Fits(e)
	if err == nil && (p.Head.Protocol != r.Record.Protocol.Hash || p.Head.Dataset != r.Record.Dataset.Hash || len(p.Head.Names) != len(e.AnswerNames())) {
		err = fmt.Errorf("answers of protocol %s and data %s, the record has %s and %s", p.Head.Protocol, p.Head.Dataset, r.Record.Protocol.Hash, r.Record.Dataset.Hash)
	}
	if err != nil {
		return nil, fmt.Errorf("%s does not belong to the record next to it: %w", r.answers, err)
	}
	r.kept = p
	return p, nil
}

// counts returns the right answers and questions behind a metric of the run;
// nil for other numbers.
func (r *Run) counts(k Key) []hypothesis.Count {
	if r == nil {
		return nil
	}
	metric, ok := rightAnswers(k, r.Record.Evaluation.AnswerNames())
	if !ok {
		return nil
	}
	var list []hypothesis.Count
	for i := range r.Record.Evaluation.Kinds {
		kind := &r.Record.Evaluation.Kinds[i]
		if !ofKind(k, kind.Name) || kind.Total == 0 {
			continue
		}
		if n := metric.count(kind); n != nil {
			list = append(list, hypothesis.Count{Right: *n, Total: kind.Total})
		}
	}
	return list
}

// ofKind reports whether the cell is of that kind of question, or of all.
func ofKind(k Key, kind string) bool {
	part := k.Part("kind")
	return part == "all" || record.IsBenchPart(part, kind)
}

// countMetric is a metric that counts right answers.
type countMetric struct {
	record.Metric
	answer int // of several to a question; -1 for whole questions
}

// rightAnswers returns the cell's metric for questions that ask for the named answers;
// false for metrics that are no counts.
func rightAnswers(k Key, answers []string) (countMetric, bool) {
	m := countMetric{answer: -1}
	for _, metric := range record.Metrics {
		if metric.Name == k.Unit {
			m.Metric = metric
		}
	}
	if a := k.Part("answer"); a != "" && a != "all" {
		m.answer = slices.IndexFunc(answers, func(name string) bool { return record.IsBenchPart(a, name) })
		return m, m.answer >= 0 && m.AnswerCount != nil
	}
	return m, m.Count != nil
}

// count returns the number of right answers to questions of a kind; nil when unknown.
func (m *countMetric) count(k *record.Kind) *int {
	if m.answer >= 0 {
		return m.AnswerCount(&k.Answers[m.answer])
	}
	return m.Count(k)
}

// single reports whether a prediction is right; known is false where it does not say.
func (m *countMetric) single(p *record.Prediction) (right, known bool) {
	switch {
	case m.answer >= 0:
		return p.Answer[m.answer] == p.Target[m.answer], m.Name == record.Accuracy.Name
	case m.Name == record.ChoiceAccuracy.Name:
		return p.Choice != nil && *p.Choice == p.Target[0], p.Choice != nil
	case m.Name == record.TolerantAccuracy.Name:
		return p.Accepted != nil && *p.Accepted, p.Accepted != nil
	}
	return p.Right(), m.Name == record.Accuracy.Name
}
