package record

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/must"
)

// Records of earlier versions and their copies in the Go benchmark format are read, and
// this version writes the same, except for labels that some copies are too old to have.
func TestRecordedRunsStayAsTheyAre(t *testing.T) {
	files, err := filepath.Glob("../recorded/*/*/" + FileName)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d recorded runs, error %v", len(files), err)
	}
	for _, file := range files {
		written := must.Get(os.ReadFile(file))(t)
		r := must.Get(ReadFile(file))(t)
		withoutLater(t, file, written, r)
		again := must.Get(r.Marshal())(t)
		if d := cmp.Diff(underPresentNames(values(t, written)), asWritten(values(t, written), values(t, again))); d != "" {
			t.Errorf("%s (-written +now):\n%s", file, d)
		}
		copied := must.Get(os.ReadFile(filepath.Join(filepath.Dir(file), BenchName)))(t)
		now := must.Get(r.Bench())(t)
		if d := cmp.Diff(benchLines(t, copied), benchLines(t, now)); d != "" {
			t.Errorf("copy of %s (-written +now):\n%s", file, d)
		}
	}
}

// values decodes a record without changes.
func values(t *testing.T, data []byte) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var all map[string]any
	must.Do(t, d.Decode(&all))
	return all
}

// underPresentNames gives the settings of a record the names that they have now.
func underPresentNames(all map[string]any) map[string]any {
	model, identity := all["model"].(map[string]any), all["identity"].(map[string]any)
	for part, settings := range model {
		if settings, ok := settings.(map[string]any); ok {
			model[part] = presentNames(settings)
		}
	}
	if hops, ok := model["config"].(map[string]any)["hops"]; ok {
		identity["title"] = WithHops(identity["title"].(string), hops.(json.Number).String())
	}
	overrides, _ := identity["overrides"].([]any)
	for i, override := range overrides {
		overrides[i] = presentOverride(override.(string))
	}
	for _, list := range []any{all["labels"], all["caveats"]} {
		caveats, _ := list.([]any)
		for i, c := range caveats {
			if text, ok := c.(string); ok && strings.HasPrefix(text, "changed from the preset: ") {
				caveats[i] = presentOverrides(text)
			}
		}
	}
	return all
}

// asWritten replaces the caveats of a record and its data by labels if the record has
// schema version 1.
func asWritten(written, all map[string]any) map[string]any {
	if written["schema"] != json.Number("1") {
		return all
	}
	all["schema"] = json.Number("1")
	for _, of := range []map[string]any{all, all["dataset"].(map[string]any)} {
		if caveats, ok := of["caveats"].([]any); ok {
			labels := []any{}
			for _, c := range caveats {
				labels = append(labels, c.(map[string]any)["text"])
			}
			of["labels"] = labels
			delete(of, "caveats")
			delete(of, "presentation")
		}
	}
	return all
}

// withoutLater removes the settings that reading filled in: those of the table that
// the file does not name.
func withoutLater(t *testing.T, file string, written []byte, r *Record) {
	t.Helper()
	var named Record
	must.Do(t, json.Unmarshal(written, &named))
	namedThere := presentNames(named.Model.Config)
	for key, value := range r.Model.Config {
		if _, ok := namedThere[key]; ok {
			continue
		}
		if want := laterSettings[r.Identity.Model][key]; value != want {
			t.Errorf("%s: %s is filled in as %v, want %v", file, key, value, want)
		}
		delete(r.Model.Config, key)
	}
}

// A record from before a setting was added has the value that its run had.
func TestSettingsThatCameLaterAreFilledIn(t *testing.T) {
	for file, want := range map[string]map[string]any{
		"standard/pai3-ut-neutral":         {"init": "neutral", "teacher_forcing": false},
		"reproduction/pai3-ut-s0-7fa7d0fd": {"init": "associate", "teacher_forcing": false},
		"small/dnc-ponder1-0":              {"teacher_forcing": false},
		"babi/emn-0":                       {"teacher_forcing": true},
		"standard/pai3-memo-5000-go":       {"teacher_forcing": false},
	} {
		r := must.Get(ReadFile(filepath.Join("../recorded", file, FileName)))(t)
		for key, value := range want {
			if got := r.Model.Config[key]; got != value {
				t.Errorf("%s: %s is %v, want %v", file, key, got, value)
			}
		}
	}
	if title := must.Get(ReadFile(filepath.Join("../recorded/standard/pai4-emn-curriculum-0", FileName)))(t).Identity.Title; title != "EMN, 10 hops" {
		t.Errorf("title %q of a run with 10 hops", title)
	}
	r := sample()
	r.Model.Config = nil // predictions of another program
	data, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if r, err = Parse(data); err != nil || len(r.Model.Config) != 0 {
		t.Errorf("settings %v of no model (%v)", r.Model.Config, err)
	}
}

// benchLines returns the values of each line by its name.
func benchLines(t *testing.T, data []byte) map[string]map[string]float64 {
	lines := map[string]map[string]float64{}
	results, _ := parse(t, data)
	for _, r := range results {
		line := map[string]float64{}
		for _, v := range r.Values {
			line[v.Unit] = v.Value
		}
		lines[r.Name.String()] = line
	}
	return lines
}
