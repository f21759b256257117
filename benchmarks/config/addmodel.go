package config

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"memobench/models"
)

// ExternalPrefix begins the name of a model that is a command: exec:python3 my_model.py.
const ExternalPrefix = "exec:"

// addModel adds a registered model or variant that the preset lacks to its experiments
// on the given tasks, or on all, and returns its label. Of several experiments on a task it
// takes those that have a model of the same kind, or else the first. A variant changes the
// settings of the experiment's model of the same kind; if there is none, the settings of the
// model and of training are the defaults. Names in the preset, and unknown names, are
// returned unchanged.
func (p *Preset) addModel(name string, tasks []string) (label string, err error) {
	command, external := strings.CutPrefix(name, ExternalPrefix)
	v, variant := models.LookupVariant(name)
	if !variant {
		v = models.Variant{Name: name, Model: name}
	}
	if external {
		if strings.TrimSpace(command) == "" {
			return "", fmt.Errorf("preset %s: model %q: no command behind %s", p.Name, name, ExternalPrefix)
		}
		v = models.Variant{Name: commandLabel(command), Model: strings.TrimSuffix(ExternalPrefix, ":"),
			Settings: map[string]string{"command": command}}
		for n := 1; p.taken(v.Name, command); n++ {
			v.Name = commandLabel(command) + "-external"
			if n > 1 {
				v.Name += fmt.Sprintf("-%d", n)
			}
		}
		v.Title = v.Name
	}
	entry, ok := models.Lookup(v.Model)
	if !ok {
		return name, nil
	}
	for _, e := range p.Experiments {
		if len(tasks) > 0 && !slices.Contains(tasks, e.Task) || e.hasLabel(v.Name) || !slices.Contains(p.homes(e.Task, v.Model), e) {
			continue
		}
		at := slices.IndexFunc(e.Models, func(m *ModelSpec) bool { return m.Model == v.Model })
		m := &ModelSpec{Model: v.Model, Config: entry.Defaults(),
			Training: models.Training{Optimizer: "adam", LearningRate: 1e-3, PlateauFraction: 0.5, Power: 1}}
		switch {
		case at >= 0 && variant:
			m = e.Models[at].clone()
			m.Sweep = slices.DeleteFunc(m.Sweep, func(s sweep) bool { _, set := v.Settings[s.Key]; return set })
		case at >= 0 && !external:
			continue
		}
		m.Label, m.Title = v.Name, cmp.Or(v.Title, entry.Title)
		for _, key := range slices.Sorted(maps.Keys(v.Settings)) {
			if err := setKey(m.Config, key, v.Settings[key]); err != nil {
				return "", fmt.Errorf("preset %s: model %s: %w", p.Name, v.Name, err)
			}
		}
		e.Models = append(e.Models, m)
	}
	return v.Name, nil
}

// homes returns the experiments on a task that have a model, the first one if none has.
func (p *Preset) homes(task, model string) []*Experiment {
	var with, all []*Experiment
	for _, e := range p.Experiments {
		if e.Task != task {
			continue
		}
		all = append(all, e)
		if slices.ContainsFunc(e.Models, func(m *ModelSpec) bool { return m.Model == model }) {
			with = append(with, e)
		}
	}
	if with == nil {
		return all[:1]
	}
	return with
}

// IsOwnName reports whether a label is that of a registered model or variant, or one with
// a number behind it, such as emn4, in any case.
func IsOwnName(label string) bool {
	own := slices.Concat(models.Names(), models.VariantNames())
	label = strings.ToLower(label)
	return slices.Contains(own, label) || slices.Contains(own, strings.TrimRight(label, "0123456789"))
}

// taken reports whether a label is that of another model than this command: of this program
// or of the preset.
func (p *Preset) taken(label, command string) bool {
	return IsOwnName(label) || slices.ContainsFunc(p.Experiments, func(e *Experiment) bool {
		return slices.ContainsFunc(e.Models, func(m *ModelSpec) bool { return m.Label == label && Values(m.Config)["command"] != command })
	})
}

func (e *Experiment) hasLabel(name string) bool {
	return slices.ContainsFunc(e.Models, func(m *ModelSpec) bool { return m.Label == name })
}

var notInLabel = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// commandLabel names a command after its script: my_model for "python3 models/my_model.py -d 64".
func commandLabel(command string) string {
	words := strings.Fields(command)
	script := ""
	for _, w := range words {
		if ext := path.Ext(w); ext != "" && !strings.HasPrefix(w, "-") {
			script = strings.TrimSuffix(path.Base(w), ext)
			break
		}
	}
	if script == "" && len(words) > 0 {
		script = path.Base(words[0])
	}
	if label := strings.Trim(notInLabel.ReplaceAllString(script, "-"), "-"); label != "" {
		return label
	}
	return "external"
}
