package benchmarks

import (
	"fmt"

	"github.com/goccy/go-yaml"
)

// YAML renders the preset with every setting resolved. ParsePreset reads it
// again.
func (p *Preset) YAML() ([]byte, error) {
	var experiments []yaml.MapSlice
	for _, e := range p.Experiments {
		experiments = append(experiments, e.yaml())
	}
	data, err := yaml.Marshal(yaml.MapSlice{
		{Key: "about", Value: text(p.About)},
		{Key: "experiments", Value: experiments},
	})
	if err != nil {
		return nil, fmt.Errorf("preset %s: %w", p.Name, err)
	}
	return data, nil
}

func (e *Experiment) yaml() yaml.MapSlice {
	out := yaml.MapSlice{{Key: "task", Value: text(e.Task)}}
	if e.Unavailable != "" {
		out = append(out, yaml.MapItem{Key: "unavailable", Value: text(e.Unavailable)})
	}
	if len(e.Labels) > 0 {
		out = append(out, yaml.MapItem{Key: "labels", Value: texts(e.Labels)})
	}
	if e.PaperSteps != PaperStepsUnmarked {
		out = append(out, yaml.MapItem{Key: "paper_steps", Value: e.PaperSteps.value()})
	}
	if e.Settings != nil {
		out = append(out, yaml.MapItem{Key: "settings", Value: ordered(e.Settings)})
	}
	var list []yaml.MapSlice
	for _, m := range e.Models {
		list = append(list, m.yaml())
	}
	return append(out,
		yaml.MapItem{Key: "protocol", Value: ordered(&e.Protocol)},
		yaml.MapItem{Key: "seeds", Value: e.Seeds},
		yaml.MapItem{Key: "models", Value: list})
}

func (m *ModelSpec) yaml() yaml.MapSlice {
	out := yaml.MapSlice{{Key: "label", Value: text(m.Label)}, {Key: "title", Value: text(m.Title)}, {Key: "model", Value: text(m.Model)}}
	if m.Unavailable != "" {
		out = append(out, yaml.MapItem{Key: "unavailable", Value: text(m.Unavailable)})
	}
	if len(m.Overrides) > 0 {
		out = append(out, yaml.MapItem{Key: "overrides", Value: texts(m.Overrides)})
	}
	if m.Seeds != nil {
		out = append(out, yaml.MapItem{Key: "seeds", Value: m.Seeds})
	}
	if m.Config != nil {
		out = append(out, yaml.MapItem{Key: "config", Value: ordered(m.Config)})
	}
	out = append(out, yaml.MapItem{Key: "training", Value: ordered(&m.Training)})
	if len(m.Sweep) > 0 {
		var items yaml.MapSlice
		for _, s := range m.Sweep {
			items = append(items, yaml.MapItem{Key: s.Key, Value: s.Values})
		}
		out = append(out, yaml.MapItem{Key: "sweep", Value: items})
	}
	return out
}

// ordered returns the settings of config in the order of its fields.
func ordered(config any) yaml.MapSlice {
	if asInFile, ok := config.(yaml.MapSlice); ok {
		return asInFile
	}
	var out yaml.MapSlice
	for _, s := range settingsOf(config) {
		if s.unset() {
			continue
		}
		value := s.value.Interface()
		if v, ok := value.(string); ok {
			value = text(v)
		}
		out = append(out, yaml.MapItem{Key: s.key, Value: value})
	}
	return out
}
