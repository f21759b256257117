package ut

import (
	"memobench/models/encoder"
	"memobench/models/halting"
)

// Config holds UT's sizes and switches.
type Config struct {
	encoder.Config
	encoder.AttentionConfig

	Steps int `yaml:"recurrent_steps" range:"1 to 60" doc:"T, applications of the shared block"`

	Halting       string  `yaml:"halting" range:"none, act, ponder" doc:"none, act: each token decides how many steps count (adaptive computation time), or ponder: each example does (PonderNet)"`
	ActEpsilon    float64 `yaml:"act_epsilon" range:"above 0 to below 1" doc:"a token halts when its halting probabilities exceed 1 - act_epsilon (act)"`
	ActLossWeight float64 `yaml:"act_loss_weight" range:"0 or more" doc:"weight of the mean ponder time in the loss (act)"`
	ActMaxSteps   int     `yaml:"act_max_steps" range:"1 to 60" doc:"steps in place of recurrent_steps, the most that an example takes (act, ponder)"`

	halting.Prior
}

// Values of Config.Halting.
const (
	noHalting     = "none"
	actHalting    = "act"
	ponderHalting = "ponder"
)

// Defaults returns the sizes of the MEMO paper's table of hyper-parameters.
func Defaults() *Config {
	return &Config{
		Config: encoder.Defaults(), AttentionConfig: encoder.AttentionConfig{DropoutAttention: 0.1}, Steps: 6,
		Halting: noHalting, ActEpsilon: 0.01, ActLossWeight: 0.01, ActMaxSteps: 12, Prior: halting.Defaults().Prior,
	}
}

// Validate names the first setting whose value is out of range.
func (c *Config) Validate() error { return c.Check(c, c.LinearHeads) }

// HopsSetting implements models.Hopped.
func (c *Config) HopsSetting() string {
	if c.Halting == noHalting {
		return "recurrent_steps"
	}
	return "act_max_steps"
}

// steps returns the number of applications of the block.
func (c *Config) steps() int {
	if c.Halting == noHalting {
		return c.Steps
	}
	return c.ActMaxSteps
}
