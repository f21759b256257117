// Package trace reads and writes the attention weights of a model on one question.
//
// What comes in: a Trace, or its file. What goes out: a JSON file, or a valid Trace. What
// always holds: attention weights are finite, not below 0, and those of a head and hop sum
// to 1.
package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/datasets/strictjson"
)

// Version is the schema version that this package writes and reads.
const Version = 1

// Default name of a trace's file, and the suffix of all traces that a report reads.
const (
	FileName = "attention.trace.json"
	Suffix   = ".trace.json"
)

// Trace is the attention of a model on one question.
type Trace struct {
	Schema  int      `json:"schema" doc:"schema version of this file"`
	Task    string   `json:"task" doc:"task with its sizes"`
	Label   string   `json:"label" doc:"name of the model's variant in the preset"`
	Title   string   `json:"title" doc:"the label as a table prints it"`
	Preset  string   `json:"preset" doc:"preset the run came from"`
	Seed    uint64   `json:"seed" doc:"seed of the run"`
	Step    int      `json:"step" doc:"step of the weights"`
	Split   string   `json:"split" doc:"split of the question"`
	Labels  []string `json:"labels" doc:"caveats of the run and of the data"`
	Kind    string   `json:"kind" doc:"kind of the question, such as A-C"`
	Query   string   `json:"query" doc:"the question in words"`
	Rows    []string `json:"rows" doc:"contents of the memory, a row each, in their order"`
	Answers []Answer `json:"answers" doc:"what was answered, one for each answer that the question asks for"`
}

// Answer is one answer with the attention that led to it.
type Answer struct {
	Name   string `json:"name,omitempty" doc:"which answer, such as node 1; absent where one is asked for"`
	Target string `json:"target" doc:"the right answer"`
	Given  string `json:"given" doc:"the model's answer"`

	// Hops is [N x H x I], before dropout.
	Hops [][][]float64 `json:"hops" doc:"attention weights by hop, head and memory row; hops that were not taken are left out"`
}

// Mean returns the attention of a hop, from 0, over the heads: [I].
func (a *Answer) Mean(hop int) []float64 {
	mean := make([]float64, len(a.Hops[hop][0]))
	for _, head := range a.Hops[hop] {
		for i, w := range head {
			mean[i] += w / float64(len(a.Hops[hop]))
		}
	}
	return mean
}

// sumError is the tolerance of the sum of a head's weights, up to a few hundred in single
// precision.
const sumError = 1e-3

// Validate returns an error for the first invalid value.
func (t *Trace) Validate() error {
	switch {
	case t.Schema != Version:
		return fmt.Errorf("schema version %d: this program reads version %d", t.Schema, Version)
	case t.Task == "" || t.Label == "" || t.Kind == "":
		return fmt.Errorf("task, label or kind is missing")
	case len(t.Rows) == 0 || len(t.Answers) == 0:
		return fmt.Errorf("%d memory rows and %d answers, want 1 or more of each", len(t.Rows), len(t.Answers))
	}
	for a, answer := range t.Answers {
		if len(answer.Hops) == 0 || len(answer.Hops[0]) == 0 {
			return fmt.Errorf("answer %d: no hops or no heads", a)
		}
		for n, heads := range answer.Hops {
			if len(heads) != len(answer.Hops[0]) {
				return fmt.Errorf("answer %d, hop %d: %d heads, the first hop has %d", a, n, len(heads), len(answer.Hops[0]))
			}
			for h, weights := range heads {
				if len(weights) != len(t.Rows) || !(slices.Min(weights) >= 0 && math.Abs(floats.Sum(weights)-1) <= sumError) { // also of NaN
					return fmt.Errorf("answer %d, hop %d, head %d: weights %v, want %d numbers of at least 0 with the sum 1", a, n, h, weights, len(t.Rows))
				}
			}
		}
	}
	return nil
}

// Write writes the trace as JSON.
func (t *Trace) Write(w io.Writer) error {
	if err := t.Validate(); err != nil {
		return fmt.Errorf("attention trace: %w", err)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(t)
}

// Read reads the trace at path. Errors name the file.
func Read(path string) (*Trace, error) { return record.ReadParsed(path, record.MaxTextSize, parse) }

// parse reads one trace. It refuses unknown keys and anything after it.
func parse(data []byte) (*Trace, error) {
	t := new(Trace)
	err := strictjson.Decode(printable.JSON(data), t)
	if err == nil {
		err = t.Validate()
	}
	if err != nil {
		return nil, fmt.Errorf("bad attention trace: %w", err)
	}
	return t, nil
}
