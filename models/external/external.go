// Package external runs a model in another process, in any language. memobench controls data,
// batches, seeds, steps, evaluation, checkpoints and records. The process trains on a batch,
// scores a batch, and returns its state.
//
// Messages use the standard input and output of the process (PROTOCOL.md), one request at a
// time. Its standard error is passed on. If it times out, ends, or sends an unexpected
// answer, the run ends with an error and keeps its last checkpoint.
//
// tools/python has a client as a Python package, and examples.
package external

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"memobench/datasets"
	"memobench/models"
)

// config describes the process of a model.
type config struct {
	Command string `yaml:"command" doc:"command that starts the model, run by the shell, for example python3 my_model.py"`
	Timeout int    `yaml:"timeout" range:"1 or more" doc:"seconds that the process may take to start, and for a batch"`
}

// defaults returns a time limit of ten minutes and no command.
func defaults() *config { return &config{Timeout: 600} }

// StartsCommand returns the command that building the model starts.
func (c *config) StartsCommand() string { return c.Command }

// Validate names the first setting whose value is out of range.
func (c *config) Validate() error {
	if strings.TrimSpace(c.Command) == "" {
		return errors.New("command: empty; give --model exec:'python3 my_model.py'")
	}
	return models.CheckRanges(c)
}

func init() {
	models.Register("exec", "External model",
		"a model in another process and any language: --model exec:'python3 my_model.py' (docs/extend.md)",
		defaults, build)
}

// model is a model in another process. Close ends the process.
type model struct {
	process    *process
	shape      datasets.Shape
	parameters int
	steps      int // updates done
	prediction models.Prediction
}

// protocol is the version of the message protocol.
const protocol = 1

// taskInfo describes task and training to the process.
type taskInfo struct {
	Vocabulary int             `json:"vocabulary"`
	MaxRows    int             `json:"max_rows"`
	RowWidth   int             `json:"row_width"`
	QueryWidth int             `json:"query_width"`
	Answers    int             `json:"answers"`
	ItemDim    int             `json:"item_dim,omitempty"`
	Temporal   bool            `json:"temporal"`
	Training   models.Training `json:"training"`
	Seed       uint64          `json:"seed"`
}

// build starts the process and sends it the task. A failure of the process is a
// *models.RunError.
func build(cfg *config, shape datasets.Shape, t models.Training, seed uint64) (*model, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	p, err := start(cfg.Command, time.Duration(cfg.Timeout)*time.Second)
	if err != nil {
		return nil, &models.RunError{Err: err}
	}
	m := &model{process: p, shape: shape}
	hello, err := p.request(&message{header: header{Type: "hello", Protocol: protocol, Task: &taskInfo{
		Vocabulary: shape.Vocabulary, MaxRows: shape.MaxRows, RowWidth: shape.RowWidth, QueryWidth: shape.QueryWidth,
		Answers: shape.Answers, ItemDim: shape.ItemDim, Temporal: shape.Temporal, Training: t, Seed: seed,
	}}}, "hello", maxSmall)
	if err == nil && hello.Protocol != protocol {
		err = p.fail(hello, fmt.Errorf("protocol version %d, want %d", hello.Protocol, protocol))
	}
	if err != nil {
		return nil, &models.RunError{Err: err}
	}
	m.parameters = max(hello.Parameters, 0)
	return m, nil
}

// Train implements models.Model. A loss of null is NaN. An answer without one is an error and
// no divergence: its key may be misspelt.
func (m *model) Train(b *datasets.Batch) (models.StepStats, error) {
	request := &message{header: header{Type: "train", Step: &m.steps}, arrays: append(questions(b),
		array{"targets", []int{b.Size(), b.Answers}, b.Targets},
		array{"kinds", []int{b.Size()}, b.Kinds},
	)}
	answer, err := m.process.request(request, "trained", maxSmall)
	if err != nil {
		return models.StepStats{}, err
	}
	var loss *float64
	if answer.Loss == nil {
		return models.StepStats{}, m.process.fail(request, errors.New(`the answer has no "loss", which is a number, or null if it is not finite`))
	}
	if json.Unmarshal(answer.Loss, &loss) != nil {
		return models.StepStats{}, m.process.fail(request, fmt.Errorf(`"loss" is %.40s, want a number, or null if it is not finite`, answer.Loss))
	}
	if loss != nil && *loss < 0 {
		return models.StepStats{}, m.process.fail(request, fmt.Errorf(`"loss" is %g, want a mean cross entropy, 0 or more`, *loss))
	}
	m.steps++
	s := models.StepStats{Loss: math.NaN(), LearningRate: answer.Rate, GradNorm: math.NaN()}
	if loss != nil {
		s.Loss = *loss
	}
	if answer.GradNorm != nil {
		s.GradNorm = *answer.GradNorm
	}
	return s, nil
}

// Predict implements models.Model. The right answers are not sent; the loss is computed from
// the scores. With a score of NaN or +Inf, or -Inf for the right answer, it is not finite, which
// is a divergence.
func (m *model) Predict(b *datasets.Batch) (*models.Prediction, error) {
	request := &message{header: header{Type: "predict"}, arrays: questions(b)}
	answer, err := m.process.request(request, "predicted", maxSmall+8*b.Size()*b.Answers*m.shape.Vocabulary)
	if err != nil {
		return nil, err
	}
	scores, err := answer.float32s("scores", b.Size(), b.Answers, m.shape.Vocabulary)
	if err != nil {
		return nil, m.process.fail(request, err)
	}
	m.prediction = models.Prediction{Scores: scores, Loss: crossEntropy(scores, b.Targets, m.shape.Vocabulary)}
	return &m.prediction, nil
}

// questions returns the arrays of a batch without its answers.
func questions(b *datasets.Batch) []array {
	offsets := make([]int64, len(b.Offsets))
	for i, o := range b.Offsets {
		offsets[i] = int64(o)
	}
	list := []array{
		{"rows", []int{b.NumRows(), b.RowWidth}, b.Rows},
		{"offsets", []int{len(offsets)}, offsets},
		{"queries", []int{b.Size(), b.QueryWidth}, b.Queries},
	}
	if b.Items != nil {
		list = append(list, array{"items", []int{b.Items.Len(), b.Items.Dim}, b.Items.Data})
	}
	return list
}

// crossEntropy is the mean over answers of -log softmax(scores)[target], in nats.
func crossEntropy(scores []float32, targets []int32, vocabulary int) float64 {
	sum := 0.0
	for i, target := range targets {
		row := scores[i*vocabulary : (i+1)*vocabulary]
		most := float64(row[0])
		for _, v := range row {
			most = max(most, float64(v))
		}
		total := 0.0
		for _, v := range row {
			total += math.Exp(float64(v) - most)
		}
		sum += most + math.Log(total) - float64(row[target])
	}
	return sum / float64(max(len(targets), 1))
}

// Parameters implements models.Counter with the number that the process reports.
func (m *model) Parameters() int { return m.parameters }

// Err implements models.External.
func (m *model) Err() error { return m.process.failure }

// Close ends the process.
func (m *model) Close() error { return m.process.close() }
