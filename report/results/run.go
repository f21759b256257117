package results

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
)

// Run is a result record with its path.
type Run struct {
	Path   string // of the file, with the index in an array of records: "runs.json[2]"
	Record *record.Record

	// Set by Deduplicate.
	Repeats  []Run    // other records of the run
	Replaced []string // runs that do not count because of this one, with the reason

	settings string // settingsKey of the record, or empty
	answers  string // path of predictions.jsonl, which may not exist
	kept     *record.Predictions
	excluded bool // by Choose

	// derived are the settings in which the model differs from most runs of its
	// label, though the record names no change to the preset; see distinguish.
	derived []string
}

// SortRuns sorts runs by path, so that no output depends on the order of arguments.
func SortRuns(runs []Run) {
	slices.SortStableFunc(runs, func(a, b Run) int { return cmp.Compare(a.Path, b.Path) })
}

// Divide separates training runs, which count as seeds, from evaluations of stored
// weights.
func Divide(runs []Run) (trained, others []Run) {
	for _, r := range runs {
		if r.Record.CountsAsSeed() {
			trained = append(trained, r)
		} else {
			others = append(others, r)
		}
	}
	return trained, others
}

// Task is the run's task with its sizes.
func (r Run) Task() string { return cmp.Or(r.Record.Dataset.Task, r.Record.Identity.Task) }

// Conditions is equal for runs whose numbers may be compared: it has task, protocol, data
// and split.
func (r Run) Conditions() string {
	return r.conditions(r.Record.Protocol.Hash)
}

func (r Run) conditions(protocol string) string {
	rec := r.Record
	return strings.Join([]string{r.Task(), protocol, rec.Dataset.Hash, rec.Evaluation.Split, strings.Join(rec.Dataset.Caveats.Texts(), ";")}, "\n")
}

// budget lists the values of a protocol that concern only training: its length, batches,
// mixture of kinds and validation. They change neither the task nor the test questions.
var budget = []string{"steps", "batch_size", "evaluate_every", "early_stop", "validation_per_kind", "mixture"}

// ConditionsButBudget is Conditions without the training budget: runs for which it is equal
// may share a table in which each states its budget.
func (r Run) ConditionsButBudget() string {
	return r.conditions(cmp.Or(r.ProtocolButBudget(), r.Record.Protocol.Hash))
}

// ProtocolButBudget is the protocol with the task and its settings, without the training
// budget; empty where only the hash is known.
func (r Run) ProtocolButBudget() string {
	values := maps.Clone(r.Record.Protocol.Values)
	maps.DeleteFunc(values, func(key string, _ any) bool { return slices.Contains(budget, key) })
	key, err := json.Marshal(values)
	if err != nil || len(values) == 0 {
		return ""
	}
	return string(key)
}

// Changes lists the changes to the run's preset, as key=value, without the permission to
// use substitute data: their use is a caveat of the data.
func (r Run) Changes() []string {
	return slices.DeleteFunc(slices.Concat(r.Record.Identity.Overrides, r.derived), func(c string) bool {
		return strings.HasPrefix(c, "task."+paper.SubstituteSetting+"=")
	})
}

// place names the run in a note.
func (r Run) place() string { return fmt.Sprintf("seed %d (%s)", r.Record.Identity.Seed, r.Path) }

// system is equal for runs that differ only in the seed: it has conditions, label and all
// settings of the model.
func (r Run) system() string {
	return fmt.Sprintf("%s\n%q %s\n", r.Conditions(), r.Record.Identity.Label, r.Settings())
}

// Configuration is equal for two records of one run: it has the system and the seed.
func (r Run) Configuration() string {
	return fmt.Sprintf("%s %d\n", r.system(), r.Record.Identity.Seed)
}

// Settings is equal for two runs if and only if all settings of model and training are.
func (r Run) Settings() string {
	if r.settings != "" {
		return r.settings
	}
	return settingsKey(r.Record)
}

func settingsKey(r *record.Record) string {
	return fmt.Sprint(modelSettings(r)) // sorted by key
}

// ModelDifferences lists the settings of model and training in which two records differ,
// with the value of each, in the form of --set.
func ModelDifferences(x, y *record.Record) (ofX, ofY []string) {
	a, b := modelSettings(x), modelSettings(y)
	for _, key := range keysOfBoth(a, b) {
		if a[key] != b[key] {
			ofX, ofY = append(ofX, setting(key, a)), append(ofY, setting(key, b))
		}
	}
	return ofX, ofY
}

// Differences counts the settings of model and training and the values of the training
// budget in which two records differ.
func Differences(x, y *record.Record) int {
	list, _ := ModelDifferences(x, y)
	n := len(list)
	for _, key := range budget {
		if !reflect.DeepEqual(x.Protocol.Values[key], y.Protocol.Values[key]) {
			n++
		}
	}
	return n
}

// keysOfBoth returns the keys of two maps in order.
func keysOfBoth[V any](a, b map[string]V) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// modelSettings returns the settings of a record's model by key, as for --set, with values
// in JSON: a number from a file has another Go type than the same number in memory.
func modelSettings(r *record.Record) map[string]string {
	several := len(r.Evaluation.AnswerNames()) > 0
	flat := map[string]string{"model": fmt.Sprintf("%q", r.Identity.Model)}
	for _, part := range []struct {
		prefix string
		values map[string]any
	}{{"model.", r.Model.Config}, {"training.", r.Model.Training}} {
		for key, v := range part.values {
			text := asJSON(v)
			switch {
			case text == "[]": // an empty list is no setting
			case !several && (key == "answers" || key == "teacher_forcing"): // nor is what has no effect
			default:
				flat[part.prefix+key] = text
			}
		}
	}
	return flat
}

// asJSON is a value of a setting as JSON, null where there is none.
func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil { // NaN, for example
		return fmt.Sprint(value)
	}
	if _, decoded := value.([]any); !decoded && text[0] == '[' { // of structs, whose keys are in another order
		var list any
		if json.Unmarshal(text, &list) == nil {
			text, _ = json.Marshal(list)
		}
	}
	return string(text)
}

// setting prints a setting in the form of --set: "model.hops=3".
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
