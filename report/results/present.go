package results

import (
	"maps"
	"slices"
	"strings"

	"memobench/benchmarks/record"
)

// PresetModel has the settings that a preset has for a model. Legacy are the values of
// settings in records that lack them.
type PresetModel struct{ Config, Training, Legacy map[string]any }

// Present returns the runs with their changes to the presets as they are now. A record names
// the changes to the preset of its time, which may have had other settings. present returns
// what a preset has for a task and the label of a model, or nil; then the recorded changes
// stay.
func Present(runs []Run, present func(preset, task, label string) *PresetModel) []Run {
	runs = slices.Clone(runs)
	for i := range runs {
		rec := *runs[i].Record
		runs[i].Record = &rec
		id, config := &rec.Identity, rec.Model.Config
		id.Overrides = record.LastOfEachKey(id.Overrides)
		var changes []string
		if now := present(id.Preset, id.Task, id.Label); now != nil && len(config) > 0 {
			preset := rec
			preset.Model = record.Model{Config: now.Config, Training: now.Training}
			rec.Model.Config = map[string]any{}
			maps.Copy(rec.Model.Config, now.Legacy)
			maps.Copy(rec.Model.Config, config)
			_, changes = ModelDifferences(&preset, &rec)
			rec.Model.Config = config
		} else {
			settings := modelSettings(&rec)
			for _, c := range slices.Sorted(slices.Values(id.Overrides)) {
				key, _, _ := strings.Cut(c, "=")
				if _, kept := settings[key]; kept { // one form for all runs: 0.001, not 1e-3
					c = setting(key, settings)
				}
				if OfModel(c) {
					changes = append(changes, c)
				}
			}
		}
		id.Overrides = append(slices.DeleteFunc(slices.Clone(id.Overrides), OfModel), changes...)
		rec.Caveats = slices.DeleteFunc(slices.Clone(rec.Caveats), func(c record.Caveat) bool { return c.Kind == record.ChangedSettings })
		if changes := runs[i].Changes(); len(changes) > 0 {
			rec.Caveats = append(rec.Caveats, record.ChangedFromPreset(short(changes)))
		}
	}
	return runs
}

// Listed lists changes in a sentence, those of model and training by their short names.
func Listed(changes []string) string { return strings.Join(short(changes), " ") }

func short(changes []string) (list []string) {
	for _, c := range changes {
		list = append(list, record.WithoutPhases(strings.TrimPrefix(strings.TrimPrefix(c, "model."), "training.")))
	}
	return list
}

// OfModel reports whether a change, such as model.hops=3, concerns the model or its training.
func OfModel(change string) bool {
	return strings.HasPrefix(change, "model.") || strings.HasPrefix(change, "training.")
}
