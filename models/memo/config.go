package memo

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/halting"
	"memobench/models/layers"
)

// Config holds MEMO's sizes and switches. Symbols are the paper's (table 11).
type Config struct {
	Heads       int `yaml:"heads" range:"1 or more" doc:"H, attention heads"`
	Embedding   int `yaml:"embedding" range:"1 or more" doc:"d_c, size of a word's embedding"`
	Width       int `yaml:"width" range:"1 or more" doc:"d, size of a key, value and query per head"`
	AnswerWidth int `yaml:"answer_width" range:"1 or more" doc:"d_a, hidden units of the answer MLP"`
	Hops        int `yaml:"hops" range:"1 to 200" doc:"N, memory reads per query; the most of them when halting is learned"`

	Memory      string  `yaml:"memory" range:"separate, summed" doc:"words of a row kept separate, or summed with a position code (separate, summed); summed is an ablation"`
	Recurrent   bool    `yaml:"recurrent" doc:"update queries by eq. 14; false drops W_q on what was read, LayerNorm and attention dropout, and is an ablation"`
	Wh          string  `yaml:"wh" range:"identity, random, none" doc:"W_h, which mixes the logits of the memory slots: identity or random start, or none"`
	Attention   string  `yaml:"attention" legacy:"softmax" range:"softmax, linear, mixed" doc:"weights of the memory slots: softmax of the logits, the logits themselves (linear), or linear in some heads (mixed)"`
	LinearHeads int     `yaml:"linear_heads" legacy:"0" range:"0 or more" doc:"heads, the last ones, that are linear where attention is mixed; 0: half of them"`
	Sharpness   float64 `yaml:"sharpness" legacy:"1" range:"above 0" doc:"factor of the logits of the memory slots, the inverse temperature of their softmax"`
	Sink        bool    `yaml:"sink" legacy:"false" doc:"attention may read nothing: one more memory slot, with the logit 0 and the value 0"`
	Recall      bool    `yaml:"recall" legacy:"false" doc:"add W_r vec(q W_c) to the query at every hop, so that it need not remember the question (Bansal et al. 2022); W_r starts at 0"`
	LayerNorm   string  `yaml:"layer_norm" range:"head, all, none" doc:"normalize over the features of each head, all of them, or none (head, all, none)"`

	DropoutAttention float64 `yaml:"dropout_attention" range:"0 to below 1" doc:"DropOut_a, on attention weights while training"`
	DropoutOutput    float64 `yaml:"dropout_output" range:"0 to below 1" doc:"DropOut_o, on the answer MLP's hidden units while training"`
	AttentionNoise   float64 `yaml:"attention_noise" legacy:"0" range:"0 or more" doc:"standard deviation of normal noise on the logits of the memory slots while training"`
	QueryNoise       float64 `yaml:"query_noise" legacy:"0" range:"0 or more" doc:"standard deviation of normal noise on the query after each hop while training"`

	AnswerBias     bool   `yaml:"answer_bias" doc:"biases in the answer MLP"`
	TimeEncoding   string `yaml:"time_encoding" range:"auto, on, off" doc:"time code as an extra word slot: auto (when rows are ordered in time), on, off"`
	Loss           string `yaml:"loss" range:"final, all, mean" doc:"cross entropy at the final hop, averaged over all hops (all), or of the mean of the scores of all hops, which is then the answer (mean)"`
	LossFrom       int    `yaml:"loss_from" legacy:"1" range:"1 or more" doc:"the first hop whose answer is scored where loss is all or mean"`
	TeacherForcing bool   `yaml:"teacher_forcing" doc:"while training, the query of the next answer holds the right answer instead of the model's own"`
	Form           string `yaml:"form" range:"auto, associative, keys, pairs, mapped" doc:"auto, associative, keys, pairs or mapped: how memory is read; same function, other cost"`

	halting.Config

	EmbeddingStd float64 `yaml:"embedding_std" range:"above 0" doc:"standard deviation of the initial word embeddings"`
	AnswerStd    float64 `yaml:"answer_std" range:"above 0" doc:"initial W_a is normal with answer_std/sqrt(d_a)"`
}

// Defaults returns the paper's sizes for paired associative inference.
func Defaults() *Config {
	return &Config{
		Heads: 1, Embedding: 128, Width: 256, AnswerWidth: 128, Hops: 3,
		Memory: "separate", Recurrent: true, Wh: "identity", Attention: "softmax", Sharpness: 1, LayerNorm: "head",
		DropoutAttention: 0.1, DropoutOutput: 0,
		AnswerBias: true, TimeEncoding: "auto", Loss: "final", LossFrom: 1, Form: "auto",
		Config:       halting.Defaults(),
		EmbeddingStd: 1, AnswerStd: 1,
	}
}

// Validate names the first setting whose value is out of range.
func (c *Config) Validate() error {
	if err := models.CheckRanges(c); err != nil {
		return err
	}
	switch form := c.Form; {
	case form == mapped && !c.Recurrent:
		return fmt.Errorf("form: %q is for recurrent attention and needs recurrent: true", form)
	case (form == pairs || form == mapped) && !c.separate():
		return fmt.Errorf("form: %q reads each word slot for itself and needs memory: separate, not %s", form, c.Memory)
	case c.halts() && !c.Recurrent:
		return fmt.Errorf("halting: %q without recurrent attention, want fixed", c.Halting)
	case c.Attention == "mixed" && c.Heads < 2:
		return fmt.Errorf("attention: %q needs 2 heads or more, there are %d", c.Attention, c.Heads)
	case c.LinearHeads > 0 && c.LinearHeads >= c.Heads:
		return fmt.Errorf("linear_heads: %d of %d heads, want fewer than all", c.LinearHeads, c.Heads)
	case c.HasNetwork() && c.Attention != "softmax":
		return fmt.Errorf("attention: %q with halting: %q, which compares distributions over slots; want softmax", c.Attention, c.Halting)
	case c.LossFrom > c.Hops:
		return fmt.Errorf("loss_from: %d of %d hops, want one of them", c.LossFrom, c.Hops)
	case c.Recall && (!c.Recurrent || c.halts()):
		return errors.New("recall: needs recurrent: true and halting: fixed")
	case c.halts() && c.Loss != "final":
		return fmt.Errorf("loss: %q cannot score all hops where each example halts at its own; want final", c.Loss)
	}
	return nil
}

// HopsSetting implements models.Hopped.
func (c *Config) HopsSetting() string { return "hops" }

// separate reports whether the words of a row are kept separate.
func (c *Config) separate() bool { return c.Memory == "separate" }

// normalizes reports whether queries pass through LayerNorm.
func (c *Config) normalizes() bool { return c.Recurrent && c.LayerNorm != "none" }

// linearHeads returns how many heads, the last ones, have no softmax.
func (c *Config) linearHeads() int {
	switch c.Attention {
	case "linear":
		return c.Heads
	case "mixed":
		return cmp.Or(c.LinearHeads, c.Heads/2)
	}
	return 0
}

// timed reports whether rows have a time code.
func (c *Config) timed(shape datasets.Shape) bool {
	return c.TimeEncoding == "on" || c.TimeEncoding == "auto" && shape.Temporal
}

// halts reports whether each example chooses its number of hops.
func (c *Config) halts() bool { return c.Halting != "fixed" }

// specs declares MEMO's parameters. Word embeddings are initialized from N(0,
// embedding_std^2), projections from N(0, 1/fan-in). Answers share only the embedding, keys
// and values.
func specs(c *Config, shape datasets.Shape) []engine.Spec {
	slots, querySlots := shape.RowWidth, shape.QueryWidth
	if c.timed(shape) {
		slots++
	}
	if !c.separate() {
		slots, querySlots = 1, 1
	}
	row, query := slots*c.Embedding, querySlots*c.Embedding
	s := []engine.Spec{
		layers.WordSpec("Wc", shape, c.Embedding, c.EmbeddingStd),
		{Name: "Wk", Shape: []int{c.Heads, c.Width, row}, Init: fanIn(row)},
		{Name: "Wv", Shape: []int{c.Heads, c.Width, row}, Init: fanIn(row)},
	}
	s = append(s, layers.EachAnswer(shape.Answers, c.answerSpecs(shape, query))...)
	if c.halts() {
		s = append(s, layers.EachAnswer(shape.Answers, c.Specs(c.Hops, c.Heads*c.Width))...)
	}
	return s
}

func fanIn(n int) engine.Init { return engine.Normal(1 / math.Sqrt(float64(n))) }

// answerSpecs declares the parameters of one answer, for embedded queries of the given
// width.
func (c *Config) answerSpecs(shape datasets.Shape, query int) []engine.Spec {
	flat := c.Heads * c.Width
	s := []engine.Spec{{Name: "Wq0", Shape: []int{c.Heads, c.Width, query}, Init: fanIn(query)}}
	switch c.Wh {
	case "identity":
		s = append(s, engine.Spec{Name: "Wh", Shape: []int{shape.MaxRows, shape.MaxRows}, Init: engine.Identity(shape.MaxRows)})
	case "random":
		s = append(s, layers.MatrixSpec("Wh", shape.MaxRows, shape.MaxRows))
	}
	s = append(s, layers.MatrixSpec("Wq", flat, flat))
	if c.Recall {
		s = append(s, engine.Spec{Name: "Wr", Shape: []int{flat, query}, Init: engine.Constant(0)})
	}
	if group := map[string]int{"head": c.Width, "all": flat}[c.LayerNorm]; c.normalizes() {
		s = append(s, layers.VectorSpec("ln_g", group, 1), layers.VectorSpec("ln_b", group, 0))
	}
	s = append(s,
		// A factor of sqrt(2) preserves the variance through the ReLU.
		engine.Spec{Name: "Wqa", Shape: []int{c.AnswerWidth, flat}, Init: engine.Normal(math.Sqrt(2 / float64(flat)))},
		engine.Spec{Name: "Wa", Shape: []int{shape.Vocabulary, c.AnswerWidth}, Init: engine.Normal(c.AnswerStd / math.Sqrt(float64(c.AnswerWidth)))})
	if c.AnswerBias {
		s = append(s, layers.VectorSpec("bqa", c.AnswerWidth, 0), layers.VectorSpec("ba", shape.Vocabulary, 0))
	}
	return s
}
