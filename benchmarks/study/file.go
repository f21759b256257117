package study

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"memobench/datasets"
	"memobench/models"
)

// studyFile is a study in YAML; studies/README.md documents it.
type studyFile struct {
	About       text             `yaml:"about"`
	Commands    []text           `yaml:"commands,omitempty"`
	Experiments []experimentFile `yaml:"experiments,omitempty"`
}

type experimentFile struct {
	Task       text       `yaml:"task"`
	From       text       `yaml:"from,omitempty"`
	PaperSteps paperSteps `yaml:"paper_steps,omitempty"`
	Settings   section    `yaml:"settings"`
	Protocol   section    `yaml:"protocol"`
	Seeds      []uint64   `yaml:"seeds"`
	Runs       []runFile  `yaml:"runs"`
}

type runFile struct {
	Name     text     `yaml:"name"`
	Title    text     `yaml:"title"`
	Model    text     `yaml:"model"`
	From     text     `yaml:"from,omitempty"`
	Steps    int      `yaml:"steps,omitempty"`
	Seeds    []uint64 `yaml:"seeds,omitempty"`
	Config   section  `yaml:"config"`
	Training section  `yaml:"training"`
	Ranges   ranges   `yaml:"ranges,omitempty"`
	Choose   *choice  `yaml:"choose,omitempty"`
}

// section is a configuration in a file: a mapping when it is read, a pointer to a
// struct when it is written.
type section struct {
	node   ast.Node
	config any
}

// UnmarshalYAML implements yaml.NodeUnmarshaler.
func (s *section) UnmarshalYAML(node ast.Node) error {
	s.node = node
	return nil
}

// MarshalYAML implements yaml.InterfaceMarshaler: the settings in the order of the fields.
func (s section) MarshalYAML() (any, error) {
	var out yaml.MapSlice
	for _, setting := range Settings(s.config) {
		if setting.omitted() {
			continue
		}
		value := setting.value.Interface()
		if v, ok := value.(string); ok {
			value = text(v)
		}
		out = append(out, yaml.MapItem{Key: setting.Key, Value: value})
	}
	return out, nil
}

// text is a string in a file. The YAML encoder writes some strings without quotes that
// its decoder misreads: those are written with quotes and escapes.
type text string

// MarshalYAML implements yaml.InterfaceMarshaler.
func (t text) MarshalYAML() (any, error) {
	s := string(t)
	plain := !strings.ContainsFunc(s, unicode.IsControl) && strings.TrimSpace(s) == s
	if !plain || strings.HasPrefix(s, "?") || strings.HasPrefix(s, ".") {
		return quoted(s), nil
	}
	return s, nil
}

// quoted is a string that is written in double quotes with escapes.
type quoted string

// MarshalYAML implements yaml.BytesMarshaler.
func (q quoted) MarshalYAML() ([]byte, error) { return []byte(strconv.Quote(string(q))), nil }

// YAML renders the study with every setting resolved. Parse reads it again.
func (s *Study) YAML() ([]byte, error) {
	f := studyFile{About: text(s.About), Commands: s.Commands}
	for _, e := range s.Experiments {
		experiment := experimentFile{
			Task: text(e.Task), PaperSteps: e.PaperSteps,
			Settings: section{config: e.Settings}, Protocol: section{config: &e.Protocol}, Seeds: e.Seeds,
		}
		for _, r := range e.Runs {
			experiment.Runs = append(experiment.Runs, runFile{
				Name: text(r.Name), Title: text(r.Title), Model: text(r.Model), Steps: r.Steps, Seeds: r.Seeds,
				Config: section{config: r.Config}, Training: section{config: &r.Training}, Ranges: r.Ranges, Choose: r.Choose,
			})
		}
		f.Experiments = append(f.Experiments, experiment)
	}
	data, err := yaml.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", s.Name, err)
	}
	return data, nil
}

// Parse reads a study of the given name from YAML. Errors have the line and the key.
func Parse(name string, data []byte) (*Study, error) { return parse(name, data, "", 0) }

// maxDepth is the maximum number of studies of which each takes settings from the next.
const maxDepth = 8

// parse is Parse for a file of a directory, at a depth of references.
func parse(name string, data []byte, dir string, depth int) (*Study, error) {
	var f studyFile
	err := decodeYAML(data, &f)
	if err == nil && depth > maxDepth {
		err = fmt.Errorf("more than %d studies refer to each other", maxDepth)
	}
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", name, err)
	}
	loaded := map[string]*Study{}
	loadBase := func(name string) (s *Study, err error) {
		if s = loaded[name]; s == nil {
			s, err = load(name, dir, depth+1)
			loaded[name] = s
		}
		return s, err
	}
	s := &Study{Name: name, About: string(f.About), Commands: f.Commands}
	for i := range f.Experiments {
		e, err := f.Experiments[i].resolve(loadBase)
		if err == nil {
			err = s.add(e)
		}
		if err != nil {
			return nil, fmt.Errorf("study %s, experiment %d (task %q): %w", name, i+1, f.Experiments[i].Task, err)
		}
	}
	if len(s.Experiments) == 0 && len(s.Commands) == 0 {
		return nil, fmt.Errorf("study %s: no experiments", name)
	}
	return s, nil
}

// add appends an experiment. It refuses duplicated names and values that cannot be set.
func (s *Study) add(e *Experiment) error {
	others := onTask(s.Experiments, e.Task)
	for _, r := range e.Runs {
		protocol := e.protocolOf(r)
		err := protocol.Validate()
		if e.run(r.Name) != r || slices.ContainsFunc(others, func(other *Experiment) bool { return other.run(r.Name) != nil }) {
			err = fmt.Errorf("the name is duplicated")
		}
		if err == nil {
			_, err = e.expand(r)
		}
		if err != nil {
			return fmt.Errorf("run %q: %w", r.Name, err)
		}
	}
	s.Experiments = append(s.Experiments, e)
	return nil
}

// resolve returns the experiment with every setting; loadBase returns the study that it refers to.
func (f *experimentFile) resolve(loadBase func(name string) (*Study, error)) (*Experiment, error) {
	e := &Experiment{Task: string(f.Task), Protocol: defaultProtocol}
	entry, err := taskOf(e.Task)
	if err != nil {
		return nil, err
	}
	e.Settings = entry.Defaults()
	var base []*Experiment // those of the study that f takes settings from
	if f.From != "" {
		from, err := loadBase(string(f.From))
		if err == nil {
			err = datasets.CheckNames("task of study "+from.Name, from.Tasks(), e.Task)
		}
		if err != nil {
			return nil, fmt.Errorf("from: %w", err)
		}
		base = onTask(from.Experiments, e.Task)
		first := base[0]
		e.Settings, e.Protocol, e.PaperSteps, e.Seeds = clone(first.Settings), first.Protocol, first.PaperSteps, first.Seeds
	}
	if f.Seeds != nil {
		e.Seeds = f.Seeds
	}
	e.PaperSteps = cmp.Or(f.PaperSteps, e.PaperSteps)
	named, err := fill(&e.Protocol, f.Protocol.node)
	if err != nil {
		return nil, fmt.Errorf("protocol: %w", err)
	}
	if _, err := fill(e.Settings, f.Settings.node); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	runs := f.Runs
	if runs == nil && len(base) == 1 { // all of them
		for _, r := range base[0].Runs {
			runs = append(runs, runFile{Name: text(r.Name)})
		}
	}
	for i, of := range runs {
		r, err := of.resolve(base)
		if err == nil {
			if f.Seeds != nil && of.Seeds == nil {
				r.Seeds = nil
			}
			if slices.Contains(named, "steps") && of.Steps == 0 {
				r.Steps = 0
			}
			err = checkSeeds(e.seedsOf(r))
		}
		if err != nil {
			return nil, fmt.Errorf("run %d (%q): %w", i+1, cmp.Or(of.Name, of.Model), err)
		}
		e.Runs = append(e.Runs, r)
	}
	if len(e.Runs) == 0 {
		return nil, fmt.Errorf("runs: the experiment has none; want at least one")
	}
	return e, nil
}

// resolve returns the run with every setting. Settings that the file lacks are those of the
// run that it comes from, in the experiments of base, or the defaults.
func (f *runFile) resolve(base []*Experiment) (*Run, error) {
	r, err := f.origin(base)
	if err != nil {
		return nil, err
	}
	r.Name = string(cmp.Or(f.Name, text(r.Name)))
	r.Title = string(cmp.Or(f.Title, text(r.Title), text(r.Name)))
	r.Steps = cmp.Or(f.Steps, r.Steps)
	if f.Seeds != nil {
		r.Seeds = f.Seeds
	}
	if f.Ranges != nil {
		r.Ranges = f.Ranges
	}
	if f.Choose != nil {
		r.Choose = f.Choose
	}
	if r.Choose != nil {
		if err := r.Choose.validate(); err != nil {
			return nil, err
		}
	}
	if _, err := fill(&r.Training, f.Training.node); err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	named, err := fill(r.Config, f.Config.node)
	// A configuration that names every setting but later ones is of an older run.
	if err == nil && complete(r.Config, named) {
		err = setLegacy(r.Config, named)
	}
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	return r, nil
}

// origin returns the run that f takes settings from, a copy.
func (f *runFile) origin(base []*Experiment) (*Run, error) {
	from := string(cmp.Or(f.From, f.Name, f.Model))
	if r, ok := derive(base, from); ok && (f.From != "" || base != nil && (f.Model == "" || r.Model == string(f.Model))) {
		return r, nil
	}
	switch {
	case f.From != "":
		return nil, &datasets.UnknownError{What: "run or model", Name: from, Known: originNames(base)}
	case f.Model == "":
		return nil, fmt.Errorf("it has neither model nor from; want one of them")
	}
	entry, err := modelOf(string(f.Model))
	if err != nil {
		return nil, err
	}
	return &Run{Name: string(f.Model), Title: string(cmp.Or(f.Name, f.Model)), Model: string(f.Model), Config: entry.Defaults(),
		Training: models.Training{Optimizer: "adam", LearningRate: 1e-3}}, nil
}
