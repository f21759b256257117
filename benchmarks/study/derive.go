package study

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

// derive returns the run of a name from experiments on one task, a copy: one of their runs, or
// a registered variant or model. A variant changes the settings of the experiments' first run
// of its model; if there is none, those of the model and of training are the defaults.
func derive(base []*Experiment, name string) (*Run, bool) {
	for _, e := range base {
		if r := e.run(name); r != nil {
			return r.clone(), true
		}
	}
	v, variant := models.LookupVariant(name)
	if !variant {
		v = models.Variant{Name: name, Model: name}
	}
	entry, ok := models.Lookup(v.Model)
	if !ok {
		return nil, false
	}
	r := &Run{Model: v.Model, Config: entry.Defaults(),
		Training: models.Training{Optimizer: "adam", LearningRate: 1e-3, PlateauFraction: 0.5, Power: 1}}
	for _, e := range slices.Backward(base) {
		if of := e.ofModel(v.Model); of != nil {
			r = of.clone()
		}
	}
	r.Name, r.Title = v.Name, cmp.Or(v.Title, entry.Title)
	for _, key := range slices.Sorted(maps.Keys(v.Settings)) {
		if err := setKey(r.Config, key, v.Settings[key]); err != nil {
			panic(fmt.Sprintf("study: registered variant %s: %v", v.Name, err))
		}
		r.Ranges = withoutRange(r.Ranges, key)
	}
	return r, true
}

// originNames lists what derive finds.
func originNames(base []*Experiment) []string {
	names := append(models.Names(), models.VariantNames()...)
	for _, e := range base {
		for _, r := range e.Runs {
			names = append(names, r.Name)
		}
	}
	return distinct(names)
}

// addModel adds a registered model or variant, or a command, to the experiments on the given
// tasks, or on all, that lack it, and returns the name of the run. Of several experiments on a
// task it takes those that have a run of the model, or else the first. Names of the study, and
// unknown names, are returned unchanged.
func (s *Study) addModel(name string, tasks []string) (string, error) {
	if command, external := strings.CutPrefix(name, ExternalPrefix); external {
		return s.addCommand(command, tasks)
	}
	if registered, ok := derive(nil, name); ok {
		for _, e := range s.experimentsFor(tasks, registered.Model) {
			if e.run(name) == nil && (registered.Model != name || e.ofModel(name) == nil) {
				r, _ := derive([]*Experiment{e}, name)
				e.Runs = append(e.Runs, r)
			}
		}
	}
	return name, nil
}

// addCommand adds an external model, which is a command, and returns the name of its runs.
func (s *Study) addCommand(command string, tasks []string) (name string, err error) {
	if strings.TrimSpace(command) == "" {
		return "", fmt.Errorf("no command behind %s", ExternalPrefix)
	}
	own := commandName(command)
	name = own
	taken := func(e *Experiment) bool { return e.run(name) != nil }
	for n := 1; IsOwnName(name) || slices.ContainsFunc(s.Experiments, taken); n++ {
		name = strings.TrimSuffix(fmt.Sprintf("%s-external-%d", own, n), "-1")
	}
	model := strings.TrimSuffix(ExternalPrefix, ":")
	for _, e := range s.experimentsFor(tasks, model) {
		r, ok := derive(nil, model)
		if !ok {
			return "", fmt.Errorf("no model %s", model)
		}
		r.Name, r.Title = name, name
		e.Runs = append(e.Runs, r)
		err = cmp.Or(err, setKey(r.Config, "command", command))
	}
	return name, err
}

// experimentsFor returns the experiments on the tasks, or on all, to which a run of the model can
// be added: of each task those with a run of the model, the first one if there are none.
func (s *Study) experimentsFor(tasks []string, model string) (list []*Experiment) {
	for _, task := range s.Tasks() {
		if len(tasks) > 0 && !slices.Contains(tasks, task) {
			continue
		}
		all := onTask(s.Experiments, task)
		with := slices.DeleteFunc(slices.Clone(all), func(e *Experiment) bool { return e.ofModel(model) == nil })
		if len(with) == 0 {
			with = all[:1]
		}
		list = append(list, with...)
	}
	return list
}

// IsOwnName reports whether a name is that of a registered model or variant, or one with a
// number behind it, such as emn4, in any case.
func IsOwnName(name string) bool {
	own := slices.Concat(models.Names(), models.VariantNames())
	name = strings.ToLower(name)
	return slices.Contains(own, name) || slices.Contains(own, strings.TrimRight(name, "0123456789"))
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// commandName names a command after its script: my_model for "python3 models/my_model.py -d 64".
func commandName(command string) string {
	words := strings.Fields(command)
	script := path.Base(words[0])
	for _, w := range words {
		if ext := path.Ext(w); ext != "" && !strings.HasPrefix(w, "-") {
			script = strings.TrimSuffix(path.Base(w), ext)
			break
		}
	}
	return cmp.Or(strings.Trim(notInName.ReplaceAllString(script, "-"), "-"), "external")
}
