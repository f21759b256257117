package ut

import (
	"fmt"
	"slices"
	"strings"

	"memobench/datasets"
)

// Config holds UT's sizes and switches.
type Config struct {
	Embedding  int `yaml:"embedding" doc:"d_c, size of a word's embedding"`
	Hidden     int `yaml:"hidden" doc:"width of the residual stream, that is of a token's state"`
	Attention  int `yaml:"attention" doc:"width of queries, keys and values, all heads together"`
	Heads      int `yaml:"heads" doc:"attention heads; must divide attention"`
	Transition int `yaml:"transition" doc:"hidden units of the transition MLP"`
	Steps      int `yaml:"steps" doc:"T, applications of the shared block"`

	Position   bool   `yaml:"position" doc:"add the code of a token's position at every step"`
	AnswerFrom string `yaml:"answer_from" doc:"token whose final state is the answer: query, or the mean of all"`

	DropoutAttention float64 `yaml:"dropout_attention" doc:"on attention weights while training"`
	DropoutRelu      float64 `yaml:"dropout_relu" doc:"on the transition's hidden units while training"`
	DropoutResidual  float64 `yaml:"dropout_residual" doc:"on the embedded tokens and on what a sub-layer adds while training"`
}

// Values of Config.AnswerFrom.
const (
	FromQuery = "query"
	FromMean  = "mean"
)

// maxSteps keeps the number of dropouts, 4 a step, within the streams that
// ops.Noise can tell apart.
const maxSteps = 60

// Defaults returns the sizes of the MEMO paper's table of hyper-parameters.
func Defaults() *Config {
	return &Config{
		Embedding: 128, Hidden: 128, Attention: 512, Heads: 8, Transition: 128, Steps: 6,
		Position: true, AnswerFrom: FromQuery,
		DropoutAttention: 0.1, DropoutRelu: 0.1, DropoutResidual: 0.1,
	}
}

// Validate names the first key whose value is out of range.
func (c *Config) Validate(shape datasets.Shape) error {
	for _, k := range []struct {
		key   string
		value int
	}{
		{"embedding", c.Embedding}, {"hidden", c.Hidden}, {"attention", c.Attention},
		{"heads", c.Heads}, {"transition", c.Transition}, {"steps", c.Steps},
	} {
		if k.value < 1 {
			return fmt.Errorf("ut: %s: %d, want 1 or more", k.key, k.value)
		}
	}
	if c.Steps > maxSteps {
		return fmt.Errorf("ut: steps: %d, want at most %d", c.Steps, maxSteps)
	}
	if c.Attention%c.Heads != 0 {
		return fmt.Errorf("ut: attention: %d, want a multiple of heads (%d)", c.Attention, c.Heads)
	}
	if allowed := []string{FromQuery, FromMean}; !slices.Contains(allowed, c.AnswerFrom) {
		return fmt.Errorf("ut: answer_from: %q, want %s", c.AnswerFrom, strings.Join(allowed, ", "))
	}
	for _, k := range []struct {
		key   string
		value float64
	}{{"dropout_attention", c.DropoutAttention}, {"dropout_relu", c.DropoutRelu}, {"dropout_residual", c.DropoutResidual}} {
		if !(k.value >= 0 && k.value < 1) {
			return fmt.Errorf("ut: %s: %g, want 0 to below 1", k.key, k.value)
		}
	}
	if shape.Answers != 1 {
		return fmt.Errorf("ut: the task asks for %d answers per query; this version gives 1", shape.Answers)
	}
	return nil
}
