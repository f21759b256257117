package benchmarks

import (
	"fmt"
	"maps"
	"slices"

	"memobench/models"
)

// AddVariants adds the registered variants of the given names to every
// experiment that has their model: the model's settings there with the
// variant's changes. Names that are no variants, or that a model of the
// experiment has already, are left alone.
func (p *Preset) AddVariants(names ...string) error {
	for _, name := range names {
		v, ok := models.LookupVariant(name)
		if !ok {
			continue
		}
		for _, e := range p.Experiments {
			if err := e.addVariant(v); err != nil {
				return fmt.Errorf("preset %s: variant %s: %w", p.Name, name, err)
			}
		}
	}
	return nil
}

func (e *Experiment) addVariant(v models.Variant) error {
	if slices.ContainsFunc(e.Models, func(m *ModelSpec) bool { return m.Label == v.Name }) {
		return nil
	}
	i := slices.IndexFunc(e.Models, func(m *ModelSpec) bool { return m.Model == v.Model && m.Config != nil })
	if i < 0 {
		return nil
	}
	m := *e.Models[i]
	m.Label, m.Title, m.Config = v.Name, v.Title, clone(m.Config)
	m.Sweep, m.Overrides = slices.Clone(m.Sweep), slices.Clone(m.Overrides)
	for _, key := range slices.Sorted(maps.Keys(v.Settings)) {
		if err := setKey(m.Config, key, v.Settings[key]); err != nil {
			return err
		}
	}
	m.Sweep = slices.DeleteFunc(m.Sweep, func(s Sweep) bool { _, set := v.Settings[s.Key]; return set })
	e.Models = append(e.Models, &m)
	return nil
}
