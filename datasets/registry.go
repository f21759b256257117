package datasets

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Entry registers a task.
type Entry struct {
	Name  string // as on the command line, for example "pai3"
	Title string // as in a table, for example "PAI length 3"
	About string // one line

	// ReadsData says that the task reads files, so that it accepts a data path.
	ReadsData bool

	// DataEnv is the environment variable with the default data path; empty for none.
	DataEnv string

	// Defaults returns a pointer to a new settings struct with yaml and doc tags on every
	// field. "memobench ls" prints the doc tags.
	Defaults func() any

	// Sizes names the settings that a phase of training may change: they move no example to
	// another split, so that a phase does not train on questions of validation or test.
	Sizes []string

	// New builds the source. settings is what Defaults returned, as filled by
	// the harness; New validates it and reports a *SettingError.
	New func(settings any, opts Options) (Source, error)

	// WriteFiles writes generated files in the task's own format into a directory, with the given
	// number of training questions per kind and a tenth of it for test; nil if the task has no
	// generator of files.
	WriteFiles func(dir string, settings any, seed uint64, questions int) error

	// Download is the archive of the task's data; nil for none.
	Download *Download

	// Present returns the presentation for Spec.Task and Spec.Settings; nil for the zero
	// value.
	Present func(task string, settings map[string]string) Presentation
}

// Download is a file that the program fetches over HTTP.
type Download struct {
	Name   string // of the file
	URL    string
	SHA256 string                 // lower-case hexadecimal; empty where it is not known
	Dir    func() (string, error) // where the task looks for it without a data path

	// Check opens the file and returns how many files of data it holds.
	Check func(path string) (files int, err error)

	// Otherwise says what to do if the download fails.
	Otherwise string
}

// Options configures a source beyond its settings. The zero value means all splits of the
// default data.
type Options struct {
	// DataPath is the user's file or directory; empty means the task's search path.
	// Generators ignore it (see Entry.ReadsData).
	DataPath string

	// Splits lists the splits that will be used; nil means all. Data of other splits may be
	// missing; using such a split is then an error, building the source is not.
	Splits []Split

	// Partial omits kinds without data; otherwise missing data are an error.
	Partial bool

	// Trained fixes word ids and sizes to those of a trained model, so that the model can
	// be evaluated on other data; nil means those of the data. Data that do not fit are an
	// error.
	Trained *Trained

	// Shifted is for evaluation under distribution shift and, with Splits of training only,
	// for the phases of a curriculum: it allows other sizes than those in the task's name,
	// more memory rows than in Trained, and settings that are only for such evaluations.
	Shifted bool
}

// Trained describes the data that a model was trained on.
type Trained struct {
	Shape      Shape
	Vocabulary []string // as from Vocabularied; nil for a task without words
}

// Needs reports whether split will be used.
func (o Options) Needs(split Split) bool {
	return o.Splits == nil || slices.Contains(o.Splits, split)
}

// Opener returns an Entry.New that calls open with settings of type S.
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

// NamesOf returns the names of the tasks with a property, in order.
func NamesOf(has func(Entry) bool) []string {
	return slices.DeleteFunc(Names(), func(name string) bool { return !has(registry[name]) })
}

// UnknownError says that a name is unknown.
type UnknownError struct {
	What  string // kind of name, such as key or task
	Name  string
	Known []string
}

// Error suggests the known name with the smallest edit distance, if it is near.
func (e *UnknownError) Error() string {
	best, least := "", min(max(2, len(e.Name)/3), len(e.Name)-1)+1
	for _, known := range slices.Sorted(slices.Values(e.Known)) {
		if d := editDistance(strings.ToLower(e.Name), strings.ToLower(known)); d < least {
			best, least = known, d
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf("unknown %s %q: did you mean %q?", e.What, e.Name, best)
	case len(e.Known) == 0:
		return fmt.Sprintf("unknown %s %q", e.What, e.Name)
	}
	return fmt.Sprintf("unknown %s %q; there are: %s", e.What, e.Name, strings.Join(e.Known, ", "))
}

// CheckNames returns an *UnknownError for the first of the names that is not known.
func CheckNames(what string, known []string, names ...string) error {
	for _, name := range names {
		if !slices.Contains(known, name) {
			return &UnknownError{What: what, Name: name, Known: known}
		}
	}
	return nil
}

// editDistance returns the number of insertions, deletions and substitutions of bytes that
// make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1) // distances of the beginnings of b
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0]++
		for j := range b {
			changed := diagonal
			if a[i] != b[j] {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
