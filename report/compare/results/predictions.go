package results

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
)

// PairedByKind compares a sample of a cell with one of the same cell of another set,
// question by question, for each kind that it is of. It returns nil when the answers of a run were not kept or
// do not tell this metric; it fails when they are not those of the records, or
// to other questions.
func PairedByKind(k Key, a, b Sample) ([]hypothesis.Discordant, error) {
	if a.run == nil || b.run == nil {
		return nil, nil
	}
	of, ok := rightAnswers(k, a.run.record.Evaluation.AnswerNames())
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
		return nil, fmt.Errorf("%s and %s answer different questions", a.run.path, b.run.path)
	}
	kinds := make([]hypothesis.Discordant, len(x.Head.Kinds))
	for i := range x.Answers {
		p, q := &x.Answers[i], &y.Answers[i]
		if !ofKind(k, x.Head.Kinds[p.Kind]) {
			continue
		}
		right, known := of.single(p)
		rightB, knownB := of.single(q)
		if !known || !knownB {
			return nil, nil
		}
		d := &kinds[p.Kind]
		d.Questions++
		switch {
		case right && !rightB:
			d.Lost++
		case rightB && !right:
			d.Won++
		}
	}
	return slices.DeleteFunc(kinds, func(d hypothesis.Discordant) bool { return d.Questions == 0 }), nil
}

// Paired is PairedByKind with the kinds taken together; nil without answers.
func Paired(k Key, a, b Sample) (*hypothesis.Discordant, error) {
	kinds, err := PairedByKind(k, a, b)
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
func (r *run) predictions() (*record.Predictions, error) {
	if r.kept != nil {
		return r.kept, nil
	}
	p, err := record.ReadPredictions(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e := &r.record.Evaluation
	err = p.Fits(e)
	if err == nil && (p.Head.Protocol != r.record.Protocol.Hash || p.Head.Dataset != r.record.Dataset.Hash || len(p.Head.Names) != len(e.AnswerNames())) {
		err = fmt.Errorf("answers of protocol %s and data %s, the record has %s and %s", p.Head.Protocol, p.Head.Dataset, r.record.Protocol.Hash, r.record.Dataset.Hash)
	}
	if err != nil {
		return nil, fmt.Errorf("%s does not belong to the record beside it: %w", r.path, err)
	}
	r.kept = p
	return p, nil
}
