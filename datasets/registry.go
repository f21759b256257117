package datasets

import (
	"fmt"
	"io"
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

	// Generate returns files of generated data in the task's own format, of stories
	// with so many training and test questions of each kind; nil for a task without. It
	// fails with a *SettingError.
	Generate func(settings any, seed uint64, train, test int) ([]GeneratedFile, error)

	// ReadBy is the flags, but for --data, with which the generated data of this
	// task are read from files; empty where no task reads them.
	ReadBy string

	// Download is the archive of the task's data; nil for none.
	Download *Download

	// Present says how reports show the task, from Spec.Task and Spec.Settings; nil
	// where its name says enough.
	Present func(task string, settings map[string]string) Presentation
}

// GeneratedFile is a file of generated data.
type GeneratedFile struct {
	Name    string
	Content string // stories, items, classes, or text that is not data
	Split   Split
	Count   int   // questions or items; 0 for text
	Bytes   int64 // size; 0 where it is not known
	Write   func(w io.Writer) error
}

// Download is a file that the program fetches over HTTP.
type Download struct {
	Name   string // of the file
	URL    string
	SHA256 string                 // hexadecimal
	Dir    func() (string, error) // in which the task looks for it without a data path

	// Check opens the file and returns how many files of data it holds.
	Check func(path string) (files int, err error)

	// Otherwise says what else can be done where the download fails.
	Otherwise string
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

	// Partial asks for those kinds only of which there are data; without it missing
	// data are an error.
	Partial bool

	// Trained fixes word ids and sizes to those of a trained model, so that the
	// model can be evaluated on data it was not built for; nil means that the data
	// decide. Data that do not fit are an error.
	Trained *Trained

	// Shifted says that the questions are to be unlike those of training, in an
	// evaluation alone: sizes that the task's name fixes may be others, memories may have
	// more rows than Trained has, and settings that are for such evaluations may be set.
	Shifted bool
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

// Opener returns an Entry.New that calls open with the settings, which are of type S.
func Opener[S any, T Source](open func(S, Options) (T, error)) func(settings any, opts Options) (Source, error) {
	return func(settings any, opts Options) (Source, error) {
		s, ok := settings.(*S)
		if !ok {
			return nil, fmt.Errorf("settings of type %T, want %T", settings, s)
		}
		src, err := open(*s, opts)
		if err != nil {
			return nil, err // not a nil pointer in a Source
		}
		return src, nil
	}
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
