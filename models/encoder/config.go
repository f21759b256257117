package encoder

import (
	"fmt"

	"memobench/models"
	"memobench/models/layers"
)

// Config holds the settings that all encoders share.
type Config struct {
	Embedding  int `yaml:"embedding" range:"1 or more" doc:"d_c, size of a word's embedding"`
	Hidden     int `yaml:"hidden" range:"1 or more" doc:"width of the residual stream, that is of a token's state"`
	Attention  int `yaml:"attention" range:"1 or more" doc:"width of queries, keys and values, all heads together"`
	Heads      int `yaml:"heads" range:"1 or more" doc:"heads; must divide attention"`
	Transition int `yaml:"transition" range:"1 or more" doc:"hidden units of the transition MLP"`

	Sentence string `yaml:"sentence" legacy:"separate" range:"separate, masked" doc:"how words make a row or a query: separate (a matrix for each place) or masked (the sum of their embeddings, each weighted by a learned mask of its place; needs hidden = embedding)"`

	Init           string  `yaml:"init" range:"neutral, associate" doc:"initial values: neutral, or associate (tokens attend to those with which they share a word)"`
	EmbeddingStd   float64 `yaml:"embedding_std" legacy:"1" range:"above 0" doc:"standard deviation of the initial word embeddings"`
	AssociateHeads int     `yaml:"associate_heads" legacy:"0" range:"0 or more" doc:"heads, the first ones, for which init: associate sets initial values; 0 is all"`
	Position       bool    `yaml:"position" doc:"add the code of a token's position: ut at every step, the others to the embedded tokens"`
	AnswerFrom     string  `yaml:"answer_from" range:"query, mean" doc:"token whose final state is the answer: query, or the mean of all"`

	Answers string `yaml:"answers" legacy:"requery" range:"append, requery" doc:"query of the answers after the first: append (the first query and the answer before) or requery (the answer before in place of one of its words)"`

	TeacherForcing bool `yaml:"teacher_forcing" doc:"while training, the query of the next answer holds the right answer instead of the model's own"`

	DropoutRelu     float64 `yaml:"dropout_relu" range:"0 to below 1" doc:"on the transition's hidden units while training"`
	DropoutResidual float64 `yaml:"dropout_residual" range:"0 to below 1" doc:"on the embedded tokens and on what a sub-layer adds while training"`
}

// AttentionConfig holds the settings of softmax attention.
type AttentionConfig struct {
	LinearHeads      int     `yaml:"linear_heads" legacy:"0" range:"0 or more" doc:"heads, the last ones, whose attention weights are the logits, without softmax"`
	DropoutAttention float64 `yaml:"dropout_attention" range:"0 to below 1" doc:"on attention weights while training"`
}

// Values of Config.AnswerFrom, Config.Sentence, Config.Init and Config.Answers.
const (
	fromQuery = "query"
	fromMean  = "mean"

	sentenceSeparate = "separate"
	sentenceMasked   = "masked"

	initNeutral   = "neutral"
	initAssociate = "associate" // see parameters.go

	answersAppend  = "append"
	answersRequery = "requery"
)

// Defaults returns the sizes of UT in the MEMO paper's table of hyper-parameters.
func Defaults() Config {
	return Config{
		Embedding: 128, Hidden: 128, Attention: 512, Heads: 8, Transition: 128,
		EmbeddingStd: 1, Sentence: sentenceSeparate, Init: initNeutral, Position: true, AnswerFrom: fromQuery, Answers: answersAppend,
		DropoutRelu: 0.1, DropoutResidual: 0.1,
	}
}

// Check names the first setting whose value is out of range in whole, the configuration that
// embeds c. linearHeads is that of AttentionConfig.
func (c *Config) Check(whole any, linearHeads int) error {
	if err := models.CheckRanges(whole); err != nil {
		return err
	}
	if c.Attention%c.Heads != 0 {
		return fmt.Errorf("attention: %d, want a multiple of heads (%d)", c.Attention, c.Heads)
	}
	if c.Sentence == sentenceMasked && c.Hidden != c.Embedding {
		return fmt.Errorf("sentence: masked, want hidden (%d) to be embedding (%d)", c.Hidden, c.Embedding)
	}
	if c.AssociateHeads > c.Heads {
		return fmt.Errorf("associate_heads: %d, want 0 to heads (%d)", c.AssociateHeads, c.Heads)
	}
	if linearHeads > c.Heads {
		return fmt.Errorf("linear_heads: %d, want 0 to heads (%d)", linearHeads, c.Heads)
	}
	return nil
}

// Queries says what the queries of the answers after the first hold.
func (c *Config) Queries() layers.Queries {
	if c.Answers == answersRequery {
		return layers.Replaced
	}
	return layers.Appended
}
