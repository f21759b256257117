package cli

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// The commands next to the recorded runs reproduce them: with the protocols and the
// settings of the models in the records.
func TestCommandsOfRecordedRunsGiveTheirProtocols(t *testing.T) {
	text := must.Get(os.ReadFile(filepath.Join(recorded, "README.md")))(t)
	checked := 0
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)/` \\| `memobench train ([^`]+)`").FindAllStringSubmatch(string(text), -1) {
		dirs, err := filepath.Glob(filepath.Join(recorded, strings.NewReplacer("-N", "-[0-9]", "TASK", "*", "MODEL", "*").Replace(m[1])))
		if err != nil || dirs == nil {
			t.Errorf("%s: no such folder (%v)", m[1], err)
		}
		for _, dir := range dirs {
			rec, err := record.ReadFile(filepath.Join(dir, record.FileName))
			if err != nil {
				t.Fatal(err)
			}
			command := strings.NewReplacer("TASK", rec.Identity.Task, "MODEL", rec.Identity.Label).Replace(m[2])
			repeats(t, dir, command, cellOf(t, command), rec)
			checked++
		}
	}
	if checked < 20 {
		t.Errorf("%d recorded runs checked", checked)
	}
}

// A run with a config.yaml beside its record is repeated from that; every other record is in
// a folder that the table names.
func TestConfigsOfRecordedRunsGiveTheirProtocols(t *testing.T) {
	readme := string(must.Get(os.ReadFile(filepath.Join(recorded, "README.md")))(t))
	numbered := regexp.MustCompile(`-\d+$`)
	must.Do(t, filepath.WalkDir(recorded, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != record.FileName {
			return err
		}
		dir := filepath.Dir(path)
		preset := filepath.Join(dir, "config.yaml")
		if _, err := os.Stat(preset); err != nil {
			folder := strings.Split(filepath.ToSlash(must.Get(filepath.Rel(recorded, dir))(t)), "/")
			whole := strings.Join(folder, "/") + "/"
			for _, name := range []string{folder[0] + "/`", "`" + whole, "`" + numbered.ReplaceAllString(strings.TrimSuffix(whole, "/"), "-N") + "/"} {
				if strings.Contains(readme, name) {
					return nil
				}
			}
			if folder[0] != "controls" && !strings.HasPrefix(whole, "babi/control-") { // controls/TASK-MODEL/
				t.Errorf("%s has no config.yaml and no command in README.md", dir)
			}
			return nil
		}
		rec := must.Get(record.ReadFile(path))(t)
		c := common{preset: preset}
		cell, _, err := c.cell(rec.Identity.Task, rec.Identity.Label, rec.Identity.Seed)
		if err != nil {
			return fmt.Errorf("%s: %w", preset, err)
		}
		repeats(t, dir, preset, cell, rec)
		return nil
	}))
}

// repeats compares a record with the run that its command means.
func repeats(t *testing.T, dir, command string, cell config.Cell, rec *record.Record) {
	t.Helper()
	if cell.ProtocolHash() != rec.Protocol.Hash {
		t.Errorf("%s: protocol %s, but %s gives %s", dir, rec.Protocol.Hash, command, cell.ProtocolHash())
	}
	var now struct{ Config, Training map[string]any }
	data := must.Get(json.Marshal(cell))(t)
	must.Do(t, json.Unmarshal(data, &now))
	sameWhereRecorded(t, dir, rec.Model.Config, now.Config, config.Legacy(cell.Config))
	sameWhereRecorded(t, dir, rec.Model.Training, now.Training, nil)
}

// sameWhereRecorded compares the settings of a record with those of its command. Settings
// that came after the run have their legacy value in the record and their default now.
func sameWhereRecorded(t *testing.T, dir string, recorded, now, legacy map[string]any) {
	t.Helper()
	if len(recorded) == 0 {
		t.Errorf("%s: no settings", dir)
	}
	for key, v := range recorded {
		if l, later := legacy[key]; later && fmt.Sprint(l) == fmt.Sprint(v) {
			continue
		}
		if list, ok := v.([]any); ok && len(list) == 0 && now[key] == nil { // no phases, said and not said
			continue
		}
		if !reflect.DeepEqual(now[key], v) {
			t.Errorf("%s: %s is %v, but its command gives %v", dir, key, v, now[key])
		}
	}
}

// cellOf returns the run that arguments of train mean.
func cellOf(t *testing.T, args string) config.Cell {
	t.Helper()
	f := pflag.NewFlagSet("train", pflag.ContinueOnError)
	model, task, preset := f.String("model", "", ""), f.String("task", "", ""), f.String("preset", "standard", "")
	set := f.StringArray("set", nil, "")
	f.String("seed", "", "")
	f.String("data", "", "")
	f.String("out", "", "")
	if err := f.Parse(strings.Fields(args)); err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	c := common{preset: *preset, set: *set}
	cell, _, err := c.cell(*task, *model, 0)
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return cell
}
