package dnc

import (
	"memobench/datasets"
	"memobench/models"
	"memobench/models/layers"
)

// Config holds the DNC's sizes. The defaults are those of the MEMO paper's
// comparison (table 13 there) where it gives them.
type Config struct {
	Embedding int `yaml:"embedding" range:"1 or more" doc:"d_c, size of a word's embedding"`
	Input     int `yaml:"input" range:"1 or more" doc:"size of a row's or query's embedding, the controller's input"`
	Hidden    int `yaml:"hidden" range:"1 or more" doc:"H, LSTM units of the controller"`
	Slots     int `yaml:"slots" range:"0 to 65536" doc:"N, memory slots; 0 is the task's largest number of memory rows, 256 at most"`
	Word      int `yaml:"word" range:"1 or more" doc:"W, size of a memory slot"`
	ReadHeads int `yaml:"read_heads" range:"1 or more" doc:"R, read heads; there is one write head"`
	Ponder    int `yaml:"ponder" range:"0 to 200" doc:"steps without input after the query, before the answer"`
	Output    int `yaml:"output" range:"1 or more" doc:"size of the DNC's output, from which the answer is read"`

	Bidirectional bool `yaml:"bidirectional" legacy:"false" doc:"rows carry the state of a second LSTM, which reads the query and then the rows, the newest first"`

	Answers string `yaml:"answers" legacy:"requery" range:"ponder, requery" doc:"how several answers are given: ponder (one after the other during the pondering steps after one query) or requery (each after a query of its own, which holds the answer before, and pondering steps of its own)"`

	TeacherForcing bool `yaml:"teacher_forcing" doc:"while training, the query of the next answer holds the right answer instead of the model's own"`

	Init           string  `yaml:"init" range:"neutral, recall, associate" doc:"initial values of the controller and the interface: neutral, recall (rows go to fresh slots and are read by content from the first step on), or associate (and the content is looked up by the words that row and query share)"`
	EmbeddingStd   float64 `yaml:"embedding_std" legacy:"1" range:"above 0" doc:"standard deviation of the initial word embeddings"`
	ForgetGate     float64 `yaml:"forget_gate" legacy:"0" range:"0 to below 1" doc:"initial value of the controller's forget gates, above 0 and below 1; 0 is that of init: 0.5 for neutral, 0.05 for the others"`
	ContentEpsilon float64 `yaml:"content_epsilon" range:"above 0" doc:"added to a squared norm before its root, in cosines"`
}

// maxDefaultSlots bounds the default number of slots. The links cost N x N per
// step and example; 256 slots is what Graves et al. used for bAbI, whose
// longest story has 320 rows.
const maxDefaultSlots = 256

// Values of Config.Init.
const (
	initNeutral   = "neutral"   // all biases 0
	initRecall    = "recall"    // see parameters.go
	initAssociate = "associate" // recall, and keys that match contents
)

// Values of Config.Answers.
const (
	answersPonder  = "ponder"
	answersRequery = "requery"
)

// Defaults returns the paper's sizes.
func Defaults() *Config {
	return &Config{
		Embedding: 128, Input: 128, Hidden: 128, Slots: 0, Word: 384, ReadHeads: 3, Ponder: 10, Output: 128,
		Answers: answersPonder, EmbeddingStd: 1, Init: initNeutral, ContentEpsilon: 1e-6,
	}
}

// Validate names the first setting whose value is out of range.
func (c *Config) Validate() error { return models.CheckRanges(c) }

// HopsSetting implements models.Hopped.
func (c *Config) HopsSetting() string { return "ponder" }

// queries says what the queries of the answers after the first hold.
func (c *Config) queries() layers.Queries {
	if c.Answers == answersRequery {
		return layers.Replaced
	}
	return layers.Single
}

// steps returns the number of pondering steps between answers a-1 and a, counted from 0.
func (c *Config) steps(a, answers int) int {
	if c.Answers == answersRequery {
		return c.Ponder
	}
	return c.Ponder*(a+1)/answers - c.Ponder*a/answers
}

// slots returns N for a task.
func (c *Config) slots(shape datasets.Shape) int {
	if c.Slots > 0 {
		return c.Slots
	}
	return min(shape.MaxRows, maxDefaultSlots)
}

// sizes returns the dimensions of the recurrence.
func (c *Config) sizes(shape datasets.Shape) sizes {
	return sizes{input: c.Input, hidden: c.Hidden, slots: c.slots(shape), word: c.Word, heads: c.ReadHeads}
}
