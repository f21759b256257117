package config

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"memobench/models"
)

// externalPrefix begins the name of a model that is a command: exec:python3 my_model.py.
const externalPrefix = "exec:"

// addModel adds a registered model that the preset lacks to its experiments on the given
// tasks, or on all, and returns the model's label there. The model has the default
// settings of its own and of training. Names that the preset or no registry has are
// returned as they are.
func (p *Preset) addModel(name string, tasks []string) (label string, err error) {
	command, external := strings.CutPrefix(name, externalPrefix)
	model, label := name, name
	if external {
		model, label = strings.TrimSuffix(externalPrefix, ":"), commandLabel(command)
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
			Label: label, Title: entry.Title, Model: model, Config: entry.Defaults(),
			Training: models.Training{Optimizer: "adam", LearningRate: 1e-3, Hold: 0.5, Power: 1},
		}
		if external {
			m.Title = label
			if err := setKey(m.Config, "command", command); err != nil {
				return "", err
			}
		}
		e.Models = append(e.Models, m)
	}
	return label, nil
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
