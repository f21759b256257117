package config

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	_ "memobench/datasets/shortestpath"
	"memobench/models"
	_ "memobench/models/deltanet"
	"memobench/models/dnc"
	_ "memobench/models/lstm"
	_ "memobench/models/transformer"
	"memobench/models/ut"
)

// recordedRuns reads all recorded runs, by their files.
func recordedRuns(t *testing.T) map[string]*record.Record {
	t.Helper()
	files := must.Get(filepath.Glob("../recorded/*/*/" + record.FileName))(t)
	if len(files) < 200 {
		t.Fatalf("%d recorded runs", len(files))
	}
	runs := map[string]*record.Record{}
	for _, file := range files {
		runs[file] = must.Get(record.ReadFile(file))(t)
	}
	return runs
}

// The hashes of recorded runs follow from their settings as this version reads them. Later
// settings are therefore left out of a hash where they have their legacy value.
func TestRecordedRunsKeepTheirHashes(t *testing.T) {
	cells, runs := 0, recordedRuns(t)
	for file, r := range runs {
		c, err := CellOf(r)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if have := c.ProtocolHash(); have != r.Protocol.Hash {
			t.Errorf("%s: protocol %s, recorded %s", file, have, r.Protocol.Hash)
		}
		if c.Hash() == r.Identity.Cell {
			cells++
		}
	}
	// Cells were hashed with fewer settings before some were added.
	if cells < 271 {
		t.Errorf("%d of %d cells keep their hash", cells, len(runs))
	}
}

// A recorded run names every setting of its model: otherwise reports could not distinguish
// the runs before and after a setting was added.
func TestRecordsNameEverySettingOfTheirModel(t *testing.T) {
	for file, r := range recordedRuns(t) {
		entry, ok := models.Lookup(r.Identity.Model)
		if !ok {
			t.Fatalf("%s: no model %q", file, r.Identity.Model)
		}
		named := slices.Sorted(maps.Keys(r.Model.Config))
		if want := slices.Sorted(maps.Keys(Values(entry.Defaults()))); !slices.Equal(named, want) {
			t.Errorf("%s names %v, want %v", file, named, want)
		}
	}
}

// In files of runs that were written before a setting existed, a recorded run's
// config.yaml and its checkpoint's cell, the setting has its legacy value. In a preset it
// has its default.
func TestFilesWrittenBeforeASettingExisted(t *testing.T) {
	forms := func(c Cell) (answers string, forced bool) {
		switch m := c.Config.(type) {
		case *dnc.Config:
			return m.Answers, m.TeacherForcing
		case *ut.Config:
			return m.Answers, m.TeacherForcing
		}
		t.Fatalf("a %T", c.Config)
		return
	}
	only := func(p *Preset, err error) Cell {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return p.Cells()[0]
	}
	for model, now := range map[string]string{"dnc": "ponder", "ut": "append"} {
		files, err := filepath.Glob(filepath.Join("..", "recorded", "reproduction", "sp*-"+model+"-*", "config.yaml"))
		if err != nil || files == nil {
			t.Fatalf("no recorded run of %s (%v)", model, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c := only(ParsePreset(file, text))
			if answers, _ := forms(c); answers != "requery" {
				t.Errorf("%s: answers %q", file, answers)
			}
			if !strings.HasSuffix(filepath.Dir(file), "-"+c.Hash()[:8]) {
				t.Errorf("%s is of another hash now, %s", file, c.Hash())
			}
			if text, err = c.YAML(); err != nil {
				t.Fatal(err)
			}
			if again, _ := forms(only(ParsePreset(file, text))); again != "requery" {
				t.Errorf("%s: answers %q when written and read again", file, again)
			}
		}
		text := "experiments: [{task: sp10-2-2, seeds: [0], protocol: {batch_size: 1, steps: 1, evaluate_every: 1, validation_per_kind: 1, test_per_kind: 1}, models: [{model: " + model + ", config: {teacher_forcing: true}}]}]"
		c := only(ParsePreset("new", []byte(text)))
		if answers, _ := forms(c); answers != now {
			t.Errorf("a preset without the setting: answers %q, want %q", answers, now)
		}
		data := must.Get(json.Marshal(c))(t)
		read := func(change func(config map[string]any)) Cell {
			var file map[string]any
			must.Do(t, json.Unmarshal(data, &file))
			change(file["config"].(map[string]any))
			text := must.Get(json.Marshal(file))(t)
			var c Cell
			must.Do(t, json.Unmarshal(text, &c))
			return c
		}
		if answers, _ := forms(read(func(map[string]any) {})); answers != now {
			t.Errorf("a cell of today: answers %q, want %q", answers, now)
		}
		answers, forced := forms(read(func(config map[string]any) { delete(config, "answers") }))
		if answers != "requery" || !forced {
			t.Errorf("a cell without the setting: answers %q and teacher forcing %t", answers, forced)
		}
	}
}
