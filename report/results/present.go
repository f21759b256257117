package results

import (
	"maps"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/datasets"
)

// PresetModel has the settings that a preset has for a model. Legacy are the values of
// settings in records that lack them.
type PresetModel struct{ Config, Training, Legacy map[string]any }

// Present states the changes of runs with respect to their presets as they are now. Records
// name what was changed in the preset of their time: a setting that the preset has had
// since, and is no change any more, or none where the preset had another. present returns
// what a preset has for a task and the label of a model, or nil; then the recorded changes
// stay, in the same form.
func Present(runs []Run, present func(preset, task, label string) *PresetModel) []Run {
	runs = slices.Clone(runs)
	for i := range runs {
		r := &runs[i]
		id, config := &r.Record.Identity, r.Record.Model.Config
		if len(config) == 0 { // predictions of another program
			continue
		}
		recorded := r.Changes()
		r.changes, r.compared = slices.DeleteFunc(slices.Clone(recorded), OfModel), true
		rec := *r.Record
		if now := present(id.Preset, id.Task, id.Label); now != nil {
			rec.Model.Config = maps.Clone(now.Legacy)
			maps.Copy(rec.Model.Config, config)
			_, differences := ModelDifferences(&record.Record{Identity: *id, Model: record.Model{Config: now.Config, Training: now.Training}}, &rec)
			r.changes = append(r.changes, differences...)
			rec.Model.Config = config
		} else {
			settings := modelSettings(r.Record)
			for _, c := range slices.Sorted(slices.Values(recorded)) {
				key, _, _ := strings.Cut(c, "=")
				switch _, kept := settings[key]; {
				case OfModel(c) && kept:
					r.changes = append(r.changes, setting(key, settings))
				case OfModel(c): // a setting with its former value
					r.changes = append(r.changes, c)
				}
			}
		}
		if !slices.ContainsFunc(rec.Evaluation.Kinds, func(k record.Kind) bool { return len(k.Answers) > 0 }) {
			r.changes = slices.DeleteFunc(r.changes, ofSeveralAnswers)
		}
		rec.Caveats = slices.DeleteFunc(slices.Clone(rec.Caveats), func(c record.Caveat) bool { return c.Kind == datasets.ChangedSettings })
		if len(r.changes) > 0 {
			rec.Caveats = append(rec.Caveats, record.ChangedFromPreset(Listed(r.changes)))
		}
		r.Record = &rec
	}
	return runs
}

// ofSeveralAnswers reports whether a change has no effect where a question has one answer.
func ofSeveralAnswers(change string) bool {
	return strings.HasPrefix(change, "model.answers=") || strings.HasPrefix(change, "model.teacher_forcing=")
}

// Listed lists changes in a sentence, those of model and training by their short names.
func Listed(changes []string) string {
	return strings.NewReplacer("model.", "", "training.", "").Replace(strings.Join(changes, " "))
}

// OfModel reports whether a change, such as model.hops=3, concerns the model or its training.
func OfModel(change string) bool {
	return strings.HasPrefix(change, "model.") || strings.HasPrefix(change, "training.")
}
