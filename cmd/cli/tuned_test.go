package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/config"
	"memobench/datasets/must"
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
	for _, r := range found.Runs {
		id := &r.Record.Identity
		key := fmt.Sprint(r.Record.Dataset.Task, id.Model, id.Seed)
		byName[key] = append(byName[key], r)
	}
	var runs []results.Run
	for _, cell := range must.Get(config.LoadPreset("tuned"))(t).Cells() {
		i := slices.IndexFunc(byName[fmt.Sprint(cell.Task, cell.Model, cell.Seed)], func(r results.Run) bool {
			have := must.Get(config.CellOf(r.Record))(t)
			return len(slices.DeleteFunc(config.Differences(have, &cell), func(d string) bool {
				return strings.HasPrefix(d, "protocol.evaluate_every:") && cell.Protocol.Mixture == ""
			})) == 0
		})
		if i < 0 {
			t.Errorf("no recorded run of %s", cell.Name())
			continue
		}
		runs = append(runs, byName[fmt.Sprint(cell.Task, cell.Model, cell.Seed)][i])
	}
	for _, r := range found.Runs { // which say what the conditions of a comparison are
		if strings.Contains(r.Path, "/reproduction/") {
			runs = append(runs, r)
		}
	}
	found.Runs = runs
	var text strings.Builder
	must.Do(t, format.Rows(&text, must.Get(doctables.Make("hardest", found))(t)))
	if readme := string(read(t, filepath.Join("..", ".."), "README.md")); !strings.Contains(readme, text.String()) {
		t.Errorf("README.md does not have\n%s", text.String())
	}
}
