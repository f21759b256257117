package datasets

import (
	"fmt"
	"maps"
	"slices"
)

// Entry registers a task.
type Entry struct {
	Name  string // as on the command line, for example "pai3"
	Title string // as in a table, for example "PAI length 3"
	About string // one line

	// ReadsData says that the task reads files, so that a user's data path
	// means something to it.
	ReadsData bool

	// Defaults returns a pointer to a new settings struct with yaml and doc tags
	// on every field; doc tags are printed by "memobench ls".
	Defaults func() any

	// New builds the source. settings is what Defaults returned, as filled by
	// the harness; New validates it and reports a *SettingError.
	New func(settings any, opts Options) (Source, error)

	// Present says how reports show the task, from Spec.Task and Spec.Settings; nil
	// where its name says enough.
	Present func(task string, settings map[string]string) Presentation
}

// Options is what a source may need beyond its settings. The zero value asks
// for all splits of the default data.
type Options struct {
	// DataPath is the file or directory the user named; empty means the task's
	// own search path. Generators ignore it (see Entry.ReadsData).
	DataPath string

	// Splits lists the splits that will be asked for; nil means all of them.
	// Data that only other splits need may be missing: asking for such a split
	// later is an error then, and building the source is not.
	Splits []Split

	// Trained fixes word ids and sizes to those of a trained model, so that the
	// model can be judged on data it was not built for; nil means that the data
	// decide. Data that do not fit are an error.
	Trained *Trained
}

// Trained is what a model knows of the data it was trained on.
type Trained struct {
	Shape      Shape
	Vocabulary []string // as from Vocabularied; nil for a task without words
}

// Needs reports whether split will be asked for.
func (o Options) Needs(split Split) bool {
	return o.Splits == nil || slices.Contains(o.Splits, split)
}

var registry = map[string]Entry{}

// Register adds a task; it panics on a duplicate name. Call it from init.
func Register(e Entry) {
	if _, dup := registry[e.Name]; dup {
		panic(fmt.Sprintf("datasets: %q registered twice", e.Name))
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

// SettingError is a setting outside of what is allowed.
type SettingError struct {
	Key   string // as in YAML, for example "sequences"
	Value any    // as given
	Want  string // the allowed range, for example "2 to 4096"
}

func (e *SettingError) Error() string {
	if s, ok := e.Value.(string); ok {
		return fmt.Sprintf("setting %s = %q: want %s", e.Key, s, e.Want)
	}
	return fmt.Sprintf("setting %s = %v: want %s", e.Key, e.Value, e.Want)
}
