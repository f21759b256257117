package study

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
)

// Cell is the configuration of one run with one seed, fully resolved. Treat it as a value; do
// not change what it points to.
type Cell struct {
	Study    string
	Task     string
	Settings any // pointer to the task's settings
	Protocol Protocol
	Name     string
	Title    string
	Model    string
	Config   models.Config
	Training models.Training
	Seed     uint64

	PaperSteps paperSteps // the paper's number of steps
}

// Cells lists the runs of the study with their seeds: experiment by experiment, seed by seed,
// run by run, so that an interrupted study has runs of all models with the same seeds. The
// chosen settings of searches are not among them (see Search).
func (s *Study) Cells() (cells []Cell) {
	for _, e := range s.Experiments {
		first := len(cells)
		seeds := slices.Clone(e.Seeds)
		for _, r := range e.Runs {
			seeds = append(seeds, r.Seeds...)
			cells = append(cells, s.cellsOf(e, r)...)
		}
		rank := func(c Cell) int { return slices.Index(seeds, c.Seed) }
		slices.SortStableFunc(cells[first:], func(a, b Cell) int { return cmp.Compare(rank(a), rank(b)) })
	}
	return cells
}

func (s *Study) cellsOf(e *Experiment, r *Run) (cells []Cell) {
	expanded, err := e.expand(r)
	if err != nil {
		panic(fmt.Sprintf("study: run %s, which was expanded when it was read: %v", r.Name, err))
	}
	for _, one := range expanded {
		e, r := one.Experiments[0], one.Experiments[0].Runs[0]
		for _, seed := range e.seedsOf(r) {
			c := Cell{
				Study: s.Name, Task: e.Task, Settings: e.Settings, Protocol: e.protocolOf(r), Name: r.Name, Title: r.Title,
				Model: r.Model, Config: r.Config, Training: r.Training, Seed: seed, PaperSteps: e.PaperSteps,
			}
			c.Training.Steps = c.Protocol.Steps
			cells = append(cells, c)
		}
	}
	return cells
}

// Validate returns an error for the first setting that is out of range, as far as that is
// known without the data and the model.
func (c *Cell) Validate() error {
	if err := c.Protocol.Validate(); err != nil {
		return err
	}
	err := c.validatePhases()
	for i := 0; i <= len(c.Training.Phases) && err == nil; i++ {
		var during *Cell
		if during, err = c.During(PhaseStart{Index: i}); err == nil {
			err = cmp.Or(during.Config.Validate(), during.Training.Validate())
		}
	}
	if err != nil {
		return &SettingError{Err: fmt.Errorf("model %s: %w", c.Name, err)}
	}
	return nil
}

// CheckKinds refuses an early-stop rule, a mixture or phases of kinds that the task does
// not have.
func (c *Cell) CheckKinds(kinds []string) (err error) {
	if rule := c.Protocol.EarlyStop; rule != nil {
		if err = datasets.CheckNames("kind", kinds, slices.Sorted(maps.Keys(rule.Accuracy))...); err != nil {
			return &SettingError{fmt.Errorf("protocol.early_stop.accuracy: %w; --set early_stop=off trains all steps", err)}
		}
	}
	if _, err = c.Protocol.Mixture.Weights(kinds, nil); err != nil {
		return &SettingError{fmt.Errorf("protocol.mixture = %s: %w", c.Protocol.Mixture, err)}
	}
	for i, p := range c.Training.Phases {
		if err = datasets.CheckNames("kind", kinds, p.Kinds...); err != nil {
			return &SettingError{fmt.Errorf("run %s: training.phases: phase %d: %w", c.Name, i+1, err)}
		}
	}
	return nil
}

// String returns the cell's name for people, such as "pai3 memo seed 1".
func (c *Cell) String() string { return fmt.Sprintf("%s %s seed %d", c.Task, c.Name, c.Seed) }

// ProtocolHash returns the hash of the protocol with the task and its settings.
// Runs of different protocol hashes are never averaged.
func (c *Cell) ProtocolHash() string { return record.HashOf(c.Protocol.Values(c.Task, c.Settings)) }

// Caveats lists the caveats that follow from the cell alone: those of the mixture, of the phases and
// of the number of steps.
func (c *Cell) Caveats() (list datasets.Caveats) {
	add := func(kind datasets.CaveatKind, text string) {
		list = append(list, datasets.Caveat{Kind: kind, Text: text})
	}
	switch c.Protocol.Mixture {
	case "":
	case Adaptive:
		add(datasets.Curriculum, "adaptive mixture of kinds by validation error")
	default:
		add(datasets.Curriculum, "mixture of kinds by weight: "+string(c.Protocol.Mixture))
	}
	if n := c.Training.Questions; n > 1 {
		add(datasets.Curriculum, fmt.Sprintf("%d questions about each memory of a training batch", n))
	}
	for i, p := range c.Training.Phases {
		add(datasets.Curriculum, fmt.Sprintf("curriculum: phase %d of up to %d steps", i+1, p.Steps*max(1, p.Attempts))+DescribePhase(&p, p.Kinds))
	}
	if text := c.PaperSteps.text(c.Protocol.Steps); text != "" {
		add(datasets.OtherSteps, text)
	}
	return list
}

// Dir returns the name of the cell's directory below that of the study.
func (c *Cell) Dir() string { return DirName(c.Task, c.Name, c.Seed, c.Hash()) }

// DirName returns the name of a run's directory. It has the name of the run without its
// changed settings, which are in the hash.
func DirName(task, name string, seed uint64, hash string) string {
	return fmt.Sprintf("%s-%s-s%d-%s", record.FileWord(task), record.FileWord(record.NameWithoutChanges(name)), seed, record.FileWord(hash[:min(8, len(hash))]))
}

// YAML renders the cell as a study of one run.
func (c *Cell) YAML() ([]byte, error) {
	return (&Study{Name: c.Study, About: c.String(), Experiments: []*Experiment{{
		Task: c.Task, Settings: c.Settings, Protocol: c.Protocol, Seeds: []uint64{c.Seed}, PaperSteps: c.PaperSteps,
		Runs: []*Run{{Name: c.Name, Title: c.Title, Model: c.Model, Config: c.Config, Training: c.Training}},
	}}}).YAML()
}

// cellJSON is a cell in a checkpoint or a file of weights; V is a value of a setting.
type cellJSON[V any] struct {
	Study    string       `json:"study"`
	Task     string       `json:"task"`
	Settings map[string]V `json:"settings"`
	Protocol map[string]V `json:"protocol"`
	Name     string       `json:"name"`
	Title    string       `json:"title"`
	Model    string       `json:"model"`
	Config   map[string]V `json:"config"`
	Training map[string]V `json:"training"`
	Seed     uint64       `json:"seed"`

	PaperSteps paperSteps `json:"paper_steps,omitempty"`

	// Of earlier cells, in place of study and name.
	Preset    string   `json:"preset,omitempty"`
	Label     string   `json:"label,omitempty"`
	Overrides []string `json:"overrides,omitempty"`
}

// MarshalJSON writes the cell; UnmarshalJSON reads it again.
func (c Cell) MarshalJSON() ([]byte, error) {
	return json.Marshal(cellJSON[any]{
		Study: c.Study, Task: c.Task, Settings: Values(c.Settings), Protocol: Values(&c.Protocol), Name: c.Name,
		Title: c.Title, Model: c.Model, Config: Values(c.Config), Training: Values(&c.Training), Seed: c.Seed,
		PaperSteps: c.PaperSteps,
	})
}

// UnmarshalJSON reads a cell; its task and model must be registered.
func (c *Cell) UnmarshalJSON(data []byte) error {
	var j cellJSON[json.RawMessage]
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	task, err := taskOf(j.Task)
	model, err2 := modelOf(j.Model)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	*c = Cell{
		Study: cmp.Or(j.Study, j.Preset), Task: j.Task, Settings: task.Defaults(), Title: j.Title, Model: j.Model,
		Name: cmp.Or(j.Name, record.WithChanges(j.Label, j.Overrides...)), Config: model.Defaults(), Seed: j.Seed, PaperSteps: j.PaperSteps,
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
		"task": r.Identity.Task, "model": r.Identity.Model, "study": r.Identity.Study, "name": r.Identity.Name, "title": r.Identity.Title, "seed": r.Identity.Seed,
		"settings": settings, "protocol": protocol, "config": r.Model.Config, "training": r.Model.Training,
	})
	if err != nil {
		return nil, err
	}
	c := new(Cell)
	return c, c.UnmarshalJSON(data)
}

// Differences lists what differs in two cells, as "key: a, now b". Settings of different tasks
// or models are not compared.
func Differences(a, b *Cell) (list []string) {
	was, now := a.texts(), b.texts()
	for _, key := range slices.Sorted(maps.Keys(was)) {
		if text, ok := now[key]; ok && text != was[key] {
			list = append(list, fmt.Sprintf("%s: %s, now %s", key, cmp.Or(was[key], "not set"), cmp.Or(text, "not set")))
		}
	}
	return list
}

// texts returns the settings by part and key, as in Study.Set, empty for one that is not set.
func (c *Cell) texts() map[string]string {
	texts := map[string]string{"task": c.Task, "model": c.Model, "seed": strconv.FormatUint(c.Seed, 10)}
	for part, config := range map[string]any{partTask: c.Settings, partProtocol: &c.Protocol, partModel: c.Config, partTraining: &c.Training} {
		for _, s := range Settings(config) {
			if texts[part+"."+s.Key] = ""; !s.omitted() && (s.value.Kind() != reflect.Slice || s.value.Len() > 0) {
				texts[part+"."+s.Key] = s.Text()
			}
		}
	}
	return texts
}
