package memo

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"memobench/datasets"
	"memobench/models/halting"
	"memobench/models/layers"
)

// Config holds MEMO's sizes and switches. Symbols are the paper's (table 11).
type Config struct {
	Heads       int `yaml:"heads" doc:"H, attention heads"`
	Embedding   int `yaml:"embedding" doc:"d_c, size of a word's embedding"`
	Width       int `yaml:"width" doc:"d, size of a key, value and query per head"`
	AnswerWidth int `yaml:"answer_width" doc:"d_a, hidden units of the answer MLP"`
	Hops        int `yaml:"hops" doc:"N, memory reads per query; the most of them when halting is learned"`

	Memory    string `yaml:"memory" doc:"words of a row kept separate, or summed with a position code (separate, summed); summed is an ablation"`
	Recurrent bool   `yaml:"recurrent" doc:"update queries by eq. 14; false drops W_q on what was read, LayerNorm and attention dropout, and is an ablation"`
	Wh        string `yaml:"wh" doc:"W_h, which mixes the logits of the memory slots: identity or random start, or none"`
	Attention string `yaml:"attention" legacy:"softmax" doc:"weights of the memory slots: softmax of the logits, the logits themselves (linear), or linear in half of the heads (mixed)"`
	LayerNorm string `yaml:"layer_norm" doc:"normalize over the features of each head, all of them, or none (head, all, none)"`

	DropoutAttention float64 `yaml:"dropout_attention" doc:"DropOut_a, on attention weights while training"`
	DropoutOutput    float64 `yaml:"dropout_output" doc:"DropOut_o, on the answer MLP's hidden units while training"`

	AnswerBias   bool   `yaml:"answer_bias" doc:"biases in the answer MLP"`
	TimeEncoding string `yaml:"time_encoding" doc:"time code as an extra word slot: auto (when rows are ordered in time), on, off"`
	Loss         string `yaml:"loss" doc:"cross entropy at the final hop or averaged over all (final, all)"`
	Feedback     string `yaml:"feedback" doc:"answer that the query of the next one holds while training: the model's own or the right one (predicted, truth)"`
	Form         string `yaml:"form" doc:"auto, associative, keys, pairs or mapped: how memory is read; same function, other cost"`

	Halting       string  `yaml:"halting" doc:"fixed number of hops, or a learned one: reinforce (the paper's policy), act (adaptive computation time)"`
	HaltRate      float64 `yaml:"halt_learning_rate" doc:"l_halt, constant rate of the halting network's own RMSProp (reinforce, act)"`
	HaltGRU       int     `yaml:"halt_gru" doc:"hidden units of GRU_R"`
	HaltMLP       int     `yaml:"halt_mlp" doc:"hidden units of MLP_R"`
	Gamma         float64 `yaml:"gamma" doc:"discount of the reward per hop (reinforce)"`
	Alpha         float64 `yaml:"alpha" doc:"weight of the value loss (reinforce)"`
	Beta          float64 `yaml:"beta" doc:"weight of the hop loss (reinforce)"`
	BiasInit      float64 `yaml:"bias_init" doc:"initial bias towards one more hop"`
	NStep         int     `yaml:"n_step" doc:"look-ahead of the returns, 0 to the end (reinforce)"`
	Epsilon       float64 `yaml:"act_epsilon" doc:"halting probabilities add up to 1 - act_epsilon (act)"`
	PonderCost    float64 `yaml:"ponder_cost" doc:"tau, weight of hops and remainder in the loss (act)"`
	SampleHalting bool    `yaml:"sample_halting" doc:"sample the choice when predicting, too, instead of thresholding at 1/2 (reinforce)"`

	EmbeddingStd float64 `yaml:"embedding_std" doc:"standard deviation of the initial word embeddings"`
	AnswerStd    float64 `yaml:"answer_std" doc:"initial W_a is normal with answer_std/sqrt(d_a)"`
}

// Defaults returns the paper's sizes for paired associative inference.
func Defaults() *Config {
	return &Config{
		Heads: 1, Embedding: 128, Width: 256, AnswerWidth: 128, Hops: 3,
		Memory: "separate", Recurrent: true, Wh: "identity", Attention: string(layers.SoftmaxAttention), LayerNorm: "head",
		DropoutAttention: 0.1, DropoutOutput: 0,
		AnswerBias: true, TimeEncoding: "auto", Loss: "final", Feedback: string(layers.FreeRunning), Form: "auto",
		Halting: string(halting.Fixed), HaltRate: 1e-4, HaltGRU: 256, HaltMLP: 64,
		Gamma: 0.9, Alpha: 0.1, Beta: 0.01, BiasInit: 5, Epsilon: 0.01,
		EmbeddingStd: 1, AnswerStd: 1,
	}
}

// maxHops bounds the graph, which holds every hop; the paper tries up to 20.
const maxHops = 200

// Validate names the first key whose value is out of range.
func (c *Config) Validate() error {
	for _, k := range []struct {
		key   string
		value int
	}{
		{"heads", c.Heads}, {"embedding", c.Embedding}, {"width", c.Width},
		{"answer_width", c.AnswerWidth}, {"hops", c.Hops},
	} {
		if k.value < 1 {
			return fmt.Errorf("memo: %s: %d, want 1 or more", k.key, k.value)
		}
	}
	if c.Hops > maxHops {
		return fmt.Errorf("memo: hops: %d, want at most %d", c.Hops, maxHops)
	}
	for _, k := range []struct {
		key, value string
		allowed    []string
	}{
		{"memory", c.Memory, []string{"separate", "summed"}},
		{"wh", c.Wh, []string{"identity", "random", "none"}},
		{"layer_norm", c.LayerNorm, []string{"head", "all", "none"}},
		{"time_encoding", c.TimeEncoding, []string{"auto", "on", "off"}},
		{"loss", c.Loss, []string{"final", "all"}},
		{"form", c.Form, []string{"auto", string(Associative), string(Keys), string(Pairs), string(Mapped)}},
	} {
		if !slices.Contains(k.allowed, k.value) {
			return fmt.Errorf("memo: %s: %q, want %s", k.key, k.value, strings.Join(k.allowed, ", "))
		}
	}
	if Form(c.Form) == Mapped && !c.Recurrent {
		return fmt.Errorf("memo: form: %q is for recurrent attention and needs recurrent: true", c.Form)
	}
	if f := Form(c.Form); (f == Pairs || f == Mapped) && !c.separate() {
		return fmt.Errorf("memo: form: %q reads each word slot for itself and needs memory: separate, not %s", c.Form, c.Memory)
	}
	for _, k := range []struct {
		key   string
		value float64
	}{{"dropout_attention", c.DropoutAttention}, {"dropout_output", c.DropoutOutput}} {
		if !(k.value >= 0 && k.value < 1) {
			return fmt.Errorf("memo: %s: %g, want 0 to below 1", k.key, k.value)
		}
	}
	if !(c.EmbeddingStd > 0) || !(c.AnswerStd > 0) {
		return fmt.Errorf("memo: embedding_std %g and answer_std %g, want above 0", c.EmbeddingStd, c.AnswerStd)
	}
	if err := c.policy().Validate(); err != nil {
		return fmt.Errorf("memo: %w", err)
	}
	if c.halts() && !c.Recurrent {
		return fmt.Errorf("memo: halting: %q without recurrent attention, want fixed", c.Halting)
	}
	if err := layers.Attention(c.Attention).Validate(c.Heads); err != nil {
		return fmt.Errorf("memo: %w", err)
	}
	if c.halts() && layers.Attention(c.Attention) != layers.SoftmaxAttention {
		return fmt.Errorf("memo: attention: %q with halting: %q, which compares distributions over slots; want softmax", c.Attention, c.Halting)
	}
	if c.halts() && c.Loss == "all" {
		return errors.New("memo: loss: all hops cannot be scored where each example halts at its own; want final")
	}
	return nil
}

// separate reports whether the words of a row are kept apart.
func (c *Config) separate() bool { return c.Memory == "separate" }

// normalizes reports whether queries pass a LayerNorm.
func (c *Config) normalizes() bool { return c.Recurrent && c.LayerNorm != "none" }

// timed reports whether rows carry a time code.
func (c *Config) timed(shape datasets.Shape) bool {
	return c.TimeEncoding == "on" || c.TimeEncoding == "auto" && shape.Temporal
}

// halts reports whether each example chooses its number of hops.
func (c *Config) halts() bool { return halting.Mode(c.Halting) != halting.Fixed }

// policy returns the configuration of the halting network.
func (c *Config) policy() *halting.Config {
	return &halting.Config{
		Mode: halting.Mode(c.Halting), Hops: c.Hops, GRU: c.HaltGRU, MLP: c.HaltMLP,
		Gamma: c.Gamma, Value: c.Alpha, Hop: c.Beta, Bias: c.BiasInit, NStep: c.NStep,
		Epsilon: c.Epsilon, Ponder: c.PonderCost, SampleAll: c.SampleHalting,
	}
}
