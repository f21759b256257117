package benchmarks

import (
	"slices"
	"strings"
	"testing"

	"memobench/datasets/babi"
)

// stories returns a preset of two bAbI tasks, in small.
func stories(t *testing.T) *Preset {
	t.Helper()
	p, err := ParsePreset("stories", []byte(`
about: simulated stories
experiments:
  - task: babi
    settings: {tasks: "1,15"}
    protocol: {batch_size: 8, steps: 10, evaluate_every: 10, validation_per_kind: 20, test_per_kind: 30}
    seeds: [0]
    models: [{model: emn, config: {width: 8, hops: 2}, training: {optimizer: adam, learning_rate: 1e-2}}]
`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bAbI runs where there are no files, and says what it was run on.
func TestBabiRunsWithoutFilesAndSaysSo(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(babi.EnvPath, "")
	p := stories(t)
	rec := mustRun(t, p.Cells()[0], Options{Dir: t.TempDir()})
	if !slices.ContainsFunc(rec.Caveats.Texts(), func(l string) bool { return strings.Contains(l, "simulated stories") }) ||
		rec.Dataset.Settings["source"] != babi.Simulated {
		t.Errorf("labels %q, settings %v", rec.Caveats.Texts(), rec.Dataset.Settings)
	}
	if err := p.Set("task.source=files"); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), p.Cells()[0], Options{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "no bAbI data found") {
		t.Errorf("with source=files: %v", err)
	}
}

// What two runs differ in is named by values, also where a setting is optional.
func TestDifferencesNameOptionalSettings(t *testing.T) {
	p := stories(t)
	cell := func(set string) Cell {
		if err := p.Set(set); err != nil {
			t.Fatal(err)
		}
		return p.Cells()[0]
	}
	a, b := cell("task.source=simulated"), cell("task.source=files")
	got := strings.Join(differences(&a, &b), "\n")
	if !strings.Contains(got, "task.source: simulated, now files") || strings.Contains(got, "0x") {
		t.Errorf("differences:\n%s", got)
	}
}
