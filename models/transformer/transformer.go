// Package transformer is a Transformer encoder (Vaswani et al., "Attention Is All You
// Need", NeurIPS 2017) over memory rows and query: the encoder of package encoder with
// softmax attention and L layers, each with its own weights. It is UT without weight sharing
// and step codes.
//
// Unlike the paper's, its layers are pre-norm (Xiong et al. 2020, "On Layer Normalization in
// the Transformer Architecture"). With the setting position, a sinusoidal position code, rows
// oldest first and the query last, is added once to the embedded tokens (section 3.5, in the
// form of tensor2tensor); without it, the order of rows does not matter. As in the paper, the
// transition is four times and the attention once as wide as the residual stream.
package transformer

import (
	"memobench/datasets"
	"memobench/models"
	"memobench/models/encoder"
	"memobench/models/engine"
	"memobench/models/layers"
)

func init() {
	models.Register("transformer", "Transformer",
		"Transformer encoder (Vaswani et al. 2017): pre-norm layers with weights of their own over rows and query",
		Defaults, New[float32])
}

// Config holds the Transformer's sizes and switches.
type Config struct {
	encoder.Config
	encoder.AttentionConfig

	Layers int `yaml:"layers" range:"1 to 60" doc:"L, layers, each with weights of its own"`
}

// Defaults returns the sizes of a small Transformer.
func Defaults() *Config {
	c := &Config{Config: encoder.Defaults(), AttentionConfig: encoder.AttentionConfig{DropoutAttention: 0.1}, Layers: 4}
	c.Attention, c.Transition = c.Hidden, 4*c.Hidden
	return c
}

// Validate names the first setting whose value is out of range.
func (c *Config) Validate() error { return c.Check(c, c.LinearHeads) }

// New returns a Transformer with initial weights for tasks of the given shape, over
// float32, or float64 in tests against reference values.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*layers.Model[T, *encoder.Stack[T]], error) {
	return layers.New(cfg, design[T], shape, t, seed)
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *encoder.Stack[T]] {
	return encoder.Layered("transformer", &c.Config, c.Layers, shape, encoder.Attention[T](&c.Config, &c.AttentionConfig))
}
