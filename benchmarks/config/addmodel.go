package config

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"memobench/models"
)

// externalPrefix begins the name of a model that is a command: exec:python3 my_model.py.
const externalPrefix = "exec:"

// addModel adds a registered model or variant that the preset lacks to its experiments
// on the given tasks, or on all, and returns its label there. It has the default
// settings of the model and of training. Names that the preset has, or that no registry
// has, are returned as they are.
func (p *Preset) addModel(name string, tasks []string) (label string, err error) {
	command, external := strings.CutPrefix(name, externalPrefix)
	model, label, title, settings := name, name, "", map[string]string(nil)
	if v, ok := models.LookupVariant(name); ok {
		model, title, settings = v.Model, v.Title, v.Settings
	}
	if external {
		model, label = strings.TrimSuffix(externalPrefix, ":"), commandLabel(command)
		if p.hasLabel(label) { // of another model: this one must not be taken for it
			label += "-external"
		}
		title, settings = label, map[string]string{"command": command}
	}
	entry, ok := models.Lookup(model)
	if !ok {
		return name, nil
	}
	for _, e := range p.Experiments {
		has := slices.ContainsFunc(e.Models, func(m *ModelSpec) bool { return m.Label == label || !external && m.Model == model })
		if has || len(tasks) > 0 && !slices.Contains(tasks, e.Task) {
			continue
		}
		m := &ModelSpec{
			Label: label, Title: cmp.Or(title, entry.Title), Model: model, Config: entry.Defaults(),
			Training: models.Training{Optimizer: "adam", LearningRate: 1e-3, PlateauFraction: 0.5, Power: 1},
		}
		for _, key := range slices.Sorted(maps.Keys(settings)) {
			if err := setKey(m.Config, key, settings[key]); err != nil {
				return "", err
			}
		}
		e.Models = append(e.Models, m)
	}
	return label, nil
}

// hasLabel reports whether a model of the preset, a registered one or a variant has the
// name.
func (p *Preset) hasLabel(name string) bool {
	_, model := models.Lookup(name)
	_, variant := models.LookupVariant(name)
	return model || variant || slices.ContainsFunc(p.Experiments, func(e *Experiment) bool {
		return slices.ContainsFunc(e.Models, func(m *ModelSpec) bool { return m.Label == name })
	})
}

var notInLabel = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// commandLabel names a command by its script: my_model of "python3 models/my_model.py -d 64".
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
