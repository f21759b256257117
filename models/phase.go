package models

// Phase is a part of training that comes before the main one, with settings of its
// own: one entry of a curriculum. Its steps count as the run's; the main phase has
// what is left of them, with a learning rate schedule of its own. The harness runs
// phases; a model knows nothing of them.
type Phase struct {
	Steps int `yaml:"steps" json:"steps"` // at most; a multiple of protocol.evaluate_every

	// Kinds are the query types or tasks to train on, all where there are none; Below
	// takes instead those whose validation accuracy was below it, in per cent, at the
	// end of the phase before. A phase for which none is left is skipped.
	Kinds []string `yaml:"kinds,omitempty" json:"kinds,omitempty"`
	Below float64  `yaml:"below,omitempty" json:"below,omitempty"`

	// Until ends the phase early, once the validation accuracy of each of its kinds
	// is at least so many per cent. Where all steps were not enough, the phase is
	// tried again from other initial values, Attempts times in all (0: once).
	Until    float64 `yaml:"until,omitempty" json:"until,omitempty"`
	Attempts int     `yaml:"attempts,omitempty" json:"attempts,omitempty"`

	BatchSize int `yaml:"batch_size,omitempty" json:"batch_size,omitempty"` // 0: the protocol's

	// A phase begins with the weights of the phase before and a new optimizer; Restart
	// begins with initial weights, KeepOptimizer with the moments of the phase before.
	Restart       bool `yaml:"restart,omitempty" json:"restart,omitempty"`
	KeepOptimizer bool `yaml:"keep_optimizer,omitempty" json:"keep_optimizer,omitempty"`

	// Config and Training hold the settings of the model and of its training that
	// differ from the main phase's. They must leave the parameters as they are.
	Config   map[string]string `yaml:"config,omitempty" json:"config,omitempty"`
	Training map[string]string `yaml:"training,omitempty" json:"training,omitempty"`
}
