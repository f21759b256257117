package benchmarks

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/models"
)

// presetFile is a preset as it stands in YAML; presets/README.md documents it.
type presetFile struct {
	About       string           `yaml:"about"`
	Experiments []experimentFile `yaml:"experiments"`
}

type experimentFile struct {
	Task        string      `yaml:"task"`
	Labels      []string    `yaml:"labels"`
	PaperSteps  ast.Node    `yaml:"paper_steps"`
	Unavailable string      `yaml:"unavailable"`
	Settings    ast.Node    `yaml:"settings"`
	Protocol    ast.Node    `yaml:"protocol"`
	Models      []modelFile `yaml:"models"`
	Seeds       []uint64    `yaml:"seeds"`
}

type modelFile struct {
	Label       string        `yaml:"label"`
	Title       string        `yaml:"title"`
	Model       string        `yaml:"model"`
	Unavailable string        `yaml:"unavailable"`
	Overrides   []string      `yaml:"overrides"`
	Config      ast.Node      `yaml:"config"`
	Training    ast.Node      `yaml:"training"`
	Sweep       yaml.MapSlice `yaml:"sweep"`
	Seeds       []uint64      `yaml:"seeds"`
}

// ParsePreset reads a preset from YAML. name is its name, and the file's in
// errors, which give line and key.
func ParsePreset(name string, data []byte) (*Preset, error) {
	var f presetFile
	if err := DecodeYAML(data, &f); err != nil {
		return nil, fmt.Errorf("preset %s: %w", name, err)
	}
	p := &Preset{Name: name, About: f.About}
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
	e := &Experiment{Task: f.Task, Labels: f.Labels, Unavailable: f.Unavailable, Seeds: f.Seeds, Protocol: *defaultProtocol()}
	if err := fill(&e.Protocol, f.Protocol); err != nil {
		return nil, fmt.Errorf("protocol: %w", err)
	}
	if err := e.Protocol.Validate(); err != nil {
		return nil, err
	}
	if err := checkSeeds(e.Seeds); err != nil {
		return nil, err
	}
	if f.PaperSteps != nil {
		text, err := scalarText(f.PaperSteps)
		if err == nil {
			e.PaperSteps, err = parsePaperSteps(text)
		}
		if err != nil {
			return nil, at(f.PaperSteps, err)
		}
	}
	if e.Unavailable != "" {
		var documented yaml.MapSlice
		if f.Settings != nil {
			var err error
			if documented, err = decodeKeys(f.Settings); err != nil {
				return nil, fmt.Errorf("settings: %w", err)
			}
		}
		e.Settings = documented
	} else {
		entry, ok := datasets.Lookup(f.Task)
		if !ok {
			return nil, &suggest.UnknownError{What: "task", Name: f.Task, Known: datasets.Names()}
		}
		e.Settings = entry.Defaults()
		if err := fill(e.Settings, f.Settings); err != nil {
			return nil, fmt.Errorf("settings: %w", err)
		}
	}
	for i := range f.Models {
		m, err := f.Models[i].resolve(e.Unavailable != "")
		if err != nil {
			return nil, fmt.Errorf("model %d (%q): %w", i+1, f.Models[i].Label, err)
		}
		if slices.ContainsFunc(e.Models, func(o *ModelSpec) bool { return o.Label == m.Label }) {
			return nil, fmt.Errorf("model label %q stands twice", m.Label)
		}
		for _, seed := range m.Seeds {
			if !slices.Contains(e.Seeds, seed) {
				return nil, fmt.Errorf("model %d (%q): seeds: %d is not one of the experiment's %v", i+1, m.Label, seed, e.Seeds)
			}
		}
		e.Models = append(e.Models, m)
	}
	if len(e.Models) == 0 {
		return nil, fmt.Errorf("no models")
	}
	return e, nil
}

// resolve fills the model's configuration. Where the experiment is unavailable
// the configuration is kept only when the model is registered.
func (f *modelFile) resolve(documented bool) (*ModelSpec, error) {
	m := &ModelSpec{Label: f.Label, Title: f.Title, Model: f.Model, Unavailable: f.Unavailable, Overrides: f.Overrides, Seeds: f.Seeds}
	if m.Model == "" {
		return nil, fmt.Errorf("no model name")
	}
	if m.Seeds != nil {
		if err := checkSeeds(m.Seeds); err != nil {
			return nil, err
		}
	}
	if m.Label == "" {
		m.Label = m.Model
	}
	if m.Title == "" {
		m.Title = m.Label
	}
	if err := fill(&m.Training, f.Training); err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	for _, item := range f.Sweep {
		values, ok := item.Value.([]any)
		if !ok {
			values = []any{item.Value}
		}
		for i, v := range values {
			// The decoder takes 7e-4, without a point, for text.
			if text, ok := v.(string); ok {
				if x, err := strconv.ParseFloat(text, 64); err == nil && finite(x) {
					values[i] = x
				}
			}
		}
		m.Sweep = append(m.Sweep, Sweep{Key: fmt.Sprint(item.Key), Values: values})
	}
	if m.Unavailable != "" {
		return m, nil
	}
	entry, ok := models.Lookup(f.Model)
	if !ok {
		return nil, &suggest.UnknownError{What: "model", Name: f.Model, Known: models.Names()}
	}
	m.Config = entry.Defaults()
	if err := fill(m.Config, f.Config); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	named := namedIn(f.Config)
	if complete(m.Config, named) {
		if err := setLegacy(m.Config, named); err != nil {
			return nil, fmt.Errorf("config: %w", err)
		}
	}
	for _, s := range m.Sweep {
		if !documented && !hasKey(m.Config, s.Key) && !hasKey(&m.Training, s.Key) {
			return nil, fmt.Errorf("sweep: %w", &suggest.UnknownError{What: "key", Name: s.Key, Known: append(keysOf(m.Config), keysOf(&m.Training)...)})
		}
	}
	return m, nil
}
