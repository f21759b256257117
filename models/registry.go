package models

import (
	"fmt"
	"maps"
	"slices"

	"memobench/datasets"
)

// Build is what a model constructor gets.
type Build struct {
	Config   any            // pointer to the entry's config type, as filled by the harness
	Shape    datasets.Shape // the task
	Training Training       // optimizer and schedule
	Seed     uint64         // for initial values and dropout

	// Threads is among how many threads a training batch is divided; 0 means 1.
	// Another number rounds differently and draws other dropout masks.
	Threads int
}

// Training is the optimizer's part of a run. It is part of a model's settings
// in a preset: recipes differ between models, protocols do not.
type Training struct {
	Optimizer    string  `yaml:"optimizer" json:"optimizer" doc:"adam or rmsprop"`
	LearningRate float64 `yaml:"learning_rate" json:"learning_rate" doc:"peak rate"`
	Warmup       int     `yaml:"warmup" json:"warmup" doc:"steps over which the rate rises from 0"`
	Hold         float64 `yaml:"hold" json:"hold" doc:"share of all steps at the peak rate before it decays"`
	Power        float64 `yaml:"power" json:"power" doc:"of the polynomial decay; 0 keeps the rate constant"`
	EndRate      float64 `yaml:"end_rate" json:"end_rate" doc:"rate at the last step"`
	ClipNorm     float64 `yaml:"clip_norm" json:"clip_norm" doc:"longest gradient, of all weights together; 0 never clips"`
	WeightDecay  float64 `yaml:"weight_decay,omitempty" json:"weight_decay,omitempty" doc:"share of every weight that is taken off at a step, times the rate (Loshchilov and Hutter 2019)"`
	EmptyRows    float64 `yaml:"empty_rows,omitempty" json:"empty_rows,omitempty" doc:"probability of an empty row before each memory row of a training example (Sukhbaatar et al. 2015: 0.1)"`
	MaxOffset    int     `yaml:"max_offset,omitempty" json:"max_offset,omitempty" doc:"largest number of empty rows behind the last memory row of a training example; each example draws one from 0 to this (Palm et al. 2018)"`
	Phases       []Phase `yaml:"phases,omitempty" json:"phases,omitempty" doc:"parts of training before the main one, as a list of {steps, kinds or below, until, attempts, batch_size, restart, keep_optimizer, config, training}"`
	Steps        int     `yaml:"-" json:"steps"` // horizon of the decay, from the protocol
	Start        int     `yaml:"-" json:"-"`     // updates of the optimizer before the schedule begins
}

// Entry registers a model.
type Entry struct {
	Name  string // as on the command line, for example "memo"
	Title string // as in a table, for example "MEMO"
	About string // one line
	// Defaults returns a pointer to a new config with yaml and doc tags on every
	// exported field; doc tags are printed by "memobench ls".
	Defaults func() any
	// New builds the model; it validates the config and names the key, the value
	// and the allowed range in an error.
	New func(b Build) (Model, error)
}

var registry = map[string]Entry{}

// Register adds a model; it panics on a duplicate name. Call it from init.
func Register(e Entry) {
	if _, dup := registry[e.Name]; dup {
		panic(fmt.Sprintf("models: %q registered twice", e.Name))
	}
	registry[e.Name] = e
}

// Lookup returns the entry of the given name.
func Lookup(name string) (Entry, bool) {
	e, ok := registry[name]
	return e, ok
}

// Names returns the registered names in order.
func Names() []string { return slices.Sorted(maps.Keys(registry)) }

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

// Variant is a model under a name of its own with some settings changed: an
// ablation, or a choice that the paper compares. It is configuration, not a
// copy: nothing but Settings differs from the model.
type Variant struct {
	Name     string // as on the command line, for example "memo-noln"
	Model    string // registry name of the model
	Title    string // as in a table
	About    string // one line
	Settings map[string]string
}

var variants = map[string]Variant{}

// RegisterVariant adds a variant; it panics on a name that a model or another
// variant has. Call it from init.
func RegisterVariant(v Variant) {
	_, isModel := registry[v.Name]
	if _, dup := variants[v.Name]; dup || isModel {
		panic(fmt.Sprintf("models: %q registered twice", v.Name))
	}
	variants[v.Name] = v
}

// LookupVariant returns the variant of the given name.
func LookupVariant(name string) (Variant, bool) {
	v, ok := variants[name]
	return v, ok
}

// VariantNames returns the names of the variants in order.
func VariantNames() []string { return slices.Sorted(maps.Keys(variants)) }
