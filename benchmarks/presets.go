package benchmarks

import (
	"embed"
	"fmt"
	"path"
	"sort"
	"strings"

	"memobench/benchmarks/suggest"
)

// The embedded presets; presets/README.md documents their keys.
//
//go:embed presets/*.yaml
var presetFiles embed.FS

// PresetNames lists the embedded presets, the smallest first and those that need
// files last.
func PresetNames() []string {
	entries, err := presetFiles.ReadDir("presets")
	if err != nil {
		panic(fmt.Sprintf("benchmarks: embedded presets: %v", err))
	}
	rank := map[string]int{"quick": -3, "standard": -2, "paper": -1}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	sort.SliceStable(names, func(i, j int) bool { return rank[names[i]] < rank[names[j]] })
	return names
}

// LoadPreset returns the embedded preset of the given name. Its tasks and
// models must be registered.
func LoadPreset(name string) (*Preset, error) {
	data, err := presetFiles.ReadFile(path.Join("presets", name+".yaml"))
	if err != nil {
		return nil, &suggest.UnknownError{What: "preset", Name: name, Known: PresetNames()}
	}
	return ParsePreset(name, data)
}
