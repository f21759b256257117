package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"memobench/benchmarks/record"
	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/models"
)

// presetFile is a preset in YAML; presets/README.md documents it.
type presetFile struct {
	About       text             `yaml:"about"`
	Experiments []experimentFile `yaml:"experiments"`
}

type experimentFile struct {
	Task       text        `yaml:"task"`
	Labels     []text      `yaml:"labels,omitempty"`
	PaperSteps any         `yaml:"paper_steps,omitempty"`
	Settings   section     `yaml:"settings"`
	Protocol   section     `yaml:"protocol"`
	Seeds      []uint64    `yaml:"seeds"`
	Models     []modelFile `yaml:"models"`
}

type modelFile struct {
	Label     text          `yaml:"label"`
	Title     text          `yaml:"title"`
	Model     text          `yaml:"model"`
	Overrides []text        `yaml:"overrides,omitempty"`
	Steps     int           `yaml:"steps,omitempty"`
	Seeds     []uint64      `yaml:"seeds,omitempty"`
	Config    section       `yaml:"config"`
	Training  section       `yaml:"training"`
	Sweep     yaml.MapSlice `yaml:"sweep,omitempty"`
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
	for _, setting := range settingsOf(s.config) {
		if setting.omitted() {
			continue
		}
		value := setting.value.Interface()
		if v, ok := value.(string); ok {
			value = text(v)
		}
		out = append(out, yaml.MapItem{Key: setting.key, Value: value})
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

// converted returns the elements of a list in another string type.
func converted[To, From ~string](list []From) []To {
	var out []To
	for _, s := range list {
		out = append(out, To(s))
	}
	return out
}

// YAML renders the preset with every setting resolved. ParsePreset reads it again.
func (p *Preset) YAML() ([]byte, error) {
	f := presetFile{About: text(p.About)}
	for _, e := range p.Experiments {
		experiment := experimentFile{
			Task: text(e.Task), Labels: converted[text](e.Labels), PaperSteps: e.PaperSteps.value(),
			Settings: section{config: e.Settings}, Protocol: section{config: &e.Protocol}, Seeds: e.Seeds,
		}
		for _, m := range e.Models {
			model := modelFile{
				Label: text(m.Label), Title: text(m.Title), Model: text(m.Model),
				Overrides: converted[text](m.Overrides), Steps: m.Steps, Seeds: m.Seeds, Config: section{config: m.Config},
				Training: section{config: &m.Training},
			}
			for _, s := range m.Sweep {
				model.Sweep = append(model.Sweep, yaml.MapItem{Key: s.Key, Value: s.Values})
			}
			experiment.Models = append(experiment.Models, model)
		}
		f.Experiments = append(f.Experiments, experiment)
	}
	data, err := yaml.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("preset %s: %w", p.Name, err)
	}
	return data, nil
}

// ParsePreset reads a preset from YAML. name is the name of the preset. Errors have the
// line and the key.
func ParsePreset(name string, data []byte) (*Preset, error) {
	var f presetFile
	if err := DecodeYAML(data, &f); err != nil {
		return nil, fmt.Errorf("preset %s: %w", name, err)
	}
	p := &Preset{Name: name, About: string(f.About)}
	for i := range f.Experiments {
		e, err := f.Experiments[i].resolve()
		if err != nil {
			return nil, fmt.Errorf("preset %s, experiment %d (task %q): %w", name, i+1, f.Experiments[i].Task, err)
		}
		p.Experiments = append(p.Experiments, e)
	}
	if len(p.Experiments) == 0 {
		return nil, fmt.Errorf("preset %s: no experiments", name)
	}
	return p, nil
}

func (f *experimentFile) resolve() (*Experiment, error) {
	e := &Experiment{Task: string(f.Task), Labels: converted[string](f.Labels), Seeds: f.Seeds,
		Protocol: *defaultProtocol()}
	if err := fill(&e.Protocol, f.Protocol.node); err != nil {
		return nil, fmt.Errorf("protocol: %w", err)
	}
	if err := e.Protocol.Validate(); err != nil {
		return nil, err
	}
	if err := checkSeeds(e.Seeds); err != nil {
		return nil, err
	}
	if f.PaperSteps != nil {
		var err error
		if e.PaperSteps, err = parsePaperSteps(fmt.Sprint(f.PaperSteps)); err != nil {
			return nil, err
		}
	}
	entry, ok := datasets.Lookup(e.Task)
	if !ok {
		return nil, &suggest.UnknownError{What: "task", Name: e.Task, Known: datasets.Names()}
	}
	e.Settings = entry.Defaults()
	if err := fill(e.Settings, f.Settings.node); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	for i := range f.Models {
		m, err := f.Models[i].resolve()
		if err == nil {
			err = e.checkModel(m)
		}
		if err != nil {
			return nil, fmt.Errorf("model %d (%q): %w", i+1, f.Models[i].Label, err)
		}
		e.Models = append(e.Models, m)
	}
	if len(e.Models) == 0 {
		return nil, fmt.Errorf("no models")
	}
	return e, nil
}

// checkModel refuses a duplicate label, steps that the protocol cannot have, and seeds that
// the experiment does not have.
func (e *Experiment) checkModel(m *ModelSpec) error {
	if e.hasLabel(m.Label) {
		return fmt.Errorf("label %q is duplicated", m.Label)
	}
	protocol := e.protocolOf(m)
	if err := protocol.Validate(); err != nil {
		return err
	}
	for _, seed := range m.Seeds {
		if !slices.Contains(e.Seeds, seed) {
			return fmt.Errorf("seeds: %d is not one of the experiment's %v", seed, e.Seeds)
		}
	}
	return nil
}

func (f *modelFile) resolve() (*ModelSpec, error) {
	m := &ModelSpec{
		Label: string(cmp.Or(f.Label, f.Model)), Title: string(cmp.Or(f.Title, f.Label, f.Model)), Model: string(f.Model),
		Overrides: converted[string](f.Overrides), Steps: f.Steps, Seeds: f.Seeds,
	}
	if m.Model == "" {
		return nil, fmt.Errorf("no model name")
	}
	if m.Seeds != nil {
		if err := checkSeeds(m.Seeds); err != nil {
			return nil, err
		}
	}
	if err := fill(&m.Training, f.Training.node); err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	entry, ok := models.Lookup(m.Model)
	if !ok {
		return nil, &suggest.UnknownError{What: "model", Name: m.Model, Known: models.Names()}
	}
	m.Config = entry.Defaults()
	if err := fill(m.Config, f.Config.node); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	if named := keysIn(f.Config.node); complete(m.Config, named) {
		if err := setLegacy(m.Config, named); err != nil {
			return nil, fmt.Errorf("config: %w", err)
		}
	}
	known := keysOf(m.Config, &m.Training)
	for _, item := range f.Sweep {
		s := sweep{Key: fmt.Sprint(item.Key), Values: sweptValues(item.Value)}
		if err := suggest.Check("key", known, s.Key); err != nil {
			return nil, fmt.Errorf("sweep: %w", err)
		}
		m.Sweep = append(m.Sweep, s)
	}
	return m, nil
}

// sweptValues returns a decoded value as a list. It parses numbers such as 7e-4, which the
// decoder takes for text.
func sweptValues(value any) []any {
	values, ok := value.([]any)
	if !ok {
		values = []any{value}
	}
	for i, v := range values {
		if s, ok := v.(string); ok {
			if x, err := strconv.ParseFloat(s, 64); err == nil && record.Finite(x) {
				values[i] = x
			}
		}
	}
	return values
}
