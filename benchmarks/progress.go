package benchmarks

import (
	"time"

	"memobench/benchmarks/record"
)

// Progress is told what a run does. The training loop knows no other user
// interface. Its methods are called from the run's goroutine, one at a time,
// and must return quickly; runs in parallel have one Progress each.
type Progress interface {
	// Begin is called once, before the first step of this session; from is the
	// step that a resumed run starts after, else 0.
	Begin(c Cell, from int)
	// Stepped is called after every training step.
	Stepped(u Update)
	// Evaluated is called after every evaluation on the validation split.
	Evaluated(p Point)
	// Judging is called when training is over and the final evaluation begins.
	Judging(split string)
	// Warned is called when the model first reports a pathology, and for what
	// the run itself has to say.
	Warned(text string)
	// Ended is called once, last, with a record or an error. It is not called
	// when the run panics.
	Ended(rec *record.Record, err error)
}

// Update is the state of training after a step.
type Update struct {
	Step, Total int
	Loss        float64       // mean since the last evaluation, nats
	PerSecond   float64       // training examples per second in this session
	Left        time.Duration // estimate of the time to the last step
}

// Point is one evaluation on the validation split: one line of curve.jsonl.
type Point struct {
	Step       int           `json:"step"`
	Examples   int64         `json:"examples"`              // training examples seen
	TrainLoss  float64       `json:"train_loss"`            // mean since the point before, nats
	Rate       float64       `json:"learning_rate"`         // of the last step
	GradNorm   *float64      `json:"grad_norm,omitempty"`   // of the last step; absent when not finite
	Loss       float64       `json:"loss"`                  // on the validation split, nats
	Hops       *float64      `json:"hops,omitempty"`        // mean for an answer; absent for a model without hops
	AnswerHops []float64     `json:"answer_hops,omitempty"` // mean for each answer; absent where one is asked for
	Kinds      []record.Kind `json:"kinds"`                 // counts per kind, and per answer
	Seconds    float64       `json:"seconds"`               // wall time of the run so far
}

// Accuracy returns the unweighted mean over the kinds, in per cent.
func (p *Point) Accuracy() float64 {
	r := record.Record{Evaluation: record.Evaluation{Kinds: p.Kinds}}
	v, _ := record.Accuracy.Value(&r, record.AllKinds)
	return v
}

// silent is the Progress of nobody.
type silent struct{}

func (silent) Begin(Cell, int)             {}
func (silent) Stepped(Update)              {}
func (silent) Evaluated(Point)             {}
func (silent) Judging(string)              {}
func (silent) Warned(string)               {}
func (silent) Ended(*record.Record, error) {}
