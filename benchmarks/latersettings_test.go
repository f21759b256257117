package benchmarks

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"memobench/benchmarks/record"
	"memobench/models"
)

// A record that was read names every setting that its model has today: a setting that
// was added since is in the table of package record, or has a legacy value and is left
// out where it has that. Otherwise reports could not tell
// the runs before from those after.
func TestRecordsNameEverySettingOfTheirModel(t *testing.T) {
	files, err := filepath.Glob("recorded/*/*/" + record.FileName)
	if err != nil || len(files) < 200 {
		t.Fatalf("%d recorded runs (%v)", len(files), err)
	}
	for _, file := range files {
		r, err := record.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		entry, ok := models.Lookup(r.Identity.Model)
		if !ok {
			t.Fatalf("%s: no model %q", file, r.Identity.Model)
		}
		named := slices.Sorted(maps.Keys(r.Model.Config))
		var want []string
		for _, s := range settingsOf(entry.Defaults()) {
			if _, later := record.LaterSetting(r.Identity.Model, s.key); later || s.legacy == "" {
				want = append(want, s.key)
			}
		}
		slices.Sort(want)
		if !slices.Equal(named, want) {
			t.Errorf("%s names %v, want %v: add what is missing to the later settings of package record", file, named, want)
		}
	}
}

// The table of package record and the tags of the models' settings agree.
func TestLegacyValuesAreThoseOfRecords(t *testing.T) {
	seen := 0
	for _, name := range models.Names() {
		entry, _ := models.Lookup(name)
		for _, s := range settingsOf(entry.Defaults()) {
			if s.legacy == "" {
				continue
			}
			seen++
			if v, ok := record.LaterSetting(name, s.key); ok && fmt.Sprint(v) != s.legacy {
				t.Errorf("%s.%s has the legacy value %s, in records that lack it %v", name, s.key, s.legacy, v)
			}
		}
	}
	if seen < 7 {
		t.Errorf("%d settings with a legacy value", seen)
	}
}
