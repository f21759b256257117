package ut

import (
	"fmt"
	"slices"
	"strings"

	"memobench/models/layers"
)

// Config holds UT's sizes and switches.
type Config struct {
	Embedding  int `yaml:"embedding" doc:"d_c, size of a word's embedding"`
	Hidden     int `yaml:"hidden" doc:"width of the residual stream, that is of a token's state"`
	Attention  int `yaml:"attention" doc:"width of queries, keys and values, all heads together"`
	Heads      int `yaml:"heads" doc:"attention heads; must divide attention"`
	Transition int `yaml:"transition" doc:"hidden units of the transition MLP"`
	Steps      int `yaml:"recurrent_steps" doc:"T, applications of the shared block"`

	Start          string  `yaml:"start" doc:"initial values: neutral, or associate (tokens attend to those with which they share a word)"`
	EmbeddingStd   float64 `yaml:"embedding_std" legacy:"1" doc:"standard deviation of the initial word embeddings"`
	AssociateHeads int     `yaml:"associate_heads" legacy:"0" doc:"heads for which start: associate sets initial values; 0 is all"`
	Position       bool    `yaml:"position" doc:"add the code of a token's position at every step"`
	AnswerFrom     string  `yaml:"answer_from" doc:"token whose final state is the answer: query, or the mean of all"`

	Answers string `yaml:"answers" legacy:"requery" doc:"query of the answers after the first: append (the first query and the answer before) or requery (the answer before in place of one of its words)"`

	Feedback string `yaml:"feedback" doc:"answer that the query of the next one holds while training: the model's own or the right one (predicted, truth)"`

	Halting       string  `yaml:"halting" doc:"none, or act: each token decides how many steps count (adaptive computation time)"`
	ActEpsilon    float64 `yaml:"act_epsilon" doc:"a token halts when its halting probabilities exceed 1 - act_epsilon"`
	ActLossWeight float64 `yaml:"act_loss_weight" doc:"weight of the mean ponder time in the loss"`
	ActMaxSteps   int     `yaml:"act_max_steps" doc:"steps with halting act, in place of recurrent_steps"`

	DropoutAttention float64 `yaml:"dropout_attention" doc:"on attention weights while training"`
	DropoutRelu      float64 `yaml:"dropout_relu" doc:"on the transition's hidden units while training"`
	DropoutResidual  float64 `yaml:"dropout_residual" doc:"on the embedded tokens and on what a sub-layer adds while training"`
}

// Values of Config.AnswerFrom, Config.Halting, Config.Start and Config.Answers.
const (
	fromQuery  = "query"
	fromMean   = "mean"
	haltingACT = "act"
	noHalting  = "none"

	initNeutral   = "neutral"
	initAssociate = "associate" // see parameters.go

	AnswersAppend  = "append"
	AnswersRequery = "requery"
)

// maxSteps bounds the graph, which holds every step.
const maxSteps = 60

// Defaults returns the sizes of the MEMO paper's table of hyper-parameters.
func Defaults() *Config {
	return &Config{
		Embedding: 128, Hidden: 128, Attention: 512, Heads: 8, Transition: 128, Steps: 6,
		EmbeddingStd: 1, Start: initNeutral, Position: true, AnswerFrom: fromQuery, Answers: AnswersAppend, Feedback: string(layers.FreeRunning),
		Halting: noHalting, ActEpsilon: 0.01, ActLossWeight: 0.01, ActMaxSteps: 12,
		DropoutAttention: 0.1, DropoutRelu: 0.1, DropoutResidual: 0.1,
	}
}

// Validate names the first key whose value is out of range.
func (c *Config) Validate() error {
	for _, k := range []struct {
		key   string
		value int
	}{
		{"embedding", c.Embedding}, {"hidden", c.Hidden}, {"attention", c.Attention},
		{"heads", c.Heads}, {"transition", c.Transition}, {"recurrent_steps", c.Steps}, {"act_max_steps", c.ActMaxSteps},
	} {
		if k.value < 1 {
			return fmt.Errorf("ut: %s: %d, want 1 or more", k.key, k.value)
		}
	}
	if c.Steps > maxSteps || c.ActMaxSteps > maxSteps {
		return fmt.Errorf("ut: recurrent_steps: %d and act_max_steps: %d, want at most %d", c.Steps, c.ActMaxSteps, maxSteps)
	}
	if c.Attention%c.Heads != 0 {
		return fmt.Errorf("ut: attention: %d, want a multiple of heads (%d)", c.Attention, c.Heads)
	}
	if c.AssociateHeads < 0 || c.AssociateHeads > c.Heads {
		return fmt.Errorf("ut: associate_heads: %d, want 0 to heads (%d)", c.AssociateHeads, c.Heads)
	}
	for _, k := range []struct {
		key, value string
		allowed    []string
	}{
		{"answer_from", c.AnswerFrom, []string{fromQuery, fromMean}},
		{"halting", c.Halting, []string{noHalting, haltingACT}},
		{"answers", c.Answers, []string{AnswersAppend, AnswersRequery}},
		{"start", c.Start, []string{initNeutral, initAssociate}},
	} {
		if !slices.Contains(k.allowed, k.value) {
			return fmt.Errorf("ut: %s: %q, want %s", k.key, k.value, strings.Join(k.allowed, ", "))
		}
	}
	for _, k := range []struct {
		key   string
		value float64
	}{{"dropout_attention", c.DropoutAttention}, {"dropout_relu", c.DropoutRelu}, {"dropout_residual", c.DropoutResidual}} {
		if !(k.value >= 0 && k.value < 1) {
			return fmt.Errorf("ut: %s: %g, want 0 to below 1", k.key, k.value)
		}
	}
	if !(c.EmbeddingStd > 0) {
		return fmt.Errorf("ut: embedding_std: %g, want above 0", c.EmbeddingStd)
	}
	if !(c.ActEpsilon > 0 && c.ActEpsilon < 1) {
		return fmt.Errorf("ut: act_epsilon: %g, want above 0 and below 1", c.ActEpsilon)
	}
	if !(c.ActLossWeight >= 0) {
		return fmt.Errorf("ut: act_loss_weight: %g, want 0 or more", c.ActLossWeight)
	}
	return nil
}

// queries returns what the queries are for the answers after the first.
func (c *Config) queries() layers.Queries {
	if c.Answers == AnswersRequery {
		return layers.Replaced
	}
	return layers.Appended
}

// steps returns how often the block is applied.
func (c *Config) steps() int {
	if c.Halting == haltingACT {
		return c.ActMaxSteps
	}
	return c.Steps
}
