// Package sweep runs many cells that differ in settings and seeds: a grid of
// hyper-parameters.
//
// What comes in: a grid, a YAML file with a preset, tasks, models, ranges of settings and
// seeds (grids/README.md documents its keys), or the name of an embedded one. What goes
// out: its cells in a fixed order, estimates of their time, a directory of runs, scripts
// for clusters, and merged directories. What always holds: cells are deduplicated and
// named by the hash of their configuration; the cells of a shard depend only on the grid
// and the shard, so that processes need no coordination; a cell's record does not depend
// on the machine, the order or the number of sessions.
package sweep

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"memobench/benchmarks/config"
	"memobench/benchmarks/suggest"
)

// Grid declares a sweep.
type Grid struct {
	Name   string
	About  string   // one line
	Preset string   // name of the preset, or of a file, that the parts change
	Set    []string // changes to the preset for all parts (see config.Preset.Set)
	Parts  []Part
}

// Part is a Cartesian product of tasks, models, the values of each range, and seeds.
type Part struct {
	Tasks  []string // of the preset; empty for all
	Models []string // labels, registry names or variants; empty for all
	Set    []string // changes to the preset (see config.Preset.Set)
	Ranges []config.Range
	Seeds  []uint64 // empty for the preset's
	Choose *Choice  // nil for a part that is no search
}

// gridFile is a grid in YAML.
type gridFile struct {
	About  string     `yaml:"about"`
	Preset string     `yaml:"preset"`
	Set    []string   `yaml:"set"`
	Parts  []partFile `yaml:"parts"`
}

type partFile struct {
	Tasks  []string `yaml:"tasks"`
	Models []string `yaml:"models"`
	Set    []string `yaml:"set"`
	Ranges ast.Node `yaml:"ranges"`
	Seeds  []uint64 `yaml:"seeds"`
	Choose *Choice  `yaml:"choose"`
}

// The embedded grids; grids/README.md documents their keys.
//
//go:embed grids/*.yaml
var gridFiles embed.FS

// Names lists the embedded grids in alphabetical order.
func Names() []string {
	files, _ := fs.Glob(gridFiles, "grids/*.yaml") // the pattern is valid
	var names []string
	for _, file := range files {
		names = append(names, strings.TrimSuffix(path.Base(file), ".yaml"))
	}
	return names
}

// Load returns the embedded grid of the given name.
func Load(name string) (*Grid, error) {
	data, err := gridFiles.ReadFile(path.Join("grids", name+".yaml"))
	if err != nil {
		return nil, &suggest.UnknownError{What: "grid", Name: name, Known: Names()}
	}
	return Parse(name, data)
}

// Parse reads a grid from YAML. name is the name of the grid. Errors have the line and the
// key, and suggest the nearest one. Cells checks tasks, models, keys and values.
func Parse(name string, data []byte) (*Grid, error) {
	var f gridFile
	if err := config.DecodeYAML(data, &f); err != nil {
		return nil, fmt.Errorf("grid %s: %w", name, err)
	}
	if f.Preset == "" {
		return nil, fmt.Errorf("grid %s: no preset", name)
	}
	if len(f.Parts) == 0 {
		return nil, fmt.Errorf("grid %s: no parts", name)
	}
	g := &Grid{Name: name, About: f.About, Preset: f.Preset, Set: f.Set}
	for i, p := range f.Parts {
		ranges, err := config.ParseRanges(p.Ranges)
		if err != nil {
			return nil, fmt.Errorf("grid %s, part %d: ranges: %w", name, i+1, err)
		}
		if p.Choose != nil {
			if err := p.Choose.validate(); err != nil {
				return nil, fmt.Errorf("grid %s, part %d: %w", name, i+1, err)
			}
		}
		g.Parts = append(g.Parts, Part{Tasks: p.Tasks, Models: p.Models, Set: p.Set, Ranges: ranges, Seeds: p.Seeds, Choose: p.Choose})
	}
	return g, nil
}
