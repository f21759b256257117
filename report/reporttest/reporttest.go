// Package reporttest has the data that tests of reports share.
//
// What comes in: recorded runs, some dozen kilobytes, in report/testdata/runs. What goes
// out: their Document, and the comparison of an output with a file. What always holds: the
// runs are copies of recorded runs of the repository; the measurements of scaling are made
// up.
package reporttest

import (
	"path/filepath"
	"testing"

	"memobench/datasets/must"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	"memobench/report/document"
	"memobench/report/results"
	"memobench/report/table"
)

// runs is the path of the runs from a package in a folder of report.
var runs = filepath.Join("..", "testdata", "runs")

// Document returns the report of the runs, with one preset.
func Document(t testing.TB) *document.Document { return read(t, runs, preset()) }

// Recorded returns the report of all recorded runs of the repository, with two presets.
func Recorded(t testing.TB) *document.Document {
	other := preset()
	other.Name = "other"
	return read(t, filepath.Join("..", "..", "benchmarks", "recorded"), preset(), other)
}

func read(t testing.TB, dir string, presets ...table.Preset) *document.Document {
	t.Helper()
	in := must.Get(document.Read(dir))(t)
	in.Presets = presets
	for _, p := range presets {
		in.Settings = append(in.Settings, p.Name)
	}
	return must.Get(document.New(in))(t)
}

// preset is made up: the paper's settings except for one.
func preset() table.Preset {
	return table.Preset{Name: "mine", Experiments: []table.Experiment{{
		Task: "pai3", Shape: map[string]int{"rows": 32, "row_width": 2, "vocabulary": 1000},
		Models: []table.ModelSettings{
			{Label: "memo", Model: "memo", Sweep: map[string][]any{"hops": {20, 3, 5}}, PresetModel: results.PresetModel{
				Config: map[string]any{"embedding": 128, "width": 64, "dropout_attention": 0.1, "hops": 3}, Training: map[string]any{"learning_rate": 7e-4}}},
			{Label: "dnc", Model: "dnc", PresetModel: results.PresetModel{
				Config: map[string]any{"ponder": 10}, Training: map[string]any{"optimizer": "adam", "learning_rate": 5e-4}}},
		},
	}}}
}
