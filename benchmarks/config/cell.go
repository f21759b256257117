package config

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/models"
)

// Cell is the configuration of one run: one model, one task, one seed, fully resolved.
// Treat it as a value; do not change what it points to.
type Cell struct {
	Preset    string
	Task      string
	Settings  any // pointer to the task's settings
	Protocol  Protocol
	Label     string
	Title     string
	Model     string
	Config    models.Config
	Training  models.Training
	Seed      uint64
	Labels    []string // remarks on its numbers; Caveats adds the others
	Overrides []string // changes to the preset, as key=value

	PaperSteps paperSteps // the paper's number of steps
}

// Cells lists the runs of the preset, at least one: experiment by experiment, seed by seed,
// model by model, so that an interrupted sweep has runs of all models with the same seeds.
func (p *Preset) Cells() []Cell {
	var cells []Cell
	for _, e := range p.Experiments {
		for _, seed := range e.Seeds {
			for _, m := range e.Models {
				if m.Seeds != nil && !slices.Contains(m.Seeds, seed) {
					continue
				}
				c := Cell{
					Preset: p.Name, Task: e.Task, Settings: clone(e.Settings), Protocol: e.protocolOf(m),
					Label: m.Label, Title: m.Title, Model: m.Model, Config: clone(m.Config), Training: m.Training,
					Seed: seed, Labels: append(slices.Clone(e.Labels), m.notes()...),
					Overrides: slices.Clone(m.Overrides), PaperSteps: e.PaperSteps,
				}
				c.Training.Steps = c.Protocol.Steps
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// protocolOf returns the protocol with the model's number of steps.
func (e *Experiment) protocolOf(m *ModelSpec) Protocol {
	p := e.Protocol
	if m.Steps != 0 {
		p.Steps = m.Steps
	}
	return p
}

// Validate returns an error for the first setting that is out of range, as far as that is
// known without the data and the model.
func (c *Cell) Validate() error {
	if err := c.Protocol.Validate(); err != nil {
		return err
	}
	err := validate(c.Config, &c.Training)
	if err == nil {
		err = c.validatePhases()
	}
	for i := range c.Training.Phases {
		var during *Cell
		if err == nil {
			during, _, err = c.During(PhaseStart{Index: i})
		}
		if err == nil {
			err = validate(during.Config, &during.Training)
		}
	}
	if err != nil {
		return &SettingError{Err: fmt.Errorf("model %s: %w", c.Label, err)}
	}
	return nil
}

func validate(config models.Config, t *models.Training) error {
	if err := config.Validate(); err != nil {
		return err
	}
	return t.Validate()
}

// CheckKinds refuses an early-stop rule, a mixture or phases of kinds that the task does
// not have.
func (c *Cell) CheckKinds(kinds []string) error {
	if err := c.checkKinds(kinds); err != nil {
		return &SettingError{Err: err}
	}
	return nil
}

func (c *Cell) checkKinds(kinds []string) error {
	if rule := c.Protocol.EarlyStop; rule != nil {
		if err := suggest.Check("kind", kinds, slices.Sorted(maps.Keys(rule.Accuracy))...); err != nil {
			return fmt.Errorf("protocol.early_stop.accuracy: %w; --set early_stop=off trains all steps", err)
		}
	}
	if _, err := c.Protocol.Mixture.Weights(kinds, nil); err != nil {
		return fmt.Errorf("protocol.mixture = %s: %w", c.Protocol.Mixture, err)
	}
	for i, p := range c.Training.Phases {
		if err := suggest.Check("kind", kinds, p.Kinds...); err != nil {
			return fmt.Errorf("model %s: training.phases: phase %d: %w; --set %s.phases=off trains without phases", c.Label, i+1, err, c.Label)
		}
	}
	return nil
}

// CheckMixer refuses data whose kinds cannot be weighted, for a cell with a mixture or phases
// of some kinds.
func (c *Cell) CheckMixer(src datasets.Source) error {
	if _, ok := src.(datasets.Mixer); !ok {
		return &SettingError{Err: fmt.Errorf("task %s draws its kinds by itself: it has no mixture, nor phases of some kinds", c.Task)}
	}
	return nil
}

// Name returns the cell's name for people, such as "pai3 memo seed 1".
func (c *Cell) Name() string { return fmt.Sprintf("%s %s seed %d", c.Task, c.Label, c.Seed) }

// ProtocolHash returns the hash of the protocol with the task and its settings.
// Runs of different protocol hashes are never averaged.
func (c *Cell) ProtocolHash() string { return c.protocolRecord().Hash }

// ProtocolButSteps returns record.Protocol.ButSteps of the cell.
func (c *Cell) ProtocolButSteps() string { return c.protocolRecord().ButSteps() }

func (c *Cell) protocolRecord() *record.Protocol {
	values := c.Protocol.Values(c.Task, c.Settings)
	return &record.Protocol{Hash: record.HashOf(values), Values: values}
}

// Caveats lists the caveats that follow from the cell alone.
func (c *Cell) Caveats() datasets.Caveats {
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

// Dir returns the name of the cell's directory in a sweep.
func (c *Cell) Dir() string { return DirName(c.Task, c.Label, c.Seed, c.Hash()) }

// DirName returns the name of a run's directory in a sweep; hash is Cell.Hash's.
func DirName(task, label string, seed uint64, hash string) string {
	return fmt.Sprintf("%s-%s-s%d-%s", FileName(task), FileName(label), seed, FileName(hash[:min(8, len(hash))]))
}

// FileName returns text with hyphens for characters that file names should not have.
func FileName(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, text)
}

// YAML renders the cell as a preset of one experiment.
func (c *Cell) YAML() ([]byte, error) {
	return (&Preset{Name: c.Preset, About: c.Name(), Experiments: []*Experiment{{
		Task: c.Task, Settings: c.Settings, Protocol: c.Protocol, Seeds: []uint64{c.Seed}, Labels: c.Labels,
		PaperSteps: c.PaperSteps,
		Models: []*ModelSpec{{Label: c.Label, Title: c.Title, Model: c.Model, Config: c.Config,
			Training: c.Training, Overrides: c.Overrides}},
	}}}).YAML()
}

// cellJSON is a cell in a checkpoint or a file of weights; V is a value of a setting.
type cellJSON[V any] struct {
	Preset    string       `json:"preset"`
	Task      string       `json:"task"`
	Settings  map[string]V `json:"settings"`
	Protocol  map[string]V `json:"protocol"`
	Label     string       `json:"label"`
	Title     string       `json:"title"`
	Model     string       `json:"model"`
	Config    map[string]V `json:"config"`
	Training  map[string]V `json:"training"`
	Seed      uint64       `json:"seed"`
	Labels    []string     `json:"labels,omitempty"`
	Overrides []string     `json:"overrides,omitempty"`

	PaperSteps paperSteps `json:"paper_steps,omitempty"`
}

// MarshalJSON writes the cell; UnmarshalJSON reads it again.
func (c Cell) MarshalJSON() ([]byte, error) {
	return json.Marshal(cellJSON[any]{
		Preset: c.Preset, Task: c.Task, Settings: Values(c.Settings), Protocol: Values(&c.Protocol), Label: c.Label,
		Title: c.Title, Model: c.Model, Config: Values(c.Config), Training: Values(&c.Training), Seed: c.Seed,
		Labels: c.Labels, Overrides: c.Overrides, PaperSteps: c.PaperSteps,
	})
}

// UnmarshalJSON reads a cell; its task and model must be registered.
func (c *Cell) UnmarshalJSON(data []byte) error {
	var j cellJSON[json.RawMessage]
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
		Config: model.Defaults(), Seed: j.Seed, Labels: j.Labels, Overrides: j.Overrides, PaperSteps: j.PaperSteps,
	}
	for _, p := range []struct {
		key    string
		config any
		values map[string]json.RawMessage
	}{
		{"settings", c.Settings, j.Settings}, {"protocol", &c.Protocol, j.Protocol},
		{"config", c.Config, j.Config}, {"training", &c.Training, j.Training},
	} {
		if err := fillJSON(p.config, p.values); err != nil {
			return fmt.Errorf("%s: %w", p.key, err)
		}
	}
	c.Training.Steps = c.Protocol.Steps
	return c.Protocol.Validate()
}

// fillJSON sets the settings of config.
func fillJSON(config any, values map[string]json.RawMessage) error {
	for key, value := range values {
		text := string(value)
		var unquoted string
		if json.Unmarshal(value, &unquoted) == nil && text != "null" {
			text = unquoted
		}
		if err := setKey(config, key, text); err != nil {
			return err
		}
	}
	return setLegacy(config, slices.Collect(maps.Keys(values)))
}

// CellOf returns the cell that a record is of. Its settings must be ones that this
// program has; those that the record lacks have their defaults.
func CellOf(r *record.Record) (*Cell, error) {
	protocol := maps.Clone(r.Protocol.Values)
	settings := protocol["settings"]
	delete(protocol, "settings")
	delete(protocol, "task")
	data, err := json.Marshal(map[string]any{
		"task": r.Identity.Task, "model": r.Identity.Model, "label": r.Identity.Label, "seed": r.Identity.Seed,
		"settings": settings, "protocol": protocol, "config": r.Model.Config, "training": r.Model.Training,
	})
	if err != nil {
		return nil, err
	}
	c := new(Cell)
	return c, c.UnmarshalJSON(data)
}

// Differences lists the settings in which two cells differ, as "key: a, now b". Those of
// different tasks or models are not listed: their keys differ.
func Differences(a, b *Cell) []string {
	var list []string
	note := func(key, x, y string) {
		if x != y {
			list = append(list, fmt.Sprintf("%s: %s, now %s", key, cmp.Or(x, "not set"), cmp.Or(y, "not set")))
		}
	}
	note("task", a.Task, b.Task)
	note("model", a.Model, b.Model)
	note("seed", strconv.FormatUint(a.Seed, 10), strconv.FormatUint(b.Seed, 10))
	first := len(list)
	for _, part := range []struct {
		name string // as in an override
		same bool   // have the same keys
		a, b any
	}{
		{partTask, a.Task == b.Task, a.Settings, b.Settings}, {partProtocol, true, &a.Protocol, &b.Protocol},
		{partModel, a.Model == b.Model, a.Config, b.Config}, {partTraining, true, &a.Training, &b.Training},
	} {
		if !part.same {
			continue
		}
		other := settingsOf(part.b)
		for i, s := range settingsOf(part.a) {
			note(part.name+"."+s.key, s.textIfSet(), other[i].textIfSet())
		}
	}
	slices.Sort(list[first:])
	return list
}
