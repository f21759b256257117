package cli

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/benchmarks/sweep"
	"memobench/datasets/must"
)

// reproduced reads the recorded runs at the paper's sizes: the cells of the grid
// reproduction, and the one of them that is kept with its weights.
func reproduced(t *testing.T) []recordedRun {
	t.Helper()
	var list []recordedRun
	for _, dir := range []string{"reproduction/*", "pretrained/pai3-memo"} {
		for _, file := range glob(filepath.Join(recorded, dir, record.FileName)) {
			r := must.Get(record.ReadFile(file))(t)
			list = append(list, recordedRun{r, filepath.Dir(file)})
		}
	}
	return list
}

// recordedRun is a record with its directory.
type recordedRun struct {
	*record.Record
	dir string
}

// The grid's cells are recorded, each once, with its settings; and nothing else
// is.
func TestTheGridReproductionIsRecorded(t *testing.T) {
	grid := must.Get(sweep.Load("reproduction"))(t)
	preset := must.Get(config.LoadPreset(grid.Preset))(t)
	cells := must.Get(grid.Cells(preset, sweep.Change{}))(t)
	runs := reproduced(t)
	if len(runs) != len(cells) {
		t.Errorf("%d recorded runs, %d cells", len(runs), len(cells))
	}
	for _, c := range cells {
		// What the grid sets in all parts was the preset's when the runs were made.
		c.Overrides = slices.DeleteFunc(c.Overrides, func(o string) bool {
			_, key, _ := strings.Cut(o, ".")
			return slices.ContainsFunc(grid.Set, func(set string) bool { return strings.HasSuffix(set, "."+key) })
		})
		found := 0
		for _, r := range runs {
			if r.Identity.Task != c.Task || r.Identity.Label != c.Label || r.Identity.Seed != c.Seed ||
				r.Protocol.Hash != c.ProtocolHash() || !slices.Equal(r.Identity.Overrides, c.Overrides) {
				continue
			}
			found++
			var now struct{ Config, Training map[string]any }
			data, err := json.Marshal(c.Cell)
			if err == nil {
				err = json.Unmarshal(data, &now)
			}
			if err != nil {
				t.Fatal(err)
			}
			sameWhereRecorded(t, c.Dir(), r.Model.Config, now.Config, config.Legacy(c.Config))
			sameWhereRecorded(t, c.Dir(), r.Model.Training, now.Training, nil)
		}
		if found != 1 {
			t.Errorf("%s (%s): %d records", c.Dir(), strings.Join(c.Overrides, " "), found)
		}
	}
}
