package record

// Whether higher or lower values of a metric are better, as in the Go benchmark format.
const (
	Higher = "higher"
	Lower  = "lower"
)

// Metric is a number of a record, with the name, unit and direction that JSON, tables,
// comparisons and bench.txt use.
type Metric struct {
	Name   string // also its unit in the Go benchmark format
	Title  string // as a table prints it
	Unit   string // as a table prints it: "%", "nats", ""
	Better string // Higher or Lower
	Exact  bool   // does not vary between runs of a configuration

	// The number of right answers to questions of a kind, and that of one of several answers:
	// nil where a record lacks it. The functions are nil for metrics that do not count.
	count       func(k *Kind) *int
	answerCount func(a *Answer) *int

	// Of metrics that do not count: the number over all kinds, nil where a record lacks it,
	// and where they have them that on one kind and those of several answers.
	number    func(r *Record) *float64
	onKind    func(k *Kind) *float64
	ofAnswers func(e *Evaluation) []float64
}

// AllKinds is the kind of a Metric's value over all kinds of questions.
const AllKinds = -1

// The metrics of a run.
var (
	// Accuracy is the share of right answers among all answers of the task; over all kinds, the
	// unweighted mean over the kinds.
	Accuracy = Metric{
		Name: "accuracy", Title: "accuracy", Unit: "%", Better: Higher,
		count:       func(k *Kind) *int { return &k.Correct },
		answerCount: func(a *Answer) *int { return &a.Correct },
	}
	// ChoiceAccuracy counts right answers when only the answers that the question offers may be
	// given.
	ChoiceAccuracy = Metric{
		Name: "choice-accuracy", Title: "accuracy among the choices", Unit: "%", Better: Higher,
		count: func(k *Kind) *int { return k.ChoiceCorrect },
	}
	// GivenAccuracy counts right answers with the right ones before it in the query instead of
	// the model's own (teacher forcing). Only single answers have it: whole questions have the
	// same accuracy as in free running, since the queries are the same if all answers are right.
	GivenAccuracy = Metric{
		Name: "given-accuracy", Title: "accuracy given the right answers before", Unit: "%", Better: Higher,
		answerCount: func(a *Answer) *int { return a.CorrectGiven },
	}
	// TolerantAccuracy counts every right answer, not only the one drawn as the target. Questions
	// with one right answer lack it.
	TolerantAccuracy = Metric{
		Name: "tolerant-accuracy", Title: "accuracy, any right answer", Unit: "%", Better: Higher,
		count:       func(k *Kind) *int { return k.Accepted },
		answerCount: func(a *Answer) *int { return a.Accepted },
	}
	// Loss is the mean cross entropy on the evaluated split. A run that diverged lacks it.
	Loss = Metric{
		Name: "nats", Title: "loss", Unit: "nats", Better: Lower,
		number: func(r *Record) *float64 { return r.Evaluation.Loss },
	}
	// Hops is the mean number of hops for an answer.
	Hops = Metric{
		Name: "hops", Title: "hops", Better: Lower,
		number:    func(r *Record) *float64 { return r.Evaluation.Hops },
		onKind:    (*Kind).meanHops,
		ofAnswers: func(e *Evaluation) []float64 { return e.AnswerHops },
	}
	Divergence = Metric{
		Name: "diverged", Title: "diverged", Better: Lower,
		number: func(r *Record) *float64 {
			if r.Status == Diverged {
				return new(1.0)
			}
			return new(0.0)
		},
	}
	// Parameters is the number of trained scalars.
	Parameters = Metric{
		Name: "parameters", Title: "parameters", Better: Lower, Exact: true,
		number: func(r *Record) *float64 {
			if r.Model.Parameters == 0 {
				return nil
			}
			return new(float64(r.Model.Parameters))
		},
	}
	Steps = Metric{
		Name: "steps", Title: "steps", Better: Lower,
		number: func(r *Record) *float64 { return new(float64(r.Training.Steps)) },
	}
	// WallTime is that of the whole run.
	WallTime = Metric{
		Name: "wall-s", Title: "time", Unit: "s", Better: Lower,
		number: func(r *Record) *float64 { return &r.Times.WallSeconds },
	}
)

// Metrics lists every metric, accuracies first.
var Metrics = []Metric{Accuracy, ChoiceAccuracy, GivenAccuracy, TolerantAccuracy, Loss, Hops, Divergence, Parameters, Steps, {
	Name: "examples/s", Title: "examples/s", Unit: "1/s", Better: Higher, // of training
	number: func(r *Record) *float64 { return &r.Times.ExamplesPerSec },
}, WallTime}

// Value returns the metric of a record on the kind of the given index, or over all kinds
// (AllKinds); false when the record does not have it.
func (m Metric) Value(r *Record, kind int) (float64, bool) {
	var v *float64
	switch {
	case m.count != nil:
		return r.Evaluation.perCent(kind, func(k *Kind) *int { return m.Count(k, -1) })
	case m.onKind != nil && kind >= 0 && kind < len(r.Evaluation.Kinds):
		v = m.onKind(&r.Evaluation.Kinds[kind])
	case m.number != nil && kind == AllKinds:
		v = m.number(r)
	}
	if v == nil {
		return 0, false
	}
	return *v, true
}

// Count returns the number of right answers to questions of a kind, or of one of several answers
// to them, from 0; nil where the record does not have it.
func (m Metric) Count(k *Kind, answer int) *int {
	switch {
	case answer < 0 && m.count != nil:
		return m.count(k)
	case answer >= 0 && answer < len(k.Answers) && m.answerCount != nil:
		return m.answerCount(&k.Answers[answer])
	}
	return nil
}

// Overall is Value over all kinds.
func (m Metric) Overall(r *Record) (float64, bool) { return m.Value(r, AllKinds) }

// OfAnswer is Value for one of several answers to a question.
func (m Metric) OfAnswer(r *Record, kind, answer int) (float64, bool) {
	switch {
	case answer < 0:
	case m.answerCount != nil:
		return r.Evaluation.perCent(kind, func(k *Kind) *int { return m.Count(k, answer) })
	case m.ofAnswers != nil && kind == AllKinds && answer < len(m.ofAnswers(&r.Evaluation)):
		return m.ofAnswers(&r.Evaluation)[answer], true
	}
	return 0, false
}
