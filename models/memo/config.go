package memo

import (
	"fmt"
	"slices"
	"strings"

	"memobench/datasets"
)

// Config holds MEMO's sizes and switches. Symbols are the paper's (table 11).
type Config struct {
	Heads       int `yaml:"heads" doc:"H, attention heads"`
	Embedding   int `yaml:"embedding" doc:"d_c, size of a word's embedding"`
	Width       int `yaml:"width" doc:"d, size of a key, value and query per head"`
	AnswerWidth int `yaml:"answer_width" doc:"d_a, hidden units of the answer MLP"`
	Hops        int `yaml:"hops" doc:"memory reads per query"`

	Wh        string `yaml:"wh" doc:"W_h, which mixes the logits of the memory slots: identity or random start, or none"`
	LayerNorm string `yaml:"layer_norm" doc:"normalise over the features of each head, all of them, or none (head, all, none)"`

	DropoutAttention float64 `yaml:"dropout_attention" doc:"DropOut_a, on attention weights while training"`
	DropoutOutput    float64 `yaml:"dropout_output" doc:"DropOut_o, on the answer MLP's hidden units while training"`

	AnswerBias   bool   `yaml:"answer_bias" doc:"biases in the answer MLP"`
	TimeEncoding string `yaml:"time_encoding" doc:"time code as an extra word slot: auto (when rows are ordered in time), on, off"`
	Loss         string `yaml:"loss" doc:"cross entropy at the final hop or averaged over all (final, all)"`
	Form         string `yaml:"form" doc:"auto, associative or keys: how memory is read; same function, other cost"`

	EmbeddingStd float64 `yaml:"embedding_std" doc:"standard deviation of the initial word embeddings"`
	AnswerStd    float64 `yaml:"answer_std" doc:"initial W_a is normal with answer_std/sqrt(d_a)"`
}

// Defaults returns the paper's sizes for paired associative inference.
func Defaults() *Config {
	return &Config{
		Heads: 1, Embedding: 128, Width: 256, AnswerWidth: 128, Hops: 3,
		Wh: "identity", LayerNorm: "head",
		DropoutAttention: 0.1, DropoutOutput: 0,
		AnswerBias: true, TimeEncoding: "auto", Loss: "final", Form: "auto",
		EmbeddingStd: 1, AnswerStd: 1,
	}
}

// Validate names the first key whose value is out of range.
func (c *Config) Validate(shape datasets.Shape) error {
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
	for _, k := range []struct {
		key, value string
		allowed    []string
	}{
		{"wh", c.Wh, []string{"identity", "random", "none"}},
		{"layer_norm", c.LayerNorm, []string{"head", "all", "none"}},
		{"time_encoding", c.TimeEncoding, []string{"auto", "on", "off"}},
		{"loss", c.Loss, []string{"final", "all"}},
		{"form", c.Form, []string{"auto", string(Associative), string(Keys)}},
	} {
		if !slices.Contains(k.allowed, k.value) {
			return fmt.Errorf("memo: %s: %q, want %s", k.key, k.value, strings.Join(k.allowed, ", "))
		}
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
	if shape.Answers != 1 {
		return fmt.Errorf("memo: the task asks for %d answers per query; this version gives 1", shape.Answers)
	}
	return nil
}

// timed reports whether rows carry a time code.
func (c *Config) timed(shape datasets.Shape) bool {
	return c.TimeEncoding == "on" || c.TimeEncoding == "auto" && shape.Temporal
}
