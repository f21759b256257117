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
	Name   string   `yaml:"-"`
	About  string   `yaml:"about"`  // one line
	Preset string   `yaml:"preset"` // name of the preset, or of a file, that the parts change
	Set    []string `yaml:"set"`    // changes to the preset for all parts (see config.Preset.Set)
	Parts  []Part   `yaml:"parts"`
}

// Part is a Cartesian product of tasks, models, the values of each range, and seeds.
type Part struct {
	Tasks  []string `yaml:"tasks"`  // of the preset; empty for all
	Models []string `yaml:"models"` // labels, registry names or variants; empty for all
	Set    []string `yaml:"set"`    // changes to the preset (see config.Preset.Set)
	Seeds  []uint64 `yaml:"seeds"`  // empty for the preset's
	Choose *Choice  `yaml:"choose"` // nil for a part that is no search

	Ranges     []config.Range `yaml:"-"`
	RangesNode ast.Node       `yaml:"ranges"` // as the file has them; nil after Parse
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
		return nil, &suggest.UnknownError{What: "grid", Name: name, Known: append(Names(), "FILE.yaml")}
	}
	return Parse(name, data)
}

// Parse reads a grid from YAML. name is the name of the grid. Errors have the line and the
// key, and suggest the nearest one. Cells checks tasks, models, keys and values.
func Parse(name string, data []byte) (*Grid, error) {
	g := &Grid{Name: name}
	if err := config.DecodeYAML(data, g); err != nil {
		return nil, fmt.Errorf("grid %s: %w", name, err)
	}
	if g.Preset == "" {
		return nil, fmt.Errorf("grid %s: no preset", name)
	}
	if len(g.Parts) == 0 {
		return nil, fmt.Errorf("grid %s: no parts", name)
	}
	for i := range g.Parts {
		p := &g.Parts[i]
		var err error
		if p.Ranges, err = config.ParseRanges(p.RangesNode); err != nil {
			return nil, fmt.Errorf("grid %s, part %d: ranges: %w", name, i+1, err)
		}
		if p.Choose != nil {
			if err := p.Choose.validate(); err != nil {
				return nil, fmt.Errorf("grid %s, part %d: %w", name, i+1, err)
			}
		}
		p.RangesNode = nil
	}
	return g, nil
}
