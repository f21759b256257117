package study

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
)

// Names of the parts of an experiment that hold settings, as in Study.Set.
const (
	partTask     = "task"
	partProtocol = "protocol"
	partModel    = "model"
	partTraining = "training"
)

// target is a configuration that Study.Set may change.
type target struct {
	part   string // one of the names above
	name   string // of the run without changes; empty for task and protocol
	model  string // registry name; empty for task and protocol
	config any
	runs   []*Run // that change
}

// hopsOfTitle is the number of hops in a title such as "EMN, 4 hops".
var hopsOfTitle = regexp.MustCompile(`\d+ hops`)

// Set changes the study by one "key=value". The key may be
//
//	protocol.steps, task.rows        of every experiment
//	model.hops, training.warmup      of every run that has it
//	memo.hops, memo.learning_rate    of the runs of the name memo or, where none has it, of all
//	                                 runs of the model memo
//	pai3.steps, pai3.memo.hops       of the experiments of one task
//	rows, steps, hops                without prefix, where only one part, and among runs only
//	                                 one name, has it
//
// The changed runs get ",key=value" appended to their names. Errors name the key, suggest the
// nearest one, and say which values are valid. The study is unchanged after an error.
func (s *Study) Set(arg string) error {
	path, text, ok := strings.Cut(arg, "=")
	if path = strings.TrimSpace(path); !ok || path == "" {
		return fmt.Errorf("setting %q: want key=value", arg)
	}
	if err := s.set(path, strings.TrimSpace(text), strings.TrimSpace(text)); err != nil {
		return fmt.Errorf("setting %q: %w", arg, err)
	}
	return nil
}

// set is Set of a key to a value, which has a name in the names of the runs.
func (s *Study) set(path, text, name string) error {
	targets, key, err := s.find(path)
	if err != nil {
		return err
	}
	changed := make([]any, len(targets))
	for i, t := range targets { // all copies before any target
		changed[i] = clone(t.config)
		err := setKey(changed[i], key, text)
		if protocol, ok := changed[i].(*Protocol); ok && err == nil {
			err = protocol.Validate()
		}
		if err != nil {
			return err
		}
	}
	for i, t := range targets {
		reflect.ValueOf(t.config).Elem().Set(reflect.ValueOf(changed[i]).Elem())
		for _, r := range t.runs {
			if t.part == partProtocol && key == "steps" {
				r.Steps = 0
			}
			r.rename(t.part, key, name)
			r.Ranges = withoutRange(r.Ranges, key)
		}
	}
	return nil
}

// rename appends a change to the name of the run, in place of an earlier change of the same
// key. Changes of model and training are in the title, too: those of hops replace the number
// that is there.
func (r *Run) rename(part, key, value string) {
	if r.declared == "" {
		r.declared, r.titled = r.Name, r.Title
	}
	earlier := func(change string) bool { return strings.HasPrefix(change, key+"=") }
	r.changes = append(slices.DeleteFunc(slices.Clone(r.changes), earlier), key+"="+value)
	r.Name = record.WithChanges(r.declared, r.changes...)
	h, ok := r.Config.(models.Hopped)
	switch {
	case ok && part == partModel && key == h.HopsSetting() && hopsOfTitle.MatchString(r.titled):
		r.titled = hopsOfTitle.ReplaceAllString(r.titled, value+" hops")
	case part == partModel || part == partTraining:
		r.inTitle = append(slices.DeleteFunc(slices.Clone(r.inTitle), earlier), key+"="+value)
	}
	r.Title = strings.Join(append([]string{r.titled}, r.inTitle...), ", ")
}

// find returns the configurations that path selects, and the key in them.
func (s *Study) find(path string) ([]target, string, error) {
	words, experiments := strings.Split(path, "."), s.Experiments
	if len(words) > 1 && slices.Contains(s.Tasks(), words[0]) {
		words, experiments = words[1:], onTask(experiments, words[0])
	}
	targets := targetsIn(experiments)
	key, prefixes := words[len(words)-1], words[:len(words)-1]
	for _, prefix := range prefixes {
		kept := narrow(targets, prefix)
		if kept == nil {
			known := s.Tasks()
			for _, t := range targets {
				known = append(known, t.part, t.name, t.model)
			}
			return nil, "", &datasets.UnknownError{What: "prefix", Name: prefix, Known: slices.DeleteFunc(distinct(known), func(name string) bool { return name == "" })}
		}
		targets = kept
	}
	var found []target
	var known []string
	for _, t := range targets {
		keys := keysOf(t.config)
		known = append(known, keys...)
		if slices.Contains(keys, key) {
			found = append(found, t)
		}
	}
	if found == nil {
		return nil, "", &datasets.UnknownError{What: "key", Name: key, Known: distinct(known)}
	}
	return found, key, ambiguity(path, key, prefixes, found)
}

func targetsIn(experiments []*Experiment) (list []target) {
	for _, e := range experiments {
		list = append(list,
			target{part: partProtocol, config: &e.Protocol, runs: e.Runs},
			target{part: partTask, config: e.Settings, runs: e.Runs})
		for _, r := range e.Runs {
			list = append(list,
				target{partModel, cmp.Or(r.declared, r.Name), r.Model, r.Config, []*Run{r}},
				target{partTraining, cmp.Or(r.declared, r.Name), r.Model, &r.Training, []*Run{r}})
		}
	}
	return list
}

// narrow returns the targets that prefix selects: those of a part or run of that name, else
// those of the runs of the model of that name.
func narrow(targets []target, prefix string) []target {
	var exact, registered []target
	for _, t := range targets {
		switch prefix {
		case t.part, t.name:
			exact = append(exact, t)
		case t.model:
			registered = append(registered, t)
		}
	}
	if exact == nil {
		return registered
	}
	return exact
}

// ambiguity refuses a key that is in several parts or, without a prefix, runs of several names.
func ambiguity(path, key string, prefixes []string, found []target) error {
	var parts, names []string
	for _, t := range found {
		parts, names = append(parts, t.part+"."+key), append(names, t.name+"."+key)
	}
	parts, names = distinct(parts), distinct(names)
	if len(parts) > 1 {
		return fmt.Errorf("key %q is ambiguous: write %s", path, strings.Join(parts, " or "))
	}
	if len(names) > 1 && len(prefixes) == 0 { // of runs: the others have no name
		return fmt.Errorf("key %q is ambiguous: write %s, or %s for all of them", path, strings.Join(names, " or "), parts[0])
	}
	return nil
}
