package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"memobench/benchmarks/record"
)

// ClashError is the refusal to put two runs into one table.
type ClashError struct {
	What string // what differs: "protocol hashes", "dataset hashes", ...
	A, B Run
	// OfA and OfB are what the two have.
	OfA, OfB string
}

func (e *ClashError) Error() string {
	return fmt.Sprintf("runs of different %s are not put into one table: %s has %s, %s has %s",
		e.What, e.A.Path, e.OfA, e.B.Path, e.OfB)
}

// comparable returns a ClashError when two of the runs must not stand in one
// table: another task, protocol, data or split, or the same label for models
// that differ, which would be averaged as seeds of one. Two runs of the same
// model variant and seed are refused as well, since one of them would count
// twice.
func comparable(runs []Run) error {
	for _, what := range []struct {
		name string
		of   func(Run) string
	}{
		{"tasks", func(r Run) string { return r.Record.Identity.Task }},
		{"protocol hashes", func(r Run) string { return r.Record.Protocol.Hash }},
		{"dataset hashes", func(r Run) string { return r.Record.Dataset.Hash }},
		{"judged splits", func(r Run) string { return r.Record.Evaluation.Split }},
	} {
		for _, r := range runs {
			if a, b := what.of(runs[0]), what.of(r); a != b {
				return &ClashError{What: what.name, A: runs[0], B: r, OfA: a, OfB: b}
			}
		}
	}
	if err := sameModels(runs); err != nil {
		return err
	}
	first := map[string]Run{}
	for _, r := range runs {
		key := fmt.Sprintf("%s, seed %d", r.Record.Identity.Label, r.Record.Identity.Seed)
		if other, twice := first[key]; twice {
			return fmt.Errorf("%s is there twice, in %s and %s: name one of them", key, other.Path, r.Path)
		}
		first[key] = r
	}
	return nil
}

// sameModels returns a ClashError when runs of one label are of different
// models, configurations or training recipes.
func sameModels(runs []Run) error {
	first := map[string]Run{}
	for _, r := range runs {
		label := r.Record.Identity.Label
		other, seen := first[label]
		if !seen {
			first[label] = r
			continue
		}
		if ofA, ofB := ModelDifferences(other.Record, r.Record); len(ofA) > 0 {
			return &ClashError{What: fmt.Sprintf("settings of the model labelled %q", label), A: other, B: r,
				OfA: strings.Join(ofA, ", "), OfB: strings.Join(ofB, ", ")}
		}
	}
	return nil
}

// ModelDifferences lists the settings of model and training recipe in which two
// records differ, as --set takes them, with the value of each.
func ModelDifferences(x, y *record.Record) (ofX, ofY []string) {
	a, b := modelSettings(x), modelSettings(y)
	keys := maps.Clone(a)
	maps.Copy(keys, b)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if a[key] != b[key] {
			ofX, ofY = append(ofX, setting(key, a)), append(ofY, setting(key, b))
		}
	}
	return ofX, ofY
}

// modelSettings flattens what a record says of its model into keys as --set
// takes them, with their values as JSON: a number that was read from a file has
// another Go type than the same number in memory.
func modelSettings(r *record.Record) map[string]string {
	flat := map[string]string{"model": fmt.Sprintf("%q", r.Identity.Model)}
	for _, part := range []struct {
		prefix string
		values map[string]any
	}{{"model.", r.Model.Config}, {"training.", r.Model.Training}} {
		for key, v := range part.values {
			text, err := json.Marshal(v)
			if err != nil { // NaN, for example
				text = fmt.Appendf(nil, "%v", v)
			}
			flat[part.prefix+key] = string(text)
		}
	}
	return flat
}

// settingsKey is the same for two records exactly where all of these settings are.
func settingsKey(r *record.Record) string {
	key, err := json.Marshal([]any{r.Identity.Model, r.Model.Config, r.Model.Training})
	if err != nil { // NaN, for example
		key = fmt.Appendf(nil, "%v", modelSettings(r))
	}
	return string(key)
}

// settingsKey is that of its record.
func (r Run) settingsKey() string {
	if r.settings != "" {
		return r.settings
	}
	return settingsKey(r.Record)
}

// setting prints one of the settings as --set takes it: "model.hops=3".
func setting(key string, settings map[string]string) string {
	value, ok := settings[key]
	if !ok {
		return "no " + key
	}
	var text string
	if json.Unmarshal([]byte(value), &text) == nil {
		value = text
	}
	return key + "=" + value
}
