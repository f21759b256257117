package ut

import "memobench/models/encoder"

// Config holds UT's sizes and switches.
type Config struct {
	encoder.Config
	encoder.AttentionConfig

	Steps int `yaml:"recurrent_steps" range:"1 to 60" doc:"T, applications of the shared block"`

	Halting       string  `yaml:"halting" range:"none, act" doc:"none, or act: each token decides how many steps count (adaptive computation time)"`
	ActEpsilon    float64 `yaml:"act_epsilon" range:"above 0 to below 1" doc:"a token halts when its halting probabilities exceed 1 - act_epsilon"`
	ActLossWeight float64 `yaml:"act_loss_weight" range:"0 or more" doc:"weight of the mean ponder time in the loss"`
	ActMaxSteps   int     `yaml:"act_max_steps" range:"1 to 60" doc:"steps with halting act, in place of recurrent_steps"`
}

// Values of Config.Halting.
const (
	haltingACT = "act"
	noHalting  = "none"
)

// Defaults returns the sizes of the MEMO paper's table of hyper-parameters.
func Defaults() *Config {
	return &Config{
		Config: encoder.Defaults(), AttentionConfig: encoder.AttentionConfig{DropoutAttention: 0.1}, Steps: 6,
		Halting: noHalting, ActEpsilon: 0.01, ActLossWeight: 0.01, ActMaxSteps: 12,
	}
}

// Validate names the first setting whose value is out of range.
func (c *Config) Validate() error {
	if err := c.Check(c); err != nil {
		return err
	}
	return c.CheckHeads(c.Heads)
}

// HopsSetting implements models.Hopped.
func (c *Config) HopsSetting() string {
	if c.Halting == haltingACT {
		return "act_max_steps"
	}
	return "recurrent_steps"
}

// steps returns how often the block is applied.
func (c *Config) steps() int {
	if c.Halting == haltingACT {
		return c.ActMaxSteps
	}
	return c.Steps
}
