package ut

import (
	"fmt"

	"memobench/models"
	"memobench/models/layers"
)

// Config holds UT's sizes and switches.
type Config struct {
	Embedding   int `yaml:"embedding" range:"1 or more" doc:"d_c, size of a word's embedding"`
	Hidden      int `yaml:"hidden" range:"1 or more" doc:"width of the residual stream, that is of a token's state"`
	Attention   int `yaml:"attention" range:"1 or more" doc:"width of queries, keys and values, all heads together"`
	Heads       int `yaml:"heads" range:"1 or more" doc:"attention heads; must divide attention"`
	LinearHeads int `yaml:"linear_heads" legacy:"0" range:"0 or more" doc:"heads whose attention weights are the logits, without softmax"`
	Transition  int `yaml:"transition" range:"1 or more" doc:"hidden units of the transition MLP"`
	Steps       int `yaml:"recurrent_steps" range:"1 to 60" doc:"T, applications of the shared block"`

	Init           string  `yaml:"init" range:"neutral, associate" doc:"initial values: neutral, or associate (tokens attend to those with which they share a word)"`
	EmbeddingStd   float64 `yaml:"embedding_std" legacy:"1" range:"above 0" doc:"standard deviation of the initial word embeddings"`
	AssociateHeads int     `yaml:"associate_heads" legacy:"0" range:"0 or more" doc:"heads for which init: associate sets initial values; 0 is all"`
	Position       bool    `yaml:"position" doc:"add the code of a token's position at every step"`
	AnswerFrom     string  `yaml:"answer_from" range:"query, mean" doc:"token whose final state is the answer: query, or the mean of all"`

	Answers string `yaml:"answers" legacy:"requery" range:"append, requery" doc:"query of the answers after the first: append (the first query and the answer before) or requery (the answer before in place of one of its words)"`

	TeacherForcing bool `yaml:"teacher_forcing" doc:"while training, the query of the next answer holds the right answer instead of the model's own"`

	Halting       string  `yaml:"halting" range:"none, act" doc:"none, or act: each token decides how many steps count (adaptive computation time)"`
	ActEpsilon    float64 `yaml:"act_epsilon" range:"above 0 to below 1" doc:"a token halts when its halting probabilities exceed 1 - act_epsilon"`
	ActLossWeight float64 `yaml:"act_loss_weight" range:"0 or more" doc:"weight of the mean ponder time in the loss"`
	ActMaxSteps   int     `yaml:"act_max_steps" range:"1 to 60" doc:"steps with halting act, in place of recurrent_steps"`

	DropoutAttention float64 `yaml:"dropout_attention" range:"0 to below 1" doc:"on attention weights while training"`
	DropoutRelu      float64 `yaml:"dropout_relu" range:"0 to below 1" doc:"on the transition's hidden units while training"`
	DropoutResidual  float64 `yaml:"dropout_residual" range:"0 to below 1" doc:"on the embedded tokens and on what a sub-layer adds while training"`
}

// Values of Config.AnswerFrom, Config.Halting, Config.Init and Config.Answers.
const (
	fromQuery  = "query"
	fromMean   = "mean"
	haltingACT = "act"
	noHalting  = "none"

	initNeutral   = "neutral"
	initAssociate = "associate" // see parameters.go

	answersAppend  = "append"
	answersRequery = "requery"
)

// Defaults returns the sizes of the MEMO paper's table of hyper-parameters.
func Defaults() *Config {
	return &Config{
		Embedding: 128, Hidden: 128, Attention: 512, Heads: 8, Transition: 128, Steps: 6,
		EmbeddingStd: 1, Init: initNeutral, Position: true, AnswerFrom: fromQuery, Answers: answersAppend,
		Halting: noHalting, ActEpsilon: 0.01, ActLossWeight: 0.01, ActMaxSteps: 12,
		DropoutAttention: 0.1, DropoutRelu: 0.1, DropoutResidual: 0.1,
	}
}

// Validate names the first setting whose value is out of range.
func (c *Config) Validate() error {
	if err := models.CheckRanges(c); err != nil {
		return err
	}
	if c.Attention%c.Heads != 0 {
		return fmt.Errorf("attention: %d, want a multiple of heads (%d)", c.Attention, c.Heads)
	}
	if c.AssociateHeads > c.Heads {
		return fmt.Errorf("associate_heads: %d, want 0 to heads (%d)", c.AssociateHeads, c.Heads)
	}
	if c.LinearHeads > c.Heads {
		return fmt.Errorf("linear_heads: %d, want 0 to heads (%d)", c.LinearHeads, c.Heads)
	}
	return nil
}

// queries returns what the queries are for the answers after the first.
func (c *Config) queries() layers.Queries {
	if c.Answers == answersRequery {
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
