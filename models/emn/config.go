package emn

import (
	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
)

// Config holds EMN's sizes and switches.
type Config struct {
	Width int `yaml:"width" range:"1 or more" doc:"d, size of keys, values and queries"`
	Hops  int `yaml:"hops" range:"1 to 200" doc:"memory reads per query (4 and 10 in the paper)"`

	PositionEncoding bool   `yaml:"position_encoding" doc:"weight the words of a row by position in the keys"`
	PositionOnValues bool   `yaml:"position_on_values" doc:"likewise in the values"`
	PositionOnQuery  bool   `yaml:"position_on_query" doc:"likewise in the query"`
	Temporal         string `yaml:"temporal" range:"auto, on, off" doc:"learned vector per age of a row: auto (when rows are ordered in time), on, off"`

	Attention string `yaml:"attention" legacy:"softmax" range:"softmax, linear" doc:"weights of the memory slots: softmax of the logits, or the logits themselves (linear)"`

	Relu bool `yaml:"relu" legacy:"false" doc:"relu of the query after each hop (add_nonlin in the code of Sukhbaatar et al. 2015)"`

	TeacherForcing bool `yaml:"teacher_forcing" doc:"while training, the query of the next answer holds the right answer instead of the model's own"`

	InitStd float64 `yaml:"init_std" range:"above 0" doc:"standard deviation of the initial word embeddings"`
}

// Defaults returns a width of 128 and 4 hops; the paper gives no sizes. As in the paper, EMN
// is trained with teacher forcing.
func Defaults() *Config {
	return &Config{
		Width: 128, Hops: 4,
		PositionEncoding: true, PositionOnValues: true, PositionOnQuery: true,
		Temporal: "auto", Attention: "softmax", TeacherForcing: true, InitStd: 0.1,
	}
}

// Validate names the first setting whose value is out of range.
func (c *Config) Validate() error { return models.CheckRanges(c) }

// HopsSetting implements models.Hopped.
func (c *Config) HopsSetting() string { return "hops" }

// temporal reports whether rows have a learned vector per age.
func (c *Config) temporal(shape datasets.Shape) bool {
	return c.Temporal == "on" || c.Temporal == "auto" && shape.Temporal
}

// linearHeads returns 1 if attention has no softmax, else 0.
func (c *Config) linearHeads() int {
	if c.Attention == "linear" {
		return 1
	}
	return 0
}

// specs declares EMN's parameters. W_qv starts as the identity, so that a hop initially adds
// the read vector to the query, as in the original network with adjacent weights. Answers
// share only the keys and values.
func specs(c *Config, shape datasets.Shape) []engine.Spec {
	s := []engine.Spec{
		layers.WordSpec("Wk", shape, c.Width, c.InitStd),
		layers.WordSpec("Wv", shape, c.Width, c.InitStd),
	}
	s = append(s, layers.EachAnswer(shape.Answers, []engine.Spec{
		layers.WordSpec("Wq", shape, c.Width, c.InitStd),
		{Name: "Wqv", Shape: []int{c.Width, c.Width}, Init: engine.Identity(c.Width)},
		layers.MatrixSpec("Wa", shape.Vocabulary, c.Width),
	})...)
	if c.temporal(shape) {
		age := []int{shape.MaxRows, c.Width}
		s = append(s,
			engine.Spec{Name: "Tk", Shape: age, Init: engine.Normal(c.InitStd)},
			engine.Spec{Name: "Tv", Shape: age, Init: engine.Normal(c.InitStd)})
	}
	return s
}
