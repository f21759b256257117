package results

import "memobench/benchmarks/record"

// rightOf says which answers a metric counts as right: in a record's counts and
// in single predictions.
type rightOf struct {
	count  func(k *record.Kind) *int               // nil when the kind has none
	single func(p *record.Prediction) (_, ok bool) // ok false when the prediction does not tell
}

// rightAnswers returns what the cell's metric counts, for questions that ask for
// the named answers; false for metrics that are no counts.
func rightAnswers(k Key, answers []string) (rightOf, bool) {
	if a := k.Part("answer"); a != "" && a != "all" {
		for i, name := range answers {
			if record.IsBenchPart(a, name) {
				return rightAnswer(k.Unit, i)
			}
		}
		return rightOf{}, false
	}
	switch k.Unit {
	case record.Accuracy.Name:
		return rightOf{
			func(k *record.Kind) *int { return &k.Correct },
			func(p *record.Prediction) (bool, bool) { return p.Right(), true },
		}, true
	case record.ChoiceAccuracy.Name:
		return rightOf{
			func(k *record.Kind) *int { return k.ChoiceCorrect },
			func(p *record.Prediction) (bool, bool) {
				return p.Choice != nil && *p.Choice == p.Target[0], p.Choice != nil
			},
		}, true
	case record.TolerantAccuracy.Name:
		return rightOf{
			func(k *record.Kind) *int { return k.Accepted },
			func(p *record.Prediction) (bool, bool) { return p.Accepted != nil && *p.Accepted, p.Accepted != nil },
		}, true
	}
	return rightOf{}, false
}

// rightAnswer is rightAnswers for answer i of a question alone.
func rightAnswer(unit string, i int) (rightOf, bool) {
	unknown := func(*record.Prediction) (bool, bool) { return false, false }
	switch unit {
	case record.Accuracy.Name:
		return rightOf{
			func(k *record.Kind) *int { return &k.Answers[i].Correct },
			func(p *record.Prediction) (bool, bool) { return p.Answer[i] == p.Target[i], true },
		}, true
	case record.GivenAccuracy.Name:
		return rightOf{func(k *record.Kind) *int { return k.Answers[i].CorrectGiven }, unknown}, true
	case record.TolerantAccuracy.Name:
		return rightOf{func(k *record.Kind) *int { return k.Answers[i].Accepted }, unknown}, true
	}
	return rightOf{}, false
}
