package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"memobench/datasets/strictjson"
)

// Name of the file of predictions in a run's directory, and its schema version.
const (
	PredictionsName    = "predictions.jsonl"
	PredictionsVersion = 1
)

// Predictions are the answers to every question of an evaluation, in order. They allow a
// paired comparison of two models on the same questions.
type Predictions struct {
	Head    PredictionsHead
	Answers []Prediction
}

// PredictionsHead is the first line of predictions.jsonl.
type PredictionsHead struct {
	Schema    int      `json:"schema"`
	Protocol  string   `json:"protocol"`          // hash, as in the record
	Dataset   string   `json:"dataset"`           // hash, as in the record
	Split     string   `json:"split"`             // that was evaluated
	Questions string   `json:"questions"`         // hash of the questions
	Kinds     []string `json:"kinds"`             // names that Prediction.Kind indexes
	Names     []string `json:"answers,omitempty"` // of the answers to a question; absent where one is asked for
}

// Prediction is the answer to one question: one line of predictions.jsonl. Answers are
// numbers of words; -1 means that all scores were NaN.
type Prediction struct {
	Kind     int     `json:"kind"`
	Target   []int32 `json:"target"`             // [A]
	Answer   []int32 `json:"answer"`             // [A] chosen among all words
	Choice   *int32  `json:"choice,omitempty"`   // chosen among those that the question offers; absent where none are
	Accepted *bool   `json:"accepted,omitempty"` // right as a whole, though others may be the target; absent where only the target is
}

// Right reports whether all answers are the targets.
func (p *Prediction) Right() bool { return slices.Equal(p.Target, p.Answer) }

// Write writes the head and the answers, one JSON object per line.
func (p *Predictions) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	err := e.Encode(p.Head)
	for i := 0; i < len(p.Answers) && err == nil; i++ {
		err = e.Encode(&p.Answers[i])
	}
	return err
}

// ReadPredictions reads a predictions.jsonl. Errors name the file and the line.
func ReadPredictions(path string) (*Predictions, error) {
	return ReadParsed(path, MaxTextSize, parsePredictions)
}

// parsePredictions refuses unknown keys, an incomplete line, and answers that do not fit the head.
func parsePredictions(data []byte) (*Predictions, error) {
	if len(data) == 0 || data[len(data)-1] != '\n' {
		return nil, fmt.Errorf("line %d: cut off", 1+bytes.Count(data, []byte("\n")))
	}
	lines := bytes.Split(data[:len(data)-1], []byte("\n"))
	p := new(Predictions)
	if err := strictjson.DecodeVersion(lines[0], "head of predictions", PredictionsVersion, &p.Head); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	for i, text := range lines[1:] {
		var a Prediction
		err := strictjson.Decode(text, &a)
		switch want := max(1, len(p.Head.Names)); {
		case err != nil:
		case a.Kind < 0 || a.Kind >= len(p.Head.Kinds):
			err = fmt.Errorf("kind %d of %d", a.Kind, len(p.Head.Kinds))
		case len(a.Target) != want || len(a.Answer) != want:
			err = fmt.Errorf("%d answers to %d targets, want %d", len(a.Answer), len(a.Target), want)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		p.Answers = append(p.Answers, a)
	}
	return p, nil
}

// Fits returns an error for the first count of the evaluation that differs from that of
// the answers: then they are of another evaluation.
func (p *Predictions) Fits(e *Evaluation) error {
	if p.Head.Split != e.Split || len(p.Head.Kinds) != len(e.Kinds) {
		return fmt.Errorf("answers to %d kinds of question of the %s split, the record has %d of the %s split",
			len(p.Head.Kinds), p.Head.Split, len(e.Kinds), e.Split)
	}
	kinds := make([]Kind, len(e.Kinds))
	for i := range p.Answers {
		kinds[p.Answers[i].Kind].Count(&p.Answers[i])
	}
	for i, have := range kinds {
		have.Name = p.Head.Kinds[i]
		if k := e.Kinds[i]; have.Name != k.Name || have.Total != k.Total || have.Correct != k.Correct {
			return fmt.Errorf("%d of %d answers of kind %s are right, the record counts %d of %d of kind %s",
				have.Correct, have.Total, have.Name, k.Correct, k.Total, k.Name)
		}
	}
	return nil
}
