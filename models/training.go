package models

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"memobench/datasets"
)

// Training holds the optimizer and the learning rate schedule. In a preset it belongs to the
// model's settings: it may differ between models, the protocol may not.
type Training struct {
	Optimizer       string  `yaml:"optimizer" json:"optimizer" range:"adam, rmsprop" doc:"adam or rmsprop"`
	LearningRate    float64 `yaml:"learning_rate" json:"learning_rate" range:"above 0" doc:"peak rate"`
	Warmup          int     `yaml:"warmup" json:"warmup" range:"0 or more" doc:"steps over which the rate rises from 0"`
	PlateauFraction float64 `yaml:"plateau_fraction" json:"plateau_fraction" range:"0 to below 1" doc:"share of all steps at the peak rate before it decays"`
	Power           float64 `yaml:"power" json:"power" range:"0 or more" doc:"of the polynomial decay; 0 keeps the rate constant"`
	EndRate         float64 `yaml:"end_rate" json:"end_rate" range:"0 or more" doc:"rate at the last step"`
	ClipNorm        float64 `yaml:"clip_norm" json:"clip_norm" range:"0 or more" doc:"maximum gradient norm, of all weights together; 0 never clips"`
	WeightDecay     float64 `yaml:"weight_decay,omitempty" json:"weight_decay,omitempty" range:"0 or more" doc:"share of every weight that is taken off at a step, times the rate (Loshchilov and Hutter 2019)"`
	EmptyRows       float64 `yaml:"empty_rows,omitempty" json:"empty_rows,omitempty" range:"0 to below 1" doc:"probability of an empty row before each memory row of a training example (Sukhbaatar et al. 2015: 0.1)"`
	MaxOffset       int     `yaml:"max_offset,omitempty" json:"max_offset,omitempty" range:"0 or more" doc:"largest number of empty rows behind the last memory row of a training example; each example draws one from 0 to this (Palm et al. 2018)"`
	Questions       int     `yaml:"questions,omitempty" json:"questions,omitempty" range:"0 to 1024" doc:"questions about each memory of a training batch, of which batch_size is a multiple; 0 is 1"`
	Phases          []Phase `yaml:"phases,omitempty" json:"phases,omitempty" doc:"parts of training before the main one, as a list of {steps, kinds or below or task, until, until_loss, attempts, batch_size, restart, keep_optimizer, config, training}"`
	Steps           int     `yaml:"-" json:"steps"` // horizon of the decay, from the protocol
	Start           int     `yaml:"-" json:"-"`     // optimizer updates before the schedule begins
}

// Validate names the first setting whose value is out of range.
func (t *Training) Validate() error {
	if err := CheckRanges(t); err != nil {
		return fmt.Errorf("training.%w", err)
	}
	switch {
	case t.EndRate > t.LearningRate:
		return fmt.Errorf("training.end_rate: %g, want 0 to learning_rate (%g)", t.EndRate, t.LearningRate)
	case t.Questions > 1 && (t.EmptyRows > 0 || t.MaxOffset > 0):
		return fmt.Errorf("training.questions: %d, want 1 with empty_rows or max_offset, which change each copy of a memory", t.Questions)
	case t.WeightDecay*t.LearningRate >= 1:
		return fmt.Errorf("training.weight_decay: %g, want 0 (off) to below 1/learning_rate", t.WeightDecay)
	}
	return nil
}

// Rate returns the learning rate of the update that follows the given number of completed updates:
// a linear warm-up, a plateau and a polynomial decay to EndRate,
//
//	rate(t) = EndRate + (LearningRate - EndRate) (1 - u)^Power,  u = fraction of the decay done
//
// The paper decays polynomially and states neither power, horizon nor end value; our choice
// is power 1 to 0 over all steps.
func (t *Training) Rate(done int64) float64 {
	rate, at := t.LearningRate, float64(done-int64(t.Start))
	if t.Power > 0 && t.Steps > 0 {
		start := t.PlateauFraction * float64(t.Steps)
		u := (at - start) / (float64(t.Steps) - start)
		u = min(max(u, 0), 1)
		rate = t.EndRate + (t.LearningRate-t.EndRate)*math.Pow(1-u, t.Power)
	}
	if at < float64(t.Warmup) {
		rate *= (at + 1) / float64(t.Warmup)
	}
	return rate
}

// Phase is a part of training before the main phase, with its own settings: one entry of a
// curriculum. Its steps count towards the run's; the main phase has the remaining steps and
// its own learning rate schedule. The harness runs phases; a model does not see them.
type Phase struct {
	Steps int `yaml:"steps" json:"steps"` // at most; a multiple of protocol.evaluate_every

	// Kinds are the query types or tasks to train on; empty means all. Below selects
	// instead those whose validation accuracy at the end of the previous phase was below
	// it, in per cent; if there are none, the phase is skipped.
	Kinds []string `yaml:"kinds,omitempty" json:"kinds,omitempty"`
	Below float64  `yaml:"below,omitempty" json:"below,omitempty" range:"0 to 100"`

	// Task holds settings of the task that differ from those of the main phase, such as
	// shorter chains or smaller graphs. The phase trains on all kinds of such questions; it is
	// validated on those of the main phase.
	Task map[string]string `yaml:"task,omitempty" json:"task,omitempty"`

	// Until ends the phase once the validation accuracy of each of its kinds is at least
	// this, in per cent, UntilLoss once the mean training loss between two evaluations is at
	// most this, in nats; with both, once both are. If all steps were not enough, the phase is
	// repeated from other initial values, up to Attempts times in total (0: once).
	Until     float64 `yaml:"until,omitempty" json:"until,omitempty" range:"0 to 100"`
	UntilLoss float64 `yaml:"until_loss,omitempty" json:"until_loss,omitempty" range:"0 or more"`
	Attempts  int     `yaml:"attempts,omitempty" json:"attempts,omitempty" range:"0 or more"`

	BatchSize int `yaml:"batch_size,omitempty" json:"batch_size,omitempty"` // 0: the protocol's

	// A phase begins with the weights of the previous phase and a new optimizer. With
	// Restart it begins with initial weights, with KeepOptimizer with the previous moments.
	Restart       bool `yaml:"restart,omitempty" json:"restart,omitempty"`
	KeepOptimizer bool `yaml:"keep_optimizer,omitempty" json:"keep_optimizer,omitempty"`

	// Config and Training hold the settings that differ from those of the main phase. They
	// must not change the shapes of the parameters.
	Config   map[string]string `yaml:"config,omitempty" json:"config,omitempty"`
	Training map[string]string `yaml:"training,omitempty" json:"training,omitempty"`
}

// HasTarget reports whether the phase can end before all its steps are done.
func (p *Phase) HasTarget() bool { return p.Until > 0 || p.UntilLoss > 0 }

// CheckRanges names the first setting of config, a pointer to a struct, whose value is outside
// its range tag (see datasets.CheckRange).
func CheckRanges(config any) error {
	v := reflect.ValueOf(config).Elem()
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Anonymous {
			if err := CheckRanges(v.Field(i).Addr().Interface()); err != nil {
				return err
			}
		} else if e := datasets.CheckRange(field, v.Field(i)); e != nil {
			if text, ok := e.Value.(string); ok {
				e.Value = strconv.Quote(text)
			}
			return fmt.Errorf("%s: %v, want %s", e.Key, e.Value, e.Want)
		}
	}
	return nil
}
