package cli

import (
	"memobench/benchmarks/config"
	"memobench/datasets"
	"memobench/report/document"
	"memobench/report/results"
	"memobench/report/table"
)

// addPresets adds the embedded presets to the input of a report. The settings of those with
// the paper's sizes are next to the paper's.
func addPresets(in *document.Input) error {
	for _, name := range config.PresetNames() {
		preset, err := presetForReport(name)
		if err != nil {
			return err
		}
		in.Presets = append(in.Presets, preset)
	}
	in.Settings = []string{"paper", "standard"}
	return nil
}

// presetForReport returns an embedded preset in the form of package table, which imports neither
// models nor datasets.
func presetForReport(name string) (table.Preset, error) {
	preset, err := config.LoadPreset(name)
	if err != nil {
		return table.Preset{}, err
	}
	out := table.Preset{Name: preset.Name}
	for _, e := range preset.Experiments {
		experiment := table.Experiment{Task: e.Task, Shape: shapeForReport(e)}
		for _, m := range e.Models {
			settings := table.ModelSettings{Label: m.Label, Model: m.Model, Sweep: map[string][]any{}, PresetModel: results.PresetModel{
				Config: config.Values(m.Config), Training: config.Values(&m.Training), Legacy: config.Legacy(m.Config)}}
			for _, s := range m.Sweep {
				settings.Sweep[s.Key] = s.Values
			}
			experiment.Models = append(experiment.Models, settings)
		}
		out.Experiments = append(out.Experiments, experiment)
	}
	return out, nil
}

// shapeForReport returns the sizes of a task from its settings, without reading files.
func shapeForReport(e *config.Experiment) map[string]int {
	entry, ok := datasets.Lookup(e.Task)
	if !ok {
		return nil
	}
	if entry.ReadsData {
		if rows, ok := config.Values(e.Settings)["max_rows"].(int); ok {
			return map[string]int{"rows": rows}
		}
		return nil
	}
	src, err := entry.New(e.Settings, datasets.Options{})
	if err != nil { // the table says that sizes are unknown
		return nil
	}
	s := src.Shape()
	return map[string]int{"rows": s.MaxRows, "row_width": s.RowWidth, "vocabulary": s.Vocabulary}
}
