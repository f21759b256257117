package results

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
)

// Run is a result record and where it was read.
type Run struct {
	Path   string // of the file, with the place in an array of records: "runs.json[2]"
	Record *record.Record

	// Of a run that counts, see Once.
	Repeats []Run    // other records of it
	Aside   []string // runs that do not count beside it, and why

	settings string // settingsKey of the record, or empty
	answers  string // path of predictions.jsonl, there or not
	kept     *record.Predictions
	left     bool // out of comparisons, see Choose

	// derived are the settings in which the model differs from most runs of its
	// label, though no change to the preset says so; see distinguish.
	derived []string
}

// SortRuns sorts runs by their files, so that no output depends on the order in
// which directories are named.
func SortRuns(runs []Run) {
	slices.SortStableFunc(runs, func(a, b Run) int { return cmp.Compare(a.Path, b.Path) })
}

// Divide separates the runs that count as seeds, trained here or elsewhere, from
// weights that were evaluated again.
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

// Conditions are what numbers must have in common to be compared: task, protocol,
// data and split.
func (r Run) Conditions() string {
	rec := r.Record
	return strings.Join([]string{r.Task(), rec.Protocol.Hash, rec.Dataset.Hash, rec.Evaluation.Split, strings.Join(rec.Dataset.Caveats.Texts(), ";")}, "\n")
}

// budget are the values of a protocol that say how long, in which batches and on which
// mixture of kinds to train, and how often to evaluate meanwhile; they change neither the
// task nor what the test split asks.
var budget = []string{"steps", "batch_size", "evaluate_every", "early_stop", "validation_per_kind", "mixture"}

// ConditionsButBudget are the Conditions of runs that may be side by side where each
// states its own training budget.
func (r Run) ConditionsButBudget() string {
	key := r.ProtocolButBudget()
	if key == "" {
		return r.Conditions()
	}
	rec := r.Record
	return strings.Join([]string{r.Task(), key, rec.Dataset.Hash, rec.Evaluation.Split, strings.Join(rec.Dataset.Caveats.Texts(), ";")}, "\n")
}

// ProtocolButBudget is the same for two runs where their protocols with the task and its
// settings are, but for the training budget; empty where nothing is known but the hash.
func (r Run) ProtocolButBudget() string {
	values := maps.Clone(r.Record.Protocol.Values)
	maps.DeleteFunc(values, func(key string, _ any) bool { return slices.Contains(budget, key) })
	key, err := json.Marshal(values)
	if err != nil || len(values) == 0 {
		return ""
	}
	return string(key)
}

// Changes are those to the preset of the run, as key=value, but for leave to take
// substitute data, which changes nothing of what the preset is: that they were taken is
// a caveat of the data.
func (r Run) Changes() []string {
	return slices.DeleteFunc(slices.Concat(r.Record.Identity.Overrides, r.derived), func(c string) bool {
		return strings.HasPrefix(c, "task."+paper.SubstituteSetting+"=")
	})
}

// place names the run in a note.
func (r Run) place() string { return fmt.Sprintf("seed %d (%s)", r.Record.Identity.Seed, r.Path) }

// system is what runs of other seeds have in common: task, protocol, data, split, and
// the model with every setting.
func (r Run) system() string {
	return fmt.Sprintf("%s\n%q %s\n", r.Conditions(), r.Record.Identity.Label, r.Settings())
}

// Configuration is what two records of one run have in common: the system and the seed.
func (r Run) Configuration() string {
	return fmt.Sprintf("%s %d\n", r.system(), r.Record.Identity.Seed)
}

// Settings is the same for two runs exactly where all settings of their models and
// training recipes are.
func (r Run) Settings() string {
	if r.settings != "" {
		return r.settings
	}
	return settingsKey(r.Record)
}

func settingsKey(r *record.Record) string {
	key, err := json.Marshal([]any{r.Identity.Model, r.Model.Config, r.Model.Training})
	if err != nil { // NaN, for example
		key = fmt.Appendf(nil, "%v", modelSettings(r))
	}
	return string(key)
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
