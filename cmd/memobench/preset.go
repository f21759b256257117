package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"memobench/benchmarks"
	"memobench/benchmarks/suggest"
	"memobench/models"
)

// loadPreset returns the preset of that name, or the one in the YAML file of
// that name.
func loadPreset(name string) (*benchmarks.Preset, error) {
	if !strings.HasSuffix(name, ".yaml") && !strings.HasSuffix(name, ".yml") {
		return benchmarks.LoadPreset(name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, usage(err)
	}
	preset, err := benchmarks.ParsePreset(name, data)
	if err != nil {
		return nil, usage(withSuggestion(err))
	}
	return preset, nil
}

// presetKeys are the keys of a preset file outside of its settings, protocol,
// config and training, whose keys their own errors name.
var presetKeys = []string{
	"about", "experiments",
	"task", "labels", "paper_steps", "unavailable", "settings", "protocol", "models", "seeds",
	"label", "title", "model", "overrides", "config", "training", "sweep",
}

// withSuggestion adds the key that was probably meant to the error for an
// unknown one. The error of the YAML package shows the line.
func withSuggestion(err error) error {
	var field *yaml.UnknownFieldError
	if !errors.As(err, &field) {
		return err
	}
	_, name, _ := strings.Cut(field.GetMessage(), `"`)
	if near := suggest.Nearest(strings.TrimSuffix(name, `"`), presetKeys); near != "" {
		return fmt.Errorf("%w\ndid you mean %q?", err, near)
	}
	return err
}

// keep drops the experiments and models of a preset that are not asked for. An
// empty list asks for all. A model is asked for by its registry name or by the
// label of a variant, which need not stand in the preset.
func keep(p *benchmarks.Preset, tasks, asked []string) error {
	if err := p.AddVariants(asked...); err != nil {
		return err
	}
	names := models.VariantNames()
	for _, e := range p.Experiments {
		for _, m := range e.Models {
			names = append(names, m.Label, m.Model)
		}
	}
	slices.Sort(names)
	for _, part := range []struct {
		what         string
		asked, known []string
	}{{"task", tasks, p.Tasks()}, {"model", asked, slices.Compact(names)}} {
		for _, name := range part.asked {
			if !slices.Contains(part.known, name) {
				return usage(&suggest.UnknownError{What: part.what + " in preset " + p.Name, Name: name, Known: part.known})
			}
		}
	}
	var kept []*benchmarks.Experiment
	for _, e := range p.Experiments {
		if len(tasks) > 0 && !slices.Contains(tasks, e.Task) {
			continue
		}
		e.Models = slices.DeleteFunc(e.Models, func(m *benchmarks.ModelSpec) bool {
			return len(asked) > 0 && !slices.Contains(asked, m.Label) && !slices.Contains(asked, m.Model)
		})
		if len(e.Models) > 0 {
			kept = append(kept, e)
		}
	}
	if len(kept) == 0 {
		return usagef("preset %s has none of the models %s on the tasks %s", p.Name, strings.Join(asked, ", "), strings.Join(tasks, ", "))
	}
	p.Experiments = kept
	return nil
}
