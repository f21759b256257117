package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"memobench/benchmarks/suggest"
	"memobench/models"
)

// Names of the parts of an experiment that hold settings, as in an override.
const (
	partTask     = "task"
	partProtocol = "protocol"
	partModel    = "model"
	partTraining = "training"
)

// target is a configuration that an override may change.
type target struct {
	part   string // one of the names above
	label  string // of the model; empty for task and protocol
	model  string // registry name; empty for task and protocol
	config any
	specs  []*ModelSpec // models whose runs change
}

// hopsOfTitle is the number of hops in a title such as "EMN, 4 hops".
var hopsOfTitle = regexp.MustCompile(`\d+ hops`)

// Set changes the preset by one "key=value". The key may be
//
//	protocol.steps, task.rows        of every experiment
//	model.hops, training.warmup      of every model that has it
//	memo.hops, memo.learning_rate    of the models with the label memo or, where
//	                                 none has it, of all kinds of the model memo
//	pai3.steps, pai3.memo.hops       of the experiments of one task
//	rows, steps, hops                without prefix, where only one part, and
//	                                 among models only one label, has it
//
// Errors name the key, suggest the nearest one, and say which values are valid. The preset
// is unchanged after an error.
func (p *Preset) Set(arg string) error {
	path, text, ok := strings.Cut(arg, "=")
	if !ok || path == "" {
		return fmt.Errorf("override %q: want key=value", arg)
	}
	text = strings.TrimSpace(text)
	targets, key, err := p.find(strings.TrimSpace(path))
	if err != nil {
		return fmt.Errorf("override %q: %w", arg, err)
	}
	changed := make([]any, len(targets))
	for i, t := range targets { // all copies before any target
		changed[i] = clone(t.config)
		err := setKey(changed[i], key, text)
		if protocol, ok := changed[i].(*Protocol); ok && err == nil {
			err = protocol.Validate()
		}
		if err != nil {
			return fmt.Errorf("override %q: %w", arg, err)
		}
	}
	for i, t := range targets {
		reflect.ValueOf(t.config).Elem().Set(reflect.ValueOf(changed[i]).Elem())
		for _, m := range t.specs {
			if t.part == partProtocol && key == "steps" {
				m.Steps = 0
			}
			set := t.part + "." + key + "="
			m.Overrides = append(slices.DeleteFunc(slices.Clone(m.Overrides),
				func(earlier string) bool { return strings.HasPrefix(earlier, set) }), set+text)
			if h, ok := m.Config.(models.Hopped); ok && t.part == partModel && key == h.HopsSetting() {
				m.Title = hopsOfTitle.ReplaceAllString(m.Title, text+" hops")
			}
			m.Sweep = slices.DeleteFunc(slices.Clone(m.Sweep),
				func(s sweep) bool { return t.label != "" && s.Key == key })
		}
	}
	return nil
}

// find returns the configurations that path selects, and the key in them.
func (p *Preset) find(path string) ([]target, string, error) {
	words := strings.Split(path, ".")
	targets := p.targets("")
	if len(words) > 1 && slices.Contains(p.Tasks(), words[0]) {
		targets = p.targets(words[0])
		words = words[1:]
	}
	key, prefixes := words[len(words)-1], words[:len(words)-1]
	for _, prefix := range prefixes {
		kept := narrow(targets, prefix)
		if kept == nil {
			return nil, "", &suggest.UnknownError{What: "prefix", Name: prefix,
				Known: append(prefixesOf(targets), p.Tasks()...)}
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
		return nil, "", &suggest.UnknownError{What: "key", Name: key, Known: distinct(known)}
	}
	return found, key, ambiguity(path, key, prefixes, found)
}

// targets lists the configurations of one task or, for "", of all tasks.
func (p *Preset) targets(task string) []target {
	var list []target
	for _, e := range p.Experiments {
		if task != "" && e.Task != task {
			continue
		}
		list = append(list,
			target{part: partProtocol, config: &e.Protocol, specs: e.Models},
			target{part: partTask, config: e.Settings, specs: e.Models})
		for _, m := range e.Models {
			list = append(list,
				target{partModel, m.Label, m.Model, m.Config, []*ModelSpec{m}},
				target{partTraining, m.Label, m.Model, &m.Training, []*ModelSpec{m}})
		}
	}
	return list
}

// narrow returns the targets that prefix selects: those of a part or label of that name,
// else those of the models with that registry name.
func narrow(targets []target, prefix string) []target {
	var exact, registered []target
	for _, t := range targets {
		switch prefix {
		case t.part, t.label:
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

// prefixesOf lists the prefixes of targets.
func prefixesOf(targets []target) []string {
	var known []string
	for _, t := range targets {
		known = append(known, t.part)
		if t.label != "" {
			known = append(known, t.label, t.model)
		}
	}
	return distinct(known)
}

// ambiguity refuses a key that is in several parts or, without a prefix, labels.
func ambiguity(path, key string, prefixes []string, found []target) error {
	var parts, labels []string
	for _, t := range found {
		parts = append(parts, t.part+"."+key)
		if t.label != "" {
			labels = append(labels, t.label+"."+key)
		}
	}
	parts, labels = distinct(parts), distinct(labels)
	if len(parts) > 1 {
		return fmt.Errorf("key %q is ambiguous: write %s", path, strings.Join(parts, " or "))
	}
	if len(labels) > 1 && len(prefixes) == 0 {
		return fmt.Errorf("key %q is ambiguous: write %s, or %s for all of them", path, strings.Join(labels, " or "),
			parts[0])
	}
	return nil
}

// distinct sorts and deduplicates names.
func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
