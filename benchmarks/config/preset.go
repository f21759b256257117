// Package config holds the configuration of runs: presets, protocols, and the settings of
// tasks, models and training.
//
// What comes in: a preset (embedded YAML, see presets/, or a file of the same form), and
// overrides, key=value. What goes out: cells, each one run with every setting resolved.
//
//	LoadPreset("quick")            *Preset: experiments, each one task under one
//	                               protocol, with its models and seeds
//	Preset.Select(task, model)     keeps a part of it
//	Preset.Set("memo.hops=5")      override; errors suggest the nearest key
//	Preset.YAML()                  the resolved whole, itself a preset
//	Preset.Cells()                 []Cell: model x task x seed
//
// A configuration is a struct whose exported fields have yaml tags. The same code reads,
// checks and writes keys in presets, overrides, checkpoints, hashes and records.
//
// A Protocol is what all models of an experiment have in common: data, batches, steps and
// questions. Runs whose protocols have different hashes are never averaged.
package config

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"memobench/benchmarks/suggest"
	"memobench/models"
)

// Preset is a list of experiments, fully resolved: every setting has a value,
// from the preset or by default.
type Preset struct {
	Name        string
	About       string // one line
	Experiments []*Experiment
}

// Experiment is one task under one protocol, with the models that are compared
// on it.
type Experiment struct {
	Task       string
	Settings   any // pointer to the task's settings
	Protocol   Protocol
	Models     []*ModelSpec
	Seeds      []uint64
	Labels     []string   // remarks on every number of the experiment
	PaperSteps paperSteps // the paper's number of steps; another number is a caveat
}

// ModelSpec is one model variant of an experiment.
type ModelSpec struct {
	Label    string // unique within the experiment: a row or column of a table
	Title    string // the label as a table prints it
	Model    string // registry name
	Config   models.Config
	Training models.Training

	// Steps is the number of training steps, where not the protocol's; 0 means that.
	Steps int

	// Seeds is a subset of the experiment's seeds, for slow models; nil means all.
	Seeds []uint64

	// Sweep lists, by key, the values that the paper tried. Only the value in Config
	// and Training is run; see notes.
	Sweep []sweep

	// Overrides lists the changes made by Preset.Set, as key=value. They are in
	// Config, Training, protocol and settings already.
	Overrides []string
}

// sweep is a key with the values that were tried.
type sweep struct {
	Key    string
	Values []any
}

// The embedded presets; presets/README.md documents their keys.
//
//go:embed presets/*.yaml
var presetFiles embed.FS

// PresetNames lists the embedded presets, the smallest first and those that need
// files last.
func PresetNames() []string {
	files, _ := fs.Glob(presetFiles, "presets/*.yaml") // the pattern is valid
	rank := map[string]int{"quick": -4, "standard": -3, "tuned": -2, "paper": -1}
	var names []string
	for _, file := range files {
		names = append(names, strings.TrimSuffix(path.Base(file), ".yaml"))
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank[a] - rank[b] })
	return names
}

// LoadPreset returns the embedded preset of the given name. Its tasks and
// models must be registered.
func LoadPreset(name string) (*Preset, error) {
	data, err := presetFiles.ReadFile(path.Join("presets", name+".yaml"))
	if err != nil {
		return nil, &suggest.UnknownError{What: "preset", Name: name, Known: append(PresetNames(), "FILE.yaml")}
	}
	return ParsePreset(name, data)
}

// presetsWith lists the embedded presets that have a task.
func presetsWith(task string) (names []string) {
	for _, name := range PresetNames() {
		if p, err := LoadPreset(name); err == nil && slices.Contains(p.Tasks(), task) {
			names = append(names, name)
		}
	}
	return names
}

// notes lists the sweeps of which a run of the model takes only one value, as remarks for
// its record.
func (m *ModelSpec) notes() []string {
	var notes []string
	for _, s := range m.Sweep {
		if len(s.Values) > 1 {
			notes = append(notes, fmt.Sprintf("sweep of %s over %v not run: one value taken", s.Key, s.Values))
		}
	}
	return notes
}

// NotRun lists the sweeps of which the preset's runs take only one value.
func (p *Preset) NotRun() []string {
	var list []string
	for _, e := range p.Experiments {
		for _, m := range e.Models {
			for _, n := range m.notes() {
				list = append(list, fmt.Sprintf("%s, %s: %s", e.Task, m.Label, n))
			}
		}
	}
	return list
}

// Tasks lists the tasks of the preset's experiments in order, deduplicated.
func (p *Preset) Tasks() []string {
	var names []string
	for _, e := range p.Experiments {
		if !slices.Contains(names, e.Task) {
			names = append(names, e.Task)
		}
	}
	return names
}

// Clone returns a deep copy of the preset.
func (p *Preset) Clone() *Preset {
	out := &Preset{Name: p.Name, About: p.About}
	for _, e := range p.Experiments {
		c := *e
		c.Settings = clone(e.Settings)
		c.Labels, c.Seeds, c.Models = slices.Clone(e.Labels), slices.Clone(e.Seeds), nil
		for _, m := range e.Models {
			c.Models = append(c.Models, m.clone())
		}
		out.Experiments = append(out.Experiments, &c)
	}
	return out
}

func (m *ModelSpec) clone() *ModelSpec {
	out := *m
	out.Config = clone(m.Config)
	out.Seeds, out.Sweep, out.Overrides = slices.Clone(m.Seeds), slices.Clone(m.Sweep), slices.Clone(m.Overrides)
	return &out
}

// Select keeps the experiments of a task and, in them, the models of a name (see Keep). An
// empty name keeps all.
func (p *Preset) Select(task, model string) error {
	var tasks, names []string
	if task != "" {
		tasks = []string{task}
	}
	if model != "" {
		names = []string{model}
	}
	return p.Keep(tasks, names)
}

// Keep keeps the experiments of the given tasks and, in them, the models of the given
// names: each is a label or, in experiments where no model has that label, a registry
// name. It may also be that of a registered variant. An empty list keeps all.
func (p *Preset) Keep(tasks, names []string) error {
	names = slices.Clone(names)
	for i, name := range names {
		var err error
		if names[i], err = p.addModel(name, tasks); err != nil {
			return err
		}
	}
	known := append(models.VariantNames(), models.Names()...)
	for _, e := range p.Experiments {
		for _, m := range e.Models {
			known = append(known, m.Label, m.Model)
		}
	}
	if err := cmp.Or(suggest.Check("task", p.Tasks(), tasks...), suggest.Check("model", distinct(known), names...)); err != nil {
		if other := new(suggest.UnknownError); errors.As(err, &other) && other.What == "task" {
			if presets := presetsWith(other.Name); presets != nil {
				err = fmt.Errorf("no task %q in it, but in presets %s; it has: %s", other.Name, strings.Join(presets, ", "), strings.Join(p.Tasks(), ", "))
			}
		}
		if slices.ContainsFunc(names, func(name string) bool { return strings.ContainsAny(name, " /") }) {
			err = fmt.Errorf("%w; a command is given as %sCOMMAND", err, ExternalPrefix)
		}
		return fmt.Errorf("preset %s: %w", p.Name, err)
	}
	var kept []*Experiment
	var labels []string // on the tasks
	for _, e := range p.Experiments {
		if len(tasks) > 0 && !slices.Contains(tasks, e.Task) {
			continue
		}
		reduced := *e
		reduced.Models = nil
		for _, m := range e.Models {
			labels = append(labels, m.Label)
			named := func(name string) bool { return m.Label == name || !e.hasLabel(name) && m.Model == name }
			if len(names) == 0 || slices.ContainsFunc(names, named) {
				reduced.Models = append(reduced.Models, m)
			}
		}
		if len(reduced.Models) > 0 {
			kept = append(kept, &reduced)
		}
	}
	if kept == nil {
		return fmt.Errorf("preset %s: %w", p.Name, &suggest.UnknownError{
			What: "model of " + strings.Join(tasks, ", "), Name: strings.Join(names, ", "), Known: distinct(labels)})
	}
	p.Experiments = kept
	return nil
}

// SetSeeds replaces the seeds of every experiment and model.
func (p *Preset) SetSeeds(seeds ...uint64) error {
	if err := checkSeeds(seeds); err != nil {
		return err
	}
	for _, e := range p.Experiments {
		e.Seeds = slices.Clone(seeds)
		for _, m := range e.Models {
			m.Seeds = nil
		}
	}
	return nil
}

func checkSeeds(seeds []uint64) error {
	if len(seeds) == 0 {
		return fmt.Errorf("seeds: want at least one")
	}
	for i, s := range seeds {
		if slices.Contains(seeds[:i], s) {
			return fmt.Errorf("seeds: %d is duplicated", s)
		}
	}
	return nil
}
