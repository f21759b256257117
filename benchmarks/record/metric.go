package record

// Direction says which values of a metric are better.
type Direction string

// The directions; the values are those of the Go benchmark format.
const (
	Higher Direction = "higher"
	Lower  Direction = "lower"
)

// Assumption is what a statistical test may assume of a metric's values.
type Assumption string

// The assumptions; the values are those of the Go benchmark format.
const (
	// AssumeNothing asks for non-parametric tests.
	AssumeNothing Assumption = "nothing"
	// AssumeExact is for numbers that do not vary between runs.
	AssumeExact Assumption = "exact"
)

// Metric is a number of a record, with the name, unit and direction that JSON, tables,
// comparisons and bench.txt use.
type Metric struct {
	Name   string // also its unit in the Go benchmark format
	Title  string // as a table prints it
	Unit   string // as a table prints it: "%", "nats", ""
	Better Direction
	Assume Assumption

	// Value returns the metric of a record on the kind of the given index, or over
	// all kinds (AllKinds); false when the record does not have it.
	Value func(r *Record, kind int) (float64, bool)

	// OfAnswer is Value for one of several answers to a question; nil for metrics
	// of whole questions.
	OfAnswer func(r *Record, kind, answer int) (float64, bool)
}

// AllKinds is the kind of a Metric's value over all kinds of questions.
const AllKinds = -1

// The metrics of a run.
var (
	// Accuracy is the share of right answers among all answers of the task; over all kinds, the
	// unweighted mean over the kinds.
	Accuracy = Metric{
		Name: "accuracy", Title: "accuracy", Unit: "%", Better: Higher, Assume: AssumeNothing,
		Value: func(r *Record, kind int) (float64, bool) {
			return r.Evaluation.perCent(kind, func(k *Kind) *int { return &k.Correct })
		},
		OfAnswer: func(r *Record, kind, answer int) (float64, bool) {
			return r.Evaluation.perCentOf(kind, answer, func(a *Answer) *int { return &a.Correct })
		},
	}
	// ChoiceAccuracy counts right answers when only the answers that the question offers may be
	// given.
	ChoiceAccuracy = Metric{
		Name: "choice-accuracy", Title: "accuracy among the choices", Unit: "%", Better: Higher, Assume: AssumeNothing,
		Value: func(r *Record, kind int) (float64, bool) {
			return r.Evaluation.perCent(kind, func(k *Kind) *int { return k.ChoiceCorrect })
		},
	}
	// GivenAccuracy counts right answers with the right ones before it in the query instead of
	// the model's own (teacher forcing). Only single answers have it.
	GivenAccuracy = Metric{
		Name: "given-accuracy", Title: "accuracy given the right answers before", Unit: "%", Better: Higher, Assume: AssumeNothing,
		// Whole questions have the same accuracy as in free running: if all answers
		// are right, the queries are the same.
		Value: func(*Record, int) (float64, bool) { return 0, false },
		OfAnswer: func(r *Record, kind, answer int) (float64, bool) {
			return r.Evaluation.perCentOf(kind, answer, func(a *Answer) *int { return a.CorrectGiven })
		},
	}
	// TolerantAccuracy counts every right answer, not only the one drawn as the target. Questions
	// with one right answer lack it.
	TolerantAccuracy = Metric{
		Name: "tolerant-accuracy", Title: "accuracy, any right answer", Unit: "%", Better: Higher, Assume: AssumeNothing,
		Value: func(r *Record, kind int) (float64, bool) {
			return r.Evaluation.perCent(kind, func(k *Kind) *int { return k.Accepted })
		},
		OfAnswer: func(r *Record, kind, answer int) (float64, bool) {
			return r.Evaluation.perCentOf(kind, answer, func(a *Answer) *int { return a.Accepted })
		},
	}
	// Loss is the mean cross entropy on the evaluated split. A run that diverged lacks it.
	Loss = Metric{
		Name: "nats", Title: "loss", Unit: "nats", Better: Lower, Assume: AssumeNothing,
		Value: func(r *Record, kind int) (float64, bool) { return overall(kind, r.Evaluation.Loss) },
	}
	// Hops is the mean number of hops for an answer.
	Hops = Metric{
		Name: "hops", Title: "hops", Better: Lower, Assume: AssumeNothing,
		Value: func(r *Record, kind int) (float64, bool) { return r.Evaluation.meanHops(kind) },
		OfAnswer: func(r *Record, kind, answer int) (float64, bool) {
			if answer < 0 || answer >= len(r.Evaluation.AnswerHops) {
				return 0, false
			}
			return overall(kind, &r.Evaluation.AnswerHops[answer])
		},
	}
	Divergence = Metric{
		Name: "diverged", Title: "diverged", Better: Lower, Assume: AssumeNothing,
		Value: func(r *Record, kind int) (float64, bool) {
			v := 0.0
			if r.Status == Diverged {
				v = 1
			}
			return overall(kind, &v)
		},
	}
	// Parameters is the number of trained scalars.
	Parameters = Metric{
		Name: "parameters", Title: "parameters", Better: Lower, Assume: AssumeExact,
		Value: func(r *Record, kind int) (float64, bool) {
			v := float64(r.Model.Parameters)
			if v == 0 {
				return 0, false
			}
			return overall(kind, &v)
		},
	}
	Steps = Metric{
		Name: "steps", Title: "steps", Better: Lower, Assume: AssumeNothing,
		Value: func(r *Record, kind int) (float64, bool) {
			v := float64(r.Training.Steps)
			return overall(kind, &v)
		},
	}
	// Throughput is the number of training examples per second of training.
	Throughput = Metric{
		Name: "examples/s", Title: "examples/s", Unit: "1/s", Better: Higher, Assume: AssumeNothing,
		Value: func(r *Record, kind int) (float64, bool) { return overall(kind, &r.Times.ExamplesPerSec) },
	}
	// WallTime is that of the whole run.
	WallTime = Metric{
		Name: "wall-s", Title: "time", Unit: "s", Better: Lower, Assume: AssumeNothing,
		Value: func(r *Record, kind int) (float64, bool) { return overall(kind, &r.Times.WallSeconds) },
	}
)

// Metrics lists every metric, accuracies first.
var Metrics = []Metric{Accuracy, ChoiceAccuracy, GivenAccuracy, TolerantAccuracy, Loss, Hops, Divergence, Parameters, Steps, Throughput, WallTime}

// overall returns *v for AllKinds, and false for a single kind or nil.
func overall(kind int, v *float64) (float64, bool) {
	if kind != AllKinds || v == nil {
		return 0, false
	}
	return *v, true
}
