package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/config"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/report/format"
	"memobench/report/paper/doctables"
	"memobench/report/results"
)

// Every run of preset tuned is recorded, and README's first table is made of these
// runs. How often a run is evaluated may differ: it changes no weights but where a mixture
// or a phase depends on it.
func TestPresetTunedHasTheRunsOfTheFirstTable(t *testing.T) {
	found := must.Get(results.Open(recorded))(t)
	byName := map[string][]results.Run{}
	name := func(task, model string, seed uint64) string { return fmt.Sprint(task, model, seed) }
	var runs []results.Run
	for _, r := range found.Runs {
		id := &r.Record.Identity
		byName[name(id.Task, id.Model, id.Seed)] = append(byName[name(id.Task, id.Model, id.Seed)], r)
		// These say what the conditions of a comparison are.
		if strings.Contains(r.Path, "/reproduction/") && id.Label == "memo" && id.Seed <= 1 && id.Overrides == nil {
			runs = append(runs, r)
		}
	}
	for _, cell := range must.Get(config.LoadPreset("tuned"))(t).Cells() {
		free := cell.Protocol.Mixture == "" && !slices.ContainsFunc(cell.Training.Phases, func(p models.Phase) bool { return p.HasTarget() || p.Below != 0 })
		recorded := byName[name(cell.Task, cell.Model, cell.Seed)]
		i := slices.IndexFunc(recorded, func(r results.Run) bool {
			have := must.Get(config.CellOf(r.Record))(t)
			return len(slices.DeleteFunc(config.Differences(have, &cell), func(d string) bool {
				return free && strings.HasPrefix(d, "protocol.evaluate_every:")
			})) == 0
		})
		if i < 0 {
			t.Errorf("no recorded run of %s", cell.Name())
			continue
		}
		if !slices.ContainsFunc(runs, func(r results.Run) bool { return r.Path == recorded[i].Path }) {
			runs = append(runs, recorded[i])
		}
	}
	found.Runs = runs
	var text strings.Builder
	must.Do(t, format.Rows(&text, must.Get(doctables.Make("hardest", found))(t)))
	if readme := string(read(t, filepath.Join("..", ".."), "README.md")); !strings.Contains(readme, text.String()) {
		t.Errorf("README.md does not have\n%s", text.String())
	}
}
