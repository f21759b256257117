package models

import (
	"fmt"
	"maps"
	"slices"

	"memobench/datasets"
)

// Config is a pointer to a struct of a model's settings, with tags yaml (the key), doc
// (printed by "memobench ls") and range (see CheckRanges) on every exported field.
type Config interface {
	// Validate names the first setting whose value is out of range.
	Validate() error
}

// Hopped is implemented by configurations of models with a number of hops, recurrent steps
// or pondering steps per answer.
type Hopped interface {
	// HopsSetting returns the key of that number. A trained model may predict with another
	// number, if its weights do not depend on it.
	HopsSetting() string
}

// RunError says that building a model failed for a reason other than its settings, such as
// a process that ended.
type RunError struct{ Err error }

func (e *RunError) Error() string { return e.Err.Error() }
func (e *RunError) Unwrap() error { return e.Err }

// Build is what a model is built from.
type Build struct {
	Config   Config         // of the entry's type, as filled by the harness
	Shape    datasets.Shape // the task
	Training Training       // optimizer and schedule
	Seed     uint64         // for initial values and dropout

	// Threads is the number of threads that share a training batch; 0 means 1. It changes
	// rounding and dropout masks.
	Threads int
}

// Entry is a registered model.
type Entry struct {
	Title    string                     // as in a table, for example "MEMO"
	About    string                     // one line
	Defaults func() Config              // returns new settings
	New      func(Build) (Model, error) // builds the model; an error names the setting
}

var registry = map[string]Entry{}

// Register adds a model with settings of type C. build validates them. Register panics on a
// duplicate name. Call it from init.
func Register[C Config, M Model](name, title, about string, defaults func() C,
	build func(C, datasets.Shape, Training, uint64) (M, error)) {
	if _, dup := registry[name]; dup {
		panic(fmt.Sprintf("models: %q registered twice", name))
	}
	registry[name] = Entry{
		Title: title, About: about,
		Defaults: func() Config { return defaults() },
		New: func(b Build) (Model, error) {
			config, ok := b.Config.(C)
			if !ok {
				return nil, fmt.Errorf("%s: config is a %T", name, b.Config)
			}
			m, err := build(config, b.Shape, b.Training, b.Seed)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if d, ok := any(m).(interface{ SetThreads(threads int) }); ok {
				d.SetThreads(b.Threads)
			}
			return m, nil
		},
	}
}

// Lookup returns the entry of the given name.
func Lookup(name string) (Entry, bool) {
	e, ok := registry[name]
	return e, ok
}

// Names returns the registered names in order.
func Names() []string { return slices.Sorted(maps.Keys(registry)) }

// Variant is a named configuration of a model that differs from the defaults by Settings:
// an ablation, or an alternative that the paper compares.
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
