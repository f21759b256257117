package record

import (
	"encoding/json"
	"fmt"
)

// CurveName is the name of a run's learning curve in its directory.
const CurveName = "curve.jsonl"

// maxCurve is the maximum size of a learning curve in bytes: ten times that of 10,000 evaluations
// of 20 kinds.
const maxCurve = 32 << 20

// Point is one evaluation on the validation split: one line of curve.jsonl.
type Point struct {
	Step       int       `json:"step" doc:"updates done"`
	Examples   int64     `json:"examples" doc:"training examples seen, repeats counted"`
	TrainLoss  float64   `json:"train_loss" doc:"mean training loss since the point before, nats"`
	Rate       float64   `json:"learning_rate" doc:"learning rate of the last step"`
	GradNorm   *float64  `json:"grad_norm,omitempty" doc:"gradient norm of the last step; absent when it is not finite"`
	Loss       float64   `json:"loss" doc:"mean cross entropy on the validation split, nats"`
	Hops       *float64  `json:"hops,omitempty" doc:"mean number of hops for an answer; absent for a model without hops"`
	AnswerHops []float64 `json:"answer_hops,omitempty" doc:"mean number of hops for each answer; absent where one is asked for, and for a model without hops"`
	Kinds      []Kind    `json:"kinds" doc:"counts per kind of question on the validation split, as in a record's evaluation"`
	Seconds    float64   `json:"seconds" doc:"wall time of the run so far, all sessions"`
}

// Accuracy returns the unweighted mean over the kinds, in per cent.
func (p *Point) Accuracy() float64 {
	v, _ := Accuracy.Overall(p.Record())
	return v
}

// Record returns a record that has only the point's counts.
func (p *Point) Record() *Record { return &Record{Evaluation: Evaluation{Kinds: p.Kinds}} }

// ReadCurve reads the learning curve of a run from its curve.jsonl. Errors name
// the file and the line.
func ReadCurve(path string) ([]Point, error) { return ReadParsed(path, maxCurve, parseCurve) }

// parseCurve reads the points of a learning curve, one JSON object per line. Steps
// must increase, and no count may be above its total.
func parseCurve(data []byte) (points []Point, err error) {
	last := 0
	err = eachLine(data, func(line []byte) error {
		var p Point
		if err := json.Unmarshal(line, &p); err != nil {
			return err
		}
		if p.Step <= last {
			return fmt.Errorf("step %d after step %d", p.Step, last)
		}
		for _, k := range p.Kinds {
			if k.Correct < 0 || k.Correct > k.Total {
				return fmt.Errorf("kind %q: %d right of %d questions", k.Name, k.Correct, k.Total)
			}
		}
		last, points = p.Step, append(points, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return points, nil
}
