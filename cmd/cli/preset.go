package cli

import (
	"path/filepath"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/sweep"
	"memobench/datasets/binfile"
)

// loadPreset returns the embedded preset or the YAML file of that name.
func loadPreset(name string) (*config.Preset, error) {
	if !isYAML(name) {
		return config.LoadPreset(name)
	}
	data, err := binfile.ReadFile(name, config.MaxYAML)
	if err != nil {
		return nil, usage(err)
	}
	preset, err := config.ParsePreset(name, data)
	return preset, usage(err)
}

// loadGrid returns the embedded grid or the YAML file of that name. In a file, the path of a
// preset is relative to the file.
func loadGrid(name string) (*sweep.Grid, error) {
	if !isYAML(name) {
		return sweep.Load(name)
	}
	data, err := binfile.ReadFile(name, config.MaxYAML)
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
