package benchmarks

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/models"
)

// Cell is one run: one model on one task from one seed, fully resolved. Treat
// it as a value; what it points to must not be changed.
type Cell struct {
	Preset    string
	Task      string
	Settings  any // pointer to the task's settings
	Protocol  Protocol
	Label     string
	Title     string
	Model     string
	Config    any // pointer to the model's config
	Training  models.Training
	Seed      uint64
	Labels    []string // remarks on its numbers; caveats adds the others
	Overrides []string // changes to the preset, as key=value

	PaperSteps PaperSteps // the paper's number of steps
}

// Cells lists the runs of the preset: experiment by experiment, seed by seed,
// model by model, so that a sweep that is cut short has compared something.
// Experiments and models that are unavailable are left out; see Unsupported.
func (p *Preset) Cells() []Cell {
	var cells []Cell
	for _, e := range p.Experiments {
		if e.Unavailable != "" {
			continue
		}
		for _, seed := range e.Seeds {
			for _, m := range e.Models {
				if !m.runsFrom(seed) {
					continue
				}
				c := Cell{
					Preset: p.Name, Task: e.Task, Settings: clone(e.Settings), Protocol: e.Protocol,
					Label: m.Label, Title: m.Title, Model: m.Model, Config: clone(m.Config), Training: m.Training, Seed: seed,
					Labels: append(slices.Clone(e.Labels), m.Notes()...), Overrides: slices.Clone(m.Overrides),
					PaperSteps: e.PaperSteps,
				}
				c.Training.Steps = e.Protocol.Steps
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// Name returns the cell's name for people, such as "pai3 memo seed 1".
func (c *Cell) Name() string { return fmt.Sprintf("%s %s seed %d", c.Task, c.Label, c.Seed) }

// Hash returns the hash of everything that decides the cell's result but the
// data's contents and the machine. Names and labels are not in it, nor settings that
// came later where they have the value that they had before.
func (c *Cell) Hash() string {
	return record.HashOf(map[string]any{
		"protocol": c.Protocol.values(c.Task, c.Settings), "model": c.Model, "config": withoutLegacy(c.Config),
		"training": mapOf(&c.Training), "seed": c.Seed,
	})
}

// caveats lists those of the cell's numbers by what was planned.
func (c *Cell) caveats() datasets.Caveats {
	var list datasets.Caveats
	add := func(kind datasets.CaveatKind, texts ...string) {
		for _, text := range texts {
			list = append(list, datasets.Caveat{Kind: kind, Text: text})
		}
	}
	add(datasets.Remark, c.Labels...)
	add(datasets.Curriculum, c.curriculum()...)
	add(datasets.OtherSteps, c.PaperSteps.texts(c.Protocol.Steps)...)
	return list
}

// ProtocolHash returns the hash of the protocol with the task and its settings.
// Runs of different protocol hashes are never compared.
func (c *Cell) ProtocolHash() string { return record.HashOf(c.Protocol.values(c.Task, c.Settings)) }

// Dir returns the name of the cell's directory in a sweep.
func (c *Cell) Dir() string { return DirName(c.Task, c.Label, c.Seed, c.Hash()) }

// DirName returns the name of a run's directory in a sweep; hash is Cell.Hash's.
func DirName(task, label string, seed uint64, hash string) string {
	clean := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
				return r
			}
			return '-'
		}, s)
	}
	return fmt.Sprintf("%s-%s-s%d-%s", clean(task), clean(label), seed, clean(hash[:min(8, len(hash))]))
}

// YAML renders the cell as a preset of one experiment.
func (c *Cell) YAML() ([]byte, error) {
	return (&Preset{Name: c.Preset, About: c.Name(), Experiments: []*Experiment{{
		Task: c.Task, Settings: c.Settings, Protocol: c.Protocol, Seeds: []uint64{c.Seed}, Labels: c.Labels, PaperSteps: c.PaperSteps,
		Models: []*ModelSpec{{Label: c.Label, Title: c.Title, Model: c.Model, Config: c.Config, Training: c.Training, Overrides: c.Overrides}},
	}}}).YAML()
}

// cellJSON is a cell in a checkpoint or a file of weights.
type cellJSON struct {
	Preset    string                     `json:"preset"`
	Task      string                     `json:"task"`
	Settings  map[string]json.RawMessage `json:"settings"`
	Protocol  map[string]json.RawMessage `json:"protocol"`
	Label     string                     `json:"label"`
	Title     string                     `json:"title"`
	Model     string                     `json:"model"`
	Config    map[string]json.RawMessage `json:"config"`
	Training  map[string]json.RawMessage `json:"training"`
	Seed      uint64                     `json:"seed"`
	Labels    []string                   `json:"labels,omitempty"`
	Overrides []string                   `json:"overrides,omitempty"`

	PaperSteps PaperSteps `json:"paper_steps,omitempty"`
}

// MarshalJSON writes the cell; UnmarshalJSON reads it again.
func (c Cell) MarshalJSON() ([]byte, error) {
	raw := func(config any) map[string]json.RawMessage {
		out := map[string]json.RawMessage{}
		for key, v := range mapOf(config) {
			data, err := json.Marshal(v)
			if err != nil { // settings are plain finite values; setText lets no other in
				panic(fmt.Sprintf("benchmarks: %s: %v", key, err))
			}
			out[key] = data
		}
		return out
	}
	return json.Marshal(cellJSON{
		Preset: c.Preset, Task: c.Task, Settings: raw(c.Settings), Protocol: raw(&c.Protocol), Label: c.Label, Title: c.Title,
		Model: c.Model, Config: raw(c.Config), Training: raw(&c.Training), Seed: c.Seed, Labels: c.Labels, Overrides: c.Overrides,
		PaperSteps: c.PaperSteps,
	})
}

// UnmarshalJSON reads a cell; its task and model must be registered.
func (c *Cell) UnmarshalJSON(data []byte) error {
	var j cellJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	task, ok := datasets.Lookup(j.Task)
	if !ok {
		return &suggest.UnknownError{What: "task", Name: j.Task, Known: datasets.Names()}
	}
	model, ok := models.Lookup(j.Model)
	if !ok {
		return &suggest.UnknownError{What: "model", Name: j.Model, Known: models.Names()}
	}
	*c = Cell{
		Preset: j.Preset, Task: j.Task, Settings: task.Defaults(), Label: j.Label, Title: j.Title, Model: j.Model,
		Config: model.Defaults(), Seed: j.Seed, Labels: j.Labels, Overrides: j.Overrides,
		PaperSteps: j.PaperSteps,
	}
	for _, part := range []struct {
		name   string
		config any
		values map[string]json.RawMessage
	}{{"settings", c.Settings, j.Settings}, {"protocol", &c.Protocol, j.Protocol}, {"config", c.Config, j.Config}, {"training", &c.Training, j.Training}} {
		for key, value := range part.values {
			text := string(value)
			var s string
			if json.Unmarshal(value, &s) == nil && text != "null" {
				text = s
			}
			if err := setKey(part.config, key, text); err != nil {
				return fmt.Errorf("%s: %w", part.name, err)
			}
		}
		if err := setLegacy(part.config, func(key string) bool { _, ok := part.values[key]; return ok }); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	c.Training.Steps = c.Protocol.Steps
	return c.Protocol.Validate()
}

// differences lists the settings in which two cells differ, as "key: a, b".
func differences(a, b *Cell) []string {
	var list []string
	note := func(key string, x, y any) {
		if !reflect.DeepEqual(x, y) {
			list = append(list, fmt.Sprintf("%s: %v, now %v", key, x, y))
		}
	}
	note("task", a.Task, b.Task)
	note("model", a.Model, b.Model)
	note("seed", a.Seed, b.Seed)
	for _, part := range []struct {
		name string
		x, y map[string]any
	}{
		{partTask, mapOf(a.Settings), mapOf(b.Settings)}, {partProtocol, mapOf(&a.Protocol), mapOf(&b.Protocol)},
		{partModel, mapOf(a.Config), mapOf(b.Config)}, {partTraining, mapOf(&a.Training), mapOf(&b.Training)},
	} {
		keys := map[string]bool{}
		for k := range part.x {
			keys[k] = true
		}
		for k := range part.y {
			keys[k] = true
		}
		for k := range keys {
			note(part.name+"."+k, part.x[k], part.y[k])
		}
	}
	sort.Strings(list)
	return list
}
