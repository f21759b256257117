package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"

	"memobench/benchmarks"
	"memobench/benchmarks/suggest"
	"memobench/benchmarks/sweep"
	"memobench/datasets/binfile"
)

// loadPreset returns the preset of that name, or the one in the YAML file of
// that name.
func loadPreset(name string) (*benchmarks.Preset, error) {
	if !isYAML(name) {
		return benchmarks.LoadPreset(name)
	}
	data, err := binfile.ReadFile(name, benchmarks.MaxYAML)
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

// loadGrid returns the ready grid of that name, or the one in the YAML file of
// that name. The path of a preset in a file counts from it.
func loadGrid(name string) (*sweep.Grid, error) {
	if !isYAML(name) {
		return sweep.Load(name)
	}
	data, err := binfile.ReadFile(name, benchmarks.MaxYAML)
	if err != nil {
		return nil, usage(err)
	}
	g, err := sweep.Parse(strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), data)
	if err != nil {
		return nil, usage(err)
	}
	if isYAML(g.Preset) && !filepath.IsAbs(g.Preset) {
		g.Preset = filepath.Join(filepath.Dir(name), g.Preset)
	}
	return g, nil
}

func isYAML(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}
