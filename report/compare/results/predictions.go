package results

import (
	"errors"
	"fmt"
	"io/fs"

	"memobench/benchmarks/record"
)

// Discordant counts the questions on which two runs differ.
type Discordant struct {
	Lost      int // right in A alone
	Won       int // right in B alone
	Questions int
}

// Paired compares a sample of a cell with one of the same cell of another set,
// question by question. It returns nil when the answers of a run were not kept or
// do not tell this metric; it fails when they are not those of the records, or
// to other questions.
func Paired(k Key, a, b Sample) (*Discordant, error) {
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
	d := &Discordant{}
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
		d.Questions++
		switch {
		case right && !rightB:
			d.Lost++
		case rightB && !right:
			d.Won++
		}
	}
	return d, nil
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
