package sweep

import (
	"embed"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"memobench/benchmarks"
	"memobench/benchmarks/suggest"
)

// Grid declares a sweep.
type Grid struct {
	Name   string
	About  string // one line
	Preset string // name of the preset, or of a file, that the parts change
	Parts  []Part
}

// Part is a full product: every task with every model, every choice of one
// value from each range, and every seed.
type Part struct {
	Tasks  []string // of the preset; empty for all
	Models []string // labels, registry names or variants; empty for all
	Set    []string // changes to the preset, as Preset.Set takes them
	Ranges []benchmarks.Range
	Seeds  []uint64 // empty for the preset's
}

// gridFile is a grid as it stands in YAML.
type gridFile struct {
	About  string     `yaml:"about"`
	Preset string     `yaml:"preset"`
	Parts  []partFile `yaml:"parts"`
}

type partFile struct {
	Tasks  []string `yaml:"tasks"`
	Models []string `yaml:"models"`
	Set    []string `yaml:"set"`
	Ranges ast.Node `yaml:"ranges"`
	Seeds  []uint64 `yaml:"seeds"`
}

// gridKeys are the keys of a grid.
var gridKeys = []string{"about", "preset", "parts", "tasks", "models", "set", "ranges", "seeds"}

// The ready grids; grids/README.md documents their keys.
//
//go:embed grids/*.yaml
var gridFiles embed.FS

// Names lists the ready grids in alphabetical order.
func Names() []string {
	entries, err := gridFiles.ReadDir("grids")
	if err != nil {
		panic(fmt.Sprintf("sweep: embedded grids: %v", err))
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// Load returns the ready grid of the given name.
func Load(name string) (*Grid, error) {
	data, err := gridFiles.ReadFile(path.Join("grids", name+".yaml"))
	if err != nil {
		return nil, &suggest.UnknownError{What: "grid", Name: name, Known: Names()}
	}
	return Parse(name, data)
}

// Parse reads a grid from YAML. name is its name, and the file's in errors,
// which give line and key and suggest the key that was probably meant. Tasks,
// models, keys and values are checked by Cells.
func Parse(name string, data []byte) (*Grid, error) {
	var f gridFile
	if err := benchmarks.DecodeYAML(data, &f); err != nil {
		return nil, fmt.Errorf("grid %s: %w", name, withSuggestion(err))
	}
	if f.Preset == "" {
		return nil, fmt.Errorf("grid %s: no preset", name)
	}
	if len(f.Parts) == 0 {
		return nil, fmt.Errorf("grid %s: no parts", name)
	}
	g := &Grid{Name: name, About: f.About, Preset: f.Preset}
	for i, p := range f.Parts {
		ranges, err := benchmarks.ParseRanges(p.Ranges)
		if err != nil {
			return nil, fmt.Errorf("grid %s, part %d: ranges: %w", name, i+1, err)
		}
		g.Parts = append(g.Parts, Part{Tasks: p.Tasks, Models: p.Models, Set: p.Set, Ranges: ranges, Seeds: p.Seeds})
	}
	return g, nil
}

// withSuggestion adds the key that was probably meant to the error for an
// unknown one. The error of the YAML package shows the line.
func withSuggestion(err error) error {
	var field *yaml.UnknownFieldError
	if !errors.As(err, &field) {
		return err
	}
	_, name, _ := strings.Cut(field.GetMessage(), `"`)
	if near := suggest.Nearest(strings.TrimSuffix(name, `"`), gridKeys); near != "" {
		return fmt.Errorf("%w\ndid you mean %q?", err, near)
	}
	return err
}
